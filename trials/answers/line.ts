import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { floorToTick } from '@digger/core'
import { signUp } from '@digger/app'
import { demoCredentials, startSim, type Sim } from '@digger/kis-sim'
import { readConfig } from '@digger/config'
import { createLogger, createServer, type DiggerServer } from '@digger/server'
import { compared } from '../replay/compared.ts'
import { stoppedStocks } from '../replay/life.ts'
import { DEFAULT_SETTINGS, ladderOf } from '../replay/settings.ts'
import { otherLine } from './other-line.ts'
import { chosen, questions, QUESTIONS, type Assumptions, type QuestionName } from './questions.ts'

/** What became of a short fall and rise in time that runs, under one answer of the line. */
export interface LineRow {
  readonly name: string
  readonly asked: number
  readonly trades: number
  /** The longest that anything due was waited for, s. */
  readonly slowest: number
  readonly faults: readonly string[]
}

const CODES = ['005930', '000660', '035420']
const STEPS = 4
/** A token may be had once a minute; everything else is a matter of seconds. */
const DUE_TIMEOUT_MS = 100_000
const CASH = 100_000_000
/** One lot a step, for every stock. */
const TRADES = CODES.length * STEPS * 2

interface Running {
  readonly sim: Sim
  readonly server: DiggerServer
  readonly userId: string
  readonly first: ReadonlyMap<string, number>
}

/** Moves all prices to a share of their first ones, again each second, until what is due is there. Returns how long it took, s. */
async function until({ sim, first }: Running, part: number, isThere: () => boolean): Promise<number> {
  const begun = performance.now()
  while (!isThere() && performance.now() - begun < DUE_TIMEOUT_MS) {
    for (const [code, price] of first) sim.setPrice(code, floorToTick(price * part, 'stock'))
    await sleep(500)
  }
  return (performance.now() - begun) / 1_000
}

async function fallAndRise(running: Running): Promise<number> {
  const { sim, server, userId } = running
  const { accountNumber, appKey } = demoCredentials(0)
  const lots = (): number[] => [...server.engine.book(userId).stocks.values()].map((stock) => stock.lots.length)
  const sells = (): number => sim.liveOrders(accountNumber).filter(({ side }) => side === 'sell').length
  let slowest = 0
  for (let n = 1; n <= STEPS; n += 1) {
    const isThere = (): boolean => lots().every((count) => count >= n) && sells() >= n * CODES.length
    slowest = Math.max(slowest, await until(running, 1 - 0.011 * (n - 1), isThere))
    // Within a minute of the first token.
    if (n === 1) sim.expireTokens(appKey)
    if (n === 2) sim.sockets('cut', appKey)
    if (n === 3) await otherLine(sim)
  }
  const isSold = (): boolean => lots().every((count) => count === 0)
  return Math.max(slowest, await until(running, 1.02, isSold))
}

async function lineRowOf(name: string, question: QuestionName, assumptions: Partial<Assumptions>): Promise<LineRow> {
  const dataDir = mkdtempSync(join(tmpdir(), 'digger-line-'))
  const credentials = demoCredentials(0)
  const sim = await startSim({
    port: 0,
    hours: 'always',
    walk: 'off',
    accounts: [{ credentials, cash: CASH }],
    assumptions,
  })
  const server = await createServer({
    config: readConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'error' }),
    log: createLogger('error', { write: () => undefined }),
    broker: { env: 'real', restUrl: sim.url, wsUrl: sim.wsUrl },
    hours: 'always',
  })
  try {
    const user = await signUp(server, { email: 'line@example.com', password: 'digger-line', credentials })
    const first = new Map(CODES.map((code) => [code, sim.price(code)]))
    for (const [code, price] of first) {
      const settings = ladderOf(
        { ...DEFAULT_SETTINGS, buy: -1, sell: 1, unit: Math.ceil(price * 1.5), cap: 10_000_000 },
        price,
      )
      await user.call('POST', `/api/user/stock/${code}`, settings)
    }
    const slowest = await fallAndRise({ sim, server, userId: user.userId, first })
    // The last fill shows in the balance, and its fee in the cash, some seconds later.
    await sleep(8_000)
    const found = await compared(server, user.userId, { sim, account: credentials.accountNumber, cash: CASH })
    const trades = found.book.orders.filter((order) => order.filled_count > 0).length
    const asked = sim.broker.assumed.times(question)
    const faults = [
      ...found.problems.filter((text) => !/^fill of .* booked/.test(text)),
      ...stoppedStocks(server.engine.book(user.userId)).map((text) => `stopped: ${text}`),
      ...(trades < TRADES ? [`${trades} trades of ${TRADES}`] : []),
      ...(asked === 0 && QUESTIONS[question].kept !== true
        ? [`${question} was never asked: this run proves nothing`]
        : []),
    ]
    return { name, asked, trades, slowest, faults }
  } finally {
    await server.close()
    await sim.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** Every answer to every question of the line whose name has this text, one after the other. */
export async function lineRows(only: string): Promise<LineRow[]> {
  const rows: LineRow[] = []
  for (const [name, { answers }] of questions('line')) {
    for (const answer of answers.slice(answers.length > 1 ? 1 : 0)) {
      const title = `${name}: ${JSON.stringify(answer)}`
      if (!title.includes(only)) continue
      process.stderr.write(`  ${title}\n`)
      rows.push(await lineRowOf(title, name, { ...chosen('line', 0), [name]: answer }))
    }
  }
  return rows
}

export function lineTableOf(rows: readonly LineRow[]): string {
  const width = Math.max(...rows.map(({ name }) => name.length))
  return rows
    .flatMap(({ name, asked, trades, slowest, faults }) => [
      `${name.padEnd(width)}  asked ${asked}  trades ${trades}  slowest ${slowest.toFixed(0)} s`,
      ...faults.map((fault) => `  ! ${fault}`),
    ])
    .join('\n')
}
