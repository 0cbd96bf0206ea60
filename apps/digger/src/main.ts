import { configOrExit } from '@digger/config'
import { createLogger } from '@digger/server'
import { END_MS, startRole } from './role.ts'
import { startErrorMessage } from './start-error.ts'

const ENVIRONMENTS = {
  sim: '모의 거래소(sim) — 진짜 돈이 아닙니다',
  paper: '모의투자(paper)',
  real: '실전(real) — 진짜 돈입니다',
}

/** One Ctrl-C may arrive twice, from the terminal and from npm; a person who presses again does so later, ms. */
const SAME_SIGNAL_MS = 2_000

// Only the owner may read what it writes: books, keys, the pretend exchange's state.
process.umask(0o077)
// Node would open its inspector, with every key in it, for whoever may send signals. A listener takes its place.
process.on('SIGUSR1', () => undefined)
const config = configOrExit(process.env)
const log = createLogger(config.LOG_LEVEL)
const print = (line: string): void => void process.stdout.write(`${line}\n`)

const ends: (() => Promise<void>)[] = []
let endingSince: number | null = null

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, requestStop)
// The state in memory is not to be trusted any more; the journal and the broker are. The process starts anew.
process.on('uncaughtException', (error) => {
  const message = `예상하지 못한 오류로 멈춥니다: ${error.stack ?? error.message}`
  // Others have a worker's accounts within a second, and none is to be handed over as in order.
  if (config.DIGGER_ROLE === 'worker') {
    process.stderr.write(`${message}\n`)
    process.exit(1)
  }
  void end(1, message)
})

try {
  print(`Digger를 시작합니다. 환경: ${ENVIRONMENTS[config.KIS_ENV]}`)
  const { address, databaseLost } = await startRole({ config, log, print, ends })
  void databaseLost?.then(endAtOnce)
  if (address !== null) print(`\n  ${address} 에서 열립니다.\n`)
} catch (error) {
  await end(1, startErrorMessage(error))
}

function requestStop(): void {
  if (endingSince === null) void end(0, '멈추는 중입니다. 나가 있는 주문의 결과를 기다립니다.')
  else if (performance.now() - endingSince > SAME_SIGNAL_MS) process.exit(1)
}

/** Nothing can be recorded any more, so there is nothing to wait for: what is on its way is found again at the next start. */
function endAtOnce({ message }: Error): void {
  if (endingSince !== null) return
  process.stderr.write(`데이터베이스를 잃어 멈춥니다: ${message}\n`)
  process.exit(1)
}

async function end(code: number, message: string): Promise<void> {
  if (endingSince !== null) return
  endingSince = performance.now()
  ;(code === 0 ? process.stdout : process.stderr).write(`${message}\n`)
  const late = setTimeout(() => process.exit(1), END_MS[config.DIGGER_ROLE])
  for (const close of ends.toReversed())
    await close().catch((error: unknown) => log.error({ err: error }, 'close failed'))
  clearTimeout(late)
  process.exit(code)
}
