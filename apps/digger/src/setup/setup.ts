import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { ConfigError, readConfig, shown, VARIABLES } from '@digger/config'
import { OperatorError } from '@digger/database'
import { makeMasterKey, readMasterKey } from '@digger/identity'
import { readVariables, unwritable, type Variables, writeVariables } from './env-file.ts'
import { type Question, questionsFor } from './questions.ts'

/** Where the real money's database is asked later than whether there is real money. */
const NOT_YET_ASKED = 'postgres:///digger'
/** For a variable that is to go: an empty answer keeps what is there. */
const CLEAR = '-'

export interface SetupParts {
  /** The environment file that is written. */
  readonly file: string
  /** The folder that data is put below where nobody says otherwise. */
  readonly home: string
  /** Given answers; what they do not name is as it was, or as if Enter were pressed. Null: `ask` is asked. */
  readonly answers: Variables | null
  /** Whether a file of other values may be written over without asking. */
  readonly replace: boolean
  readonly ask: (text: string) => Promise<string>
  readonly print: (line: string) => void
}

/** Asks for what the server needs, checks it as the server would, writes it down and makes folders and the master key. */
export async function setUp(parts: SetupParts): Promise<void> {
  const { file, print } = parts
  const before = existsSync(file) ? readVariables(file) : null
  if (before !== null) print(`${file}에 있는 것에서 시작합니다. 비밀은 그대로 둡니다.`)
  const questions = questionsFor(dirname(resolve(file)), parts.home)
  const given =
    parts.answers === null
      ? await interview(parts, questions, before ?? {})
      : answered(parts.answers, questions, before ?? {})
  const values = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''))
  assertAll(values)
  const changes = changesOf(before, values)
  if (before !== null && changes.length > 0) await assertMayReplace(parts, changes)
  makePlaces(values, print)
  // Now that its files are there: by the very words of the start.
  readConfig(values)
  if (before === null || changes.length > 0) writeVariables(file, values)
  for (const [name, value] of Object.entries(values)) print(`  ${name}=${shown(name, value)}`)
  print(`${file}에 적었습니다(권한 600). ${nextStep(file, before !== null)}`)
}

async function interview(
  { ask, print }: SetupParts,
  questions: readonly Question[],
  before: Variables,
): Promise<Variables> {
  const given: Record<string, string> = { ...before }
  const asked: Record<string, string> = { ...withoutQuestions(before, questions), DATABASE_URL: NOT_YET_ASKED }
  for (const question of questions) {
    const { name, text, otherwise } = question
    if (question.asked?.(given) === false) {
      given[name] = ''
      continue
    }
    const usual = before[name] ?? otherwise
    let value: string
    let problem: string | null
    do {
      const typed = (await ask(`${text}${usual === '' ? '' : ` [${shown(name, usual)}]`}: `)).trim()
      value = typed === CLEAR ? '' : typed === '' ? usual : typed
      problem = problemOf(question, value, asked)
      if (problem !== null) print(problem)
    } while (problem !== null)
    asked[name] = value
    given[name] = value
  }
  return given
}

function answered(answers: Variables, questions: readonly Question[], before: Variables): Variables {
  const unknown = Object.keys(answers).find((name) => !VARIABLES.includes(name))
  if (unknown !== undefined)
    throw new OperatorError(`${unknown}이라는 변수는 없습니다. README의 Environment를 봐 주세요.`)
  const given: Record<string, string> = { ...before, ...answers }
  const asked: Record<string, string> = { ...withoutQuestions(given, questions), DATABASE_URL: NOT_YET_ASKED }
  for (const question of questions) {
    const { name, otherwise } = question
    const value = given[name] ?? (question.asked?.(given) === false ? '' : otherwise)
    const problem = question.asked?.(given) === false ? null : problemOf(question, value, asked)
    if (problem !== null) throw new OperatorError(problem)
    asked[name] = value
    given[name] = value
  }
  return given
}

const withoutQuestions = (values: Variables, questions: readonly Question[]): Variables =>
  Object.fromEntries(Object.entries(values).filter(([name]) => questions.every((question) => question.name !== name)))

/** As the start would say it, or the question itself; null for an answer that will do. */
function problemOf({ name, problem }: Question, value: string, asked: Variables): string | null {
  return unwritable(name, value) ?? problem?.(value, asked) ?? refusalOf({ ...asked, [name]: value })
}

/** Files that are still to be made are looked at when they are. MAIL_FROM is asked before its server. */
function refusalOf(values: Variables): string | null {
  try {
    readConfig({ ...values, MASTER_KEY_FILE: undefined })
    return null
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
}

function assertAll(values: Variables): void {
  for (const [name, value] of Object.entries(values)) {
    const problem = unwritable(name, value)
    if (problem !== null) throw new OperatorError(problem)
  }
  const refusal = refusalOf(values)
  if (refusal !== null) throw new OperatorError(refusal)
}

function changesOf(before: Variables | null, values: Variables): string[] {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(values)])]
  return names.filter((name) => before?.[name] !== values[name])
}

async function assertMayReplace({ file, answers, replace, ask, print }: SetupParts, changes: string[]): Promise<void> {
  print(`${file}에서 바뀌는 것: ${changes.join(', ')}`)
  if (replace) return
  if (answers !== null)
    throw new OperatorError(`${file}이 이미 있어 바꾸지 않았습니다. 바꾸려면 --replace를 붙여 주세요.`)
  if (!/^(y|yes|예|네)$/i.test((await ask('바꿔 적을까요? (y/N): ')).trim()))
    throw new OperatorError('아무것도 바꾸지 않았습니다.')
}

function makePlaces(values: Variables, print: (line: string) => void): void {
  for (const name of ['DATA_DIR', 'BACKUP_DIR']) makeFolder(name, values[name])
  const key = values['MASTER_KEY_FILE']
  if (key === undefined) return
  if (existsSync(key)) {
    readMasterKey(key)
    return print(`마스터 키: ${key} (그대로)`)
  }
  makeFolder('MASTER_KEY_FILE', dirname(key))
  makeMasterKey(key)
  print(`마스터 키: ${key} (새로 만들었습니다. 데이터와 다른 곳에 따로 복사해 두세요)`)
}

function makeFolder(name: string, path: string | undefined): void {
  if (path === undefined) return
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 })
    if (!statSync(path).isDirectory()) throw new Error('폴더가 아닙니다')
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new OperatorError(`${name}=${path}을 만들지 못했습니다: ${why}`, { cause: error })
  }
}

/** Where systemd runs things, the installed service, which reads the file at its start only; elsewhere the program itself. */
export function nextStep(
  file: string,
  again: boolean,
  installed = existsSync('/etc/systemd/system/digger.service'),
): string {
  const service = again ? 'systemctl enable digger && systemctl restart digger' : 'systemctl enable --now digger'
  return `다음: ${installed ? service : `node --env-file=${file} scripts/start.mjs`}`
}
