import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Config, readConfig } from '@digger/config'
import { openDatabase, OperatorError } from '@digger/database'
import { exitCodeOf, linesOf } from '@digger/doctor'
import { brokerPlace } from '../broker-place.ts'
import { endWithMessage } from '../report.ts'
import { fileReplies, readArchive } from './archive-folder.ts'
import { runExamination, type Wanted } from './examination.ts'
import { type Keys, keysOfEnvironment, keysOfVault } from './keys.ts'
import { askPassword } from './password.ts'

const USAGE = `쓰는 법: npm run doctor -- [--env sim|paper|real] [--user 이메일] [--code 종목] [--archive 새폴더] [--json] [--token] [--limits] [--socket]
        npm run doctor -- --compare 폴더 [--json]
  증권사에 읽기만 하고 주문은 내지 않습니다. 읽은 것을 디거가 믿는 것과 견주어 다른 점을 모두 말합니다.
  --env      어디를 볼지. 없으면 KIS_ENV
  --user     누구의 연결인지(비밀번호를 묻는다). 환경변수 KIS_APP_KEY, KIS_APP_SECRET, KIS_ACCOUNT, KIS_HTS_ID를 주면 그 키로 한다
  --code     자세히 볼 종목(없으면 005930)
  --archive  응답을 파일로 남긴다. 계좌번호, 키, 이름, 주문번호는 바꾸어 적는다
  --compare  --archive로 남긴 폴더의 응답을 모의 증권사의 것과 견주어, 없거나 더 있거나 꼴이 다른 값을 모두 말한다. 키도 연결도 필요 없다
  --json     사람 대신 프로그램이 읽을 결과
  --token    접근 토큰을 새로 받아도 된다(알림톡이 가고, 도는 서버의 토큰이 끊길 수 있다).
             남아 있는 토큰이 있으면 그것이 끊기는지도 본다. 환경변수의 키에는 남은 토큰이 없다
  --limits   장이 열린 시간에도 호출 속도를 잰다
  --socket   실시간에 연결한다(도는 서버의 실시간 연결과 부딪칠 수 있다)
끝나는 값: 0 이상 없음, 1 확인할 것이나 다른 것이 있음, 2 점검하지 못함`

const DEFAULT_CODE = '005930'
const LISTEN_MS = 10_000

interface Options {
  readonly env: Config['KIS_ENV'] | undefined
  readonly user: string | undefined
  readonly code: string
  readonly archive: string | undefined
  /** An archive to compare with the pretended KIS, instead of examining. */
  readonly compare: string | undefined
  readonly flags: {
    readonly json: boolean
    readonly token: boolean
    readonly limits: boolean
    readonly socket: boolean
  }
}

export function optionsOf(args: readonly string[]): Options {
  const text = { type: 'string' } as const
  const flag = { type: 'boolean', default: false } as const
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        env: text,
        user: text,
        code: text,
        archive: text,
        compare: text,
        json: flag,
        token: flag,
        limits: flag,
        socket: flag,
      },
    })
    const { env, user, code = DEFAULT_CODE, archive, compare, ...flags } = values
    if (env !== undefined && env !== 'sim' && env !== 'paper' && env !== 'real') throw new RangeError(env)
    if (!/^[0-9A-Z]{6,7}$/.test(code)) throw new RangeError(code)
    const isExamining = [env, user, values.code, archive].some(Boolean) || flags.token || flags.limits || flags.socket
    if (compare !== undefined && isExamining) throw new RangeError(compare)
    return { env, user, code, archive, compare, flags }
  } catch {
    throw new OperatorError(USAGE)
  }
}

/** Who is asked for the password, what time it is, and how fast it may ask. */
export type DoctorParts = Pick<Wanted, 'now' | 'pace'> & { readonly password: () => Promise<string> }

/** Returns the exit code. */
export async function doctor(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  write: { readonly out: (line: string) => void; readonly err: (line: string) => void },
  parts: DoctorParts = { password: askPassword, now: Date.now },
): Promise<0 | 1 | 2> {
  const options = optionsOf(args)
  if (options.compare !== undefined) return compareArchive(options.compare, options.flags.json, write.out)
  const config = readConfig({ ...env, ...(options.env !== undefined && { KIS_ENV: options.env }) })
  return withKeys(config, options, env, parts.password, async (keys) => {
    const { broker, hours } = brokerPlace(config, null)
    const { json, token, limits, socket } = options.flags
    const wanted: Wanted = {
      ...broker,
      // The pretend broker runs by itself, at its usual port unless told otherwise.
      ...(config.KIS_ENV === 'sim' && config.KIS_REST_URL === undefined && simAt(config.SIM_PORT)),
      keys,
      code: options.code,
      hours,
      token,
      limits,
      listenMs: socket ? LISTEN_MS : 0,
      now: parts.now,
      ...(parts.pace !== undefined && { pace: parts.pace }),
      say: write.err,
    }
    const examination = await runExamination(wanted)
    const { report } = examination
    if (json) write.out(JSON.stringify(report))
    else for (const line of linesOf(report)) write.out(line)
    if (options.archive !== undefined)
      write.err(`응답 ${fileReplies(options.archive, examination, wanted)}건을 ${options.archive}에 남겼습니다.`)
    return exitCodeOf(report)
  })
}

/** Loads the pretended KIS only here: examining a real account needs nothing of it. */
async function compareArchive(folder: string, json: boolean, out: (line: string) => void): Promise<0 | 1 | 2> {
  const archive = readArchive(folder)
  const { comparePretended, comparisonLines, exitCodeOfComparison } = await import('./comparison.ts')
  const comparison = await comparePretended(archive)
  if (json) out(JSON.stringify(comparison))
  else for (const line of comparisonLines(comparison)) out(line)
  return exitCodeOfComparison(comparison)
}

const simAt = (port: number) => ({ restUrl: `http://127.0.0.1:${port}`, wsUrl: `ws://127.0.0.1:${port}` })

async function withKeys<T>(
  config: Config,
  { user }: Options,
  env: Readonly<Record<string, string | undefined>>,
  password: () => Promise<string>,
  work: (keys: Keys) => Promise<T>,
): Promise<T> {
  const given = keysOfEnvironment(env)
  if (given !== null) return work(given)
  const { DATABASE_URL: databaseUrl, DATA_DIR: dataDir, MASTER_KEY_FILE: masterKeyFile } = config
  if (databaseUrl === undefined && !existsSync(join(dataDir, 'database')))
    throw new OperatorError(`DATA_DIR=${dataDir}에 데이터베이스가 없고 환경변수에 키도 없습니다.\n${USAGE}`)
  const database = await openDatabase({ databaseUrl, dataDir, exclusive: false, lockWaitMs: 0 })
  try {
    const place = config.KIS_ENV === 'paper' ? 'paper' : 'real'
    return await work(await keysOfVault({ db: database.db, email: user, masterKeyFile, env: place, password }))
  } finally {
    await database.close()
  }
}

async function main(): Promise<void> {
  process.exitCode = await doctor(process.argv.slice(2), process.env, {
    out: (line) => process.stdout.write(`${line}\n`),
    err: (line) => process.stderr.write(`${line}\n`),
  })
}

if (import.meta.main)
  main().catch((error: unknown) => {
    endWithMessage(error)
    process.exitCode = 2
  })
