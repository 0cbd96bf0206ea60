import { chownSync, existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { OperatorError } from '@digger/database'

/** Variables by name, as they stand in a file. */
export type Variables = Readonly<Record<string, string>>

const LINE = /^([A-Z][A-Z0-9_]*)=(.*)$/
/** systemd, Compose, shells and Node read these each in their own way, so no value has them. */
const AMBIGUOUS = /[\s"'`#$\\]/

/** Why a value cannot stand in the file; null where it can. */
export const unwritable = (name: string, value: string): string | null =>
  AMBIGUOUS.test(value)
    ? `${name}에는 공백, 따옴표, #, $, \\를 쓸 수 없습니다. 주소 안의 글자는 %23(#), %24($)처럼 적어 주세요.`
    : null

/** Reads `NAME=value` lines; those that begin with # and empty ones say nothing. `from` names the file to its reader. */
export function variablesOf(text: string, from: string): Variables {
  const read: Record<string, string> = {}
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '' || line.startsWith('#')) continue
    const [, name, value] = LINE.exec(line.trimEnd()) ?? []
    if (name === undefined || value === undefined)
      throw new OperatorError(`${from}의 ${index + 1}번째 줄을 읽지 못했습니다. 이름=값으로 적어 주세요.`)
    const problem = unwritable(name, value)
    if (problem !== null) throw new OperatorError(`${from}의 ${index + 1}번째 줄: ${problem}`)
    read[name] = value
  }
  return read
}

export function readVariables(file: string): Variables {
  try {
    return variablesOf(readFileSync(file, 'utf8'), file)
  } catch (error) {
    if (error instanceof OperatorError) throw error
    const why = error instanceof Error ? error.message : String(error)
    throw new OperatorError(`${file}을 읽지 못했습니다: ${why}`, { cause: error })
  }
}

const HEAD = '# npm run admin -- setup이 적었습니다. 이 파일에는 비밀이 있습니다(권한 600).\n'

/** Whole or not at all, for its owner alone; a file that was there keeps its owner. */
export function writeVariables(file: string, values: Variables): void {
  const lines = Object.entries(values).map(([name, value]) => `${name}=${value}\n`)
  const making = `${file}.making-${process.pid}`
  try {
    writeFileSync(making, HEAD + lines.join(''), { mode: 0o600, flag: 'wx', flush: true })
    if (existsSync(file)) keepOwner(file, making)
    renameSync(making, file)
  } catch (error) {
    rmSync(making, { force: true })
    const why = error instanceof Error ? error.message : String(error)
    throw new OperatorError(`${file}을 쓰지 못했습니다: ${why}`, { cause: error })
  }
}

function keepOwner(file: string, making: string): void {
  const { uid, gid } = statSync(file)
  if (uid !== process.getuid?.()) chownSync(making, uid, gid)
}
