import type { Pool } from 'pg'
import { openBeside, OperatorError } from '@digger/database'
import { readMasterKey } from '@digger/identity'
import type { BrokerPlace } from './broker.ts'
import { GRACES } from './disagreement.ts'
import { Reports } from './reports.ts'
import { Watcher } from './watcher.ts'

const INTERVAL_MS = 30_000
const BLIND_MS = 120_000
const SPACING_MS = 1_100
const HOSTS = {
  real: 'https://openapi.koreainvestment.com:9443',
  paper: 'https://openapivts.koreainvestment.com:29443',
} as const

type Environment = Readonly<Record<string, string | undefined>>

/** The server's own environment; `DATABASE_URL` may name a role that can do less. */
export function placeOf({ KIS_ENV: kind = 'sim', KIS_REST_URL: given, SIM_PORT = '18443' }: Environment): BrokerPlace {
  if (kind !== 'sim' && kind !== 'paper' && kind !== 'real')
    throw new OperatorError('KIS_ENV는 sim, paper, real 가운데 하나여야 합니다.')
  const url = given ?? (kind === 'sim' ? `http://127.0.0.1:${SIM_PORT}` : HOSTS[kind])
  if (kind !== 'sim' && !url.startsWith('https://'))
    throw new OperatorError('KIS_REST_URL은 https:// 주소여야 합니다. 증권사 키가 그리로 갑니다.')
  return { url: url.replace(/\/$/, ''), env: kind === 'paper' ? 'paper' : 'real', spacingMs: SPACING_MS }
}

const say = (line: string): void => void process.stderr.write(`${new Date().toISOString()} watcher: ${line}\n`)

async function main(): Promise<void> {
  const { DATABASE_URL: url, MASTER_KEY_FILE: file } = process.env
  if (url === undefined || url === '')
    throw new OperatorError(
      '감시 프로그램에는 DATABASE_URL의 PostgreSQL이 필요합니다. 내장 데이터베이스는 한 프로세스만 쓸 수 있습니다.',
    )
  const place = placeOf(process.env)
  const writing = await openBeside(url, { writing: true })
  if (process.argv.includes('--retire')) {
    await new Reports(writing.pool, say).retire()
    return writing.close()
  }
  const master = readMasterKey(file)
  if (master === null)
    throw new OperatorError('MASTER_KEY_FILE이 없으면 사용자 키를 열 수 없어 아무것도 볼 수 없습니다.')
  await assertMayHalt(writing.pool)
  const reading = await openBeside(url, { writing: false })
  const end = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => end.abort())
  const parts = { reading, writing: writing.pool, master, place, graces: GRACES }
  say('watching')
  await new Watcher({ ...parts, intervalMs: INTERVAL_MS, blindMs: BLIND_MS, say }).run(end.signal)
  await Promise.all([reading.close(), writing.close()])
}

/** Better not started than unable to halt when it has to. */
async function assertMayHalt(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ may: boolean | null }>(
    `select bool_and(has_function_privilege(oid, 'execute')) as may from pg_proc where proname = 'watcher_halt'`,
  )
  if (rows[0]?.may === null)
    throw new OperatorError('이 데이터베이스에는 감시 프로그램의 표가 없습니다. 이 버전의 서버를 먼저 한 번 켜 주세요.')
  if (rows[0]?.may !== true)
    throw new OperatorError(
      'DATABASE_URL의 사용자에게 멈출 권한이 없습니다. docs/decisions/029-watcher.md를 봐 주세요.',
    )
}

if (import.meta.main) {
  main().catch((error: unknown) => {
    process.stderr.write(`${error instanceof OperatorError ? error.message : String(error)}\n`)
    process.exit(1)
  })
}
