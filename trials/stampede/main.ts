/**
 * `npm run prove -- stampede [--users 30] [--stocks 40] [--rate 18] [--postgres]`: the whole market falls three percent in a minute, everybody's
 * ladders want to buy, and the pretend broker keeps to its limits: `rate` calls a second, the ledger one. Says how long
 * due orders waited and how old fills were when booked. Real time, some four minutes. With `--postgres` the books lie in a
 * PostgreSQL of this machine instead of the embedded one.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { BrokerControl } from '../crash/broker-control.ts'
import { startMarket } from './market-process.ts'
import { measureOutcome, recordHealth } from './outcome.ts'
import { signUpTraders, waitUntilReady } from './people.ts'
import { problemsOf, reportLines, stepMs } from './report.ts'
import { startTrialServer } from './trial-server.ts'

const { values } = parseArgs({
  options: {
    users: { type: 'string', default: '30' },
    stocks: { type: 'string', default: '40' },
    rate: { type: 'string', default: '18' },
    postgres: { type: 'boolean', default: false },
  },
})
const [users, stocks, rate] = [Number(values.users), Number(values.stocks), Number(values.rate)]
const FALL_MS = 60_000
/** The run goes on so long after the last price, for what is due by then. */
const TAIL_MS = 45_000

const print = (line: string): void => void process.stdout.write(`${line}\n`)
const market = await startMarket(users, stocks, rate)
const { url, listingMs, listings } = market.address
const trial = await startTrialServer(market.address, values.postgres)
const { server, logged } = trial
const traders = await signUpTraders(server, users, listings)
print(`${users} users with ${stocks} stocks each, ${rate} calls a second, ledger one`)

await waitUntilReady(server, traders, stocks)
// The morning's prices and limits are asked for one by one.
await delay(stepMs(stocks, rate) + 5_000)
market.fall()
const health = await recordHealth(server, FALL_MS + TAIL_MS)
const { path, traffic } = await market.result()

const outcome = await measureOutcome(server, traders, new BrokerControl(url), market.address, path)
reportLines(outcome, { stocks, rate, listingMs, health, traffic, logged }).forEach(print)
const problems = problemsOf(outcome, rate)
for (const problem of problems.slice(0, 20)) print(`PROBLEM ${problem}`)
print(problems.length === 0 ? 'every due order out, every fill booked in time' : `${problems.length} problems`)
await trial.close()
await market.close()
process.exitCode = problems.length === 0 ? 0 : 1
