import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { KIS_HOSTS } from '@digger/kis'
import { demoCredentials, startSim, type Sim } from '@digger/kis-sim'
import { configOrExit, type Config } from './config.ts'
import { lockFolder } from './db/embedded/lock.ts'
import { DatabaseError } from './db/errors.ts'
import { firstRun, simStateDir, wantsFirstRun } from './demo/first-run.ts'
import { PEOPLE, SPARE_CUSTOMER } from './demo/people.ts'
import { createLogger } from './log.ts'
import { createServer, type DiggerServer } from './server.ts'

const config = withDemoKey(configOrExit(process.env))
const log = createLogger(config.LOG_LEVEL)
const say = (line: string): void => void process.stdout.write(`${line}\n`)

const SAID = {
  sim: '모의 거래소(sim) — 진짜 돈이 아닙니다',
  paper: '모의투자(paper)',
  real: '실전(real) — 진짜 돈입니다',
}

let sim: Sim | null = null
let server: DiggerServer | null = null
let unlockSim: (() => Promise<void>) | null = null
let ending = false
/** A restart overlaps the end of the process before it. */
const LOCK_WAIT_MS = 5_000

process.once('SIGINT', () => void end(0, '멈추는 중입니다. 나가 있는 주문의 결과를 기다립니다.'))
process.once('SIGTERM', () => void end(0, '멈추는 중입니다. 나가 있는 주문의 결과를 기다립니다.'))
// Nobody knows what state is left: the journal and the broker do. Start anew.
process.on(
  'uncaughtException',
  (error) => void end(1, `예상하지 못한 오류로 멈춥니다: ${error.stack ?? error.message}`),
)

try {
  say(`Digger를 시작합니다. 환경: ${SAID[config.KIS_ENV]}`)
  if (config.KIS_ENV === 'sim') sim = await startDemo()
  server = await createServer({ config, log, ...brokerPlace() })
  const address = await server.listen()
  void server.database.failed.then((error) => end(1, `데이터베이스를 잃어 멈춥니다: ${error.message}`))
  say(`\n  ${address} 에서 열립니다.\n`)
} catch (error) {
  await end(1, wordsOf(error))
}
async function end(code: number, words: string): Promise<void> {
  if (ending) return process.exit(1)
  ending = true
  ;(code === 0 ? process.stdout : process.stderr).write(`${words}\n`)
  const late = setTimeout(() => process.exit(1), 20_000)
  await server?.close().catch((error: unknown) => log.error({ err: error }, 'close failed'))
  await sim?.close().catch(() => {})
  await unlockSim?.()
  clearTimeout(late)
  process.exit(code)
}

function brokerPlace() {
  if (sim !== null) {
    // The server lives in the pretend exchange's time, which may run faster.
    const broker = { env: 'real', restUrl: sim.url, wsUrl: sim.wsUrl } as const
    return { broker, hours: config.SIM_HOURS, clock: sim.clock }
  }
  const env = config.KIS_ENV === 'real' ? 'real' : 'paper'
  const { rest, ws } = KIS_HOSTS[env]
  return {
    broker: { env, restUrl: config.KIS_REST_URL ?? rest, wsUrl: config.KIS_WS_URL ?? ws },
    hours: 'krx',
  } as const
}

async function startDemo(): Promise<Sim> {
  // Before anything is read or made: a second server on this folder must not even look at it.
  unlockSim = await lockFolder(simStateDir(config.DATA_DIR), LOCK_WAIT_MS)
  if (wantsFirstRun(config)) {
    say('처음 실행이라 시험용 사용자와 지난 거래를 만듭니다. 1분쯤 걸립니다.')
    await firstRun(config, log, say)
  }
  tellLogins()
  const { SIM_PORT, SIM_SEED, SIM_SPEED, SIM_HOURS, SIM_REPLAY } = config
  return startSim({
    port: SIM_PORT,
    seed: SIM_SEED,
    hours: SIM_HOURS,
    clock: { mode: 'real', speed: SIM_SPEED },
    // Livelier than a real day, so that something happens while somebody watches.
    walk: { volatility: 0.12, ticksPerSecond: 1 },
    stateDir: simStateDir(config.DATA_DIR),
    ...(SIM_REPLAY === undefined ? {} : { replay: { file: SIM_REPLAY } }),
  })
}

function tellLogins(): void {
  say('\n시험용 로그인:')
  for (const { email, password, admin } of PEOPLE) say(`  ${email} / ${password}${admin ? '  (관리자)' : ''}`)
  const spare = demoCredentials(SPARE_CUSTOMER)
  say('가입 화면을 시험할 증권사 정보:')
  say(`  appKey ${spare.appKey}\n  appSecret ${spare.appSecret}`)
  say(`  계좌번호 ${spare.accountNumber}\n  HTS ID ${spare.htsId}`)
}

/** Pretend money may trade by itself after a restart: its key lies beside the data, where a real one must never lie. */
function withDemoKey(read: Config): Config {
  if (read.KIS_ENV !== 'sim' || read.MASTER_KEY_FILE !== undefined) return read
  const file = join(read.DATA_DIR, 'demo-master.key')
  if (!existsSync(file)) {
    mkdirSync(read.DATA_DIR, { recursive: true })
    writeFileSync(file, randomBytes(32).toString('base64'), { mode: 0o600 })
  }
  return { ...read, MASTER_KEY_FILE: file }
}

function wordsOf(error: unknown): string {
  if (error instanceof DatabaseError) return error.message
  if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
    return `포트를 다른 프로그램이 쓰고 있습니다(${error.message}). PORT 또는 SIM_PORT를 바꿔 주세요.`
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
