import { mkdirSync } from 'node:fs'
import { atSpeed, DEFAULT_LIMITS, KIS_HOSTS } from '@digger/kis'
import type { Sim } from '@digger/kis-sim'
import { type Config, type DiggerServer, configOrExit, warningsOf, createLogger, createServer } from '@digger/server'
import { firstRun, wantsFirstRun } from './first-run.ts'
import { assertReplay, lockMarket, loginLines, startMarket, withDemoKey } from './market.ts'
import { assertPorts, folderError, startErrorMessage } from './start-error.ts'

const ENVIRONMENTS = {
  sim: '모의 거래소(sim) — 진짜 돈이 아닙니다',
  paper: '모의투자(paper)',
  real: '실전(real) — 진짜 돈입니다',
}

/** Orders on the wire have their reply or their time-out by then, ms. */
const SHUTDOWN_TIMEOUT_MS = 20_000
/** One Ctrl-C may arrive twice, from the terminal and from npm; a person who presses again does so later, ms. */
const SAME_SIGNAL_MS = 2_000

// Only the owner may read what it writes: books, keys, the pretend exchange's state.
process.umask(0o077)
// Node would open its inspector, with every key in it, for whoever may send signals. A listener takes its place.
process.on('SIGUSR1', () => undefined)
const config = configOrExit(process.env)
const log = createLogger(config.LOG_LEVEL)
const print = (line: string): void => void process.stdout.write(`${line}\n`)

let sim: Sim | null = null
let server: DiggerServer | null = null
let unlockMarket: (() => Promise<void>) | null = null
let endingSince: number | null = null

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, requestStop)
// The state in memory is not to be trusted any more; the journal and the broker are. The process starts anew.
process.on(
  'uncaughtException',
  (error) => void end(1, `예상하지 못한 오류로 멈춥니다: ${error.stack ?? error.message}`),
)

try {
  print(`Digger를 시작합니다. 환경: ${ENVIRONMENTS[config.KIS_ENV]}`)
  warningsOf(config).forEach(print)
  server = await start(config)
  const address = await server.listen()
  void server.database.failed.then(databaseLost)
  print(`\n  ${address} 에서 열립니다.\n`)
} catch (error) {
  await end(1, startErrorMessage(error))
}

async function start(given: Config): Promise<DiggerServer> {
  const ownMarket = given.KIS_ENV === 'sim' && given.KIS_REST_URL === undefined
  try {
    mkdirSync(given.DATA_DIR, { recursive: true, mode: 0o700 })
    if (ownMarket) unlockMarket = await lockMarket(given)
  } catch (error) {
    throw folderError(given.DATA_DIR, error)
  }
  await assertPorts(given, ownMarket)
  if (ownMarket) assertReplay(given)
  const whole = withDemoKey(given)
  if (ownMarket) {
    if (wantsFirstRun(whole)) {
      print('처음 실행이라 시험용 사용자와 지난 거래를 만듭니다. 30초에서 1분쯤 걸립니다.')
      await firstRun(whole, createLogger('warn'), print)
    }
    loginLines().forEach(print)
    sim = await startMarket(whole)
  }
  return createServer({ config: whole, log, ...brokerPlace(whole, sim) })
}

function brokerPlace({ KIS_ENV, KIS_REST_URL, KIS_WS_URL, SIM_HOURS, SIM_SPEED }: Config, market: Sim | null) {
  if (market !== null) {
    // The server and the broker live in the pretend exchange's time, which may run faster.
    const broker = { env: 'real', restUrl: market.url, wsUrl: market.wsUrl } as const
    const rateLimits = atSpeed(DEFAULT_LIMITS.real, SIM_SPEED)
    return { broker, hours: SIM_HOURS, clock: market.clock, rateLimits }
  }
  // A pretend broker speaks the wire of the real one; one that runs by itself keeps the time of day.
  const env = KIS_ENV === 'paper' ? 'paper' : 'real'
  const { rest, ws } = KIS_HOSTS[env]
  return {
    broker: { env, restUrl: KIS_REST_URL ?? rest, wsUrl: KIS_WS_URL ?? ws },
    hours: KIS_ENV === 'sim' ? SIM_HOURS : 'krx',
  } as const
}

function requestStop(): void {
  if (endingSince === null) void end(0, '멈추는 중입니다. 나가 있는 주문의 결과를 기다립니다.')
  else if (performance.now() - endingSince > SAME_SIGNAL_MS) process.exit(1)
}

/** Nothing can be recorded any more, so there is nothing to wait for: what is on its way is found again at the next start. */
function databaseLost({ message }: Error): void {
  if (endingSince !== null) return
  process.stderr.write(`데이터베이스를 잃어 멈춥니다: ${message}\n`)
  process.exit(1)
}

async function end(code: number, message: string): Promise<void> {
  if (endingSince !== null) return
  endingSince = performance.now()
  ;(code === 0 ? process.stdout : process.stderr).write(`${message}\n`)
  const late = setTimeout(() => process.exit(1), SHUTDOWN_TIMEOUT_MS)
  await server?.close().catch((error: unknown) => log.error({ err: error }, 'close failed'))
  await sim?.close().catch((error: unknown) => log.error({ err: error }, 'market close failed'))
  await unlockMarket?.()
  clearTimeout(late)
  process.exit(code)
}
