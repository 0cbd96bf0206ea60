import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { kstInstant, type Book as AccountBook } from '@digger/core'
import { UNLIMITED } from '@digger/kis'
import {
  demoCredentials,
  startSim,
  type Candle,
  type Listing,
  type Sim,
  type SimOptions,
  Lockstep,
  OneByOne,
} from '@digger/kis-sim'
import { verifyAccount } from '@digger/engine'
import { type DiggerServer, readConfig, createLogger, createServer } from '@digger/server'
import { type WorkDone, problemsOfIdleRun, workDone, NEVER_MS, NO_IDLE_TIMEOUT, signUp } from '@digger/app'
import { disagreements, type Book, type Truth } from '../agreement/agreement.ts'
import { bookedLate } from '../agreement/booked-late.ts'
import { readBook, readTruth } from '../agreement/book.ts'
import { tradeDay } from './day.ts'
import { missingSells, stoppedStocks } from './life.ts'
import { ladderOf, type ReplaySettings } from './settings.ts'

export interface ReplayPlan {
  /** Only candles of the wanted codes, in any order. */
  readonly candles: readonly Candle[]
  readonly settings: ReplaySettings
  readonly seed: number
  /** One day of one stock has at most so many prices. */
  readonly steps: number
  /** Cash in the account before the first day, won. */
  readonly cash: number
  /** What is assumed of the broker. Default: what is likeliest. */
  readonly assumptions?: SimOptions['assumptions']
  /** What befalls the market. Default: nothing. */
  readonly happenings?: SimOptions['happenings']
  /** Stocks that NXT trades, too; with any the owner uses every session. Default: none. */
  readonly onNxt?: readonly string[]
  /**
   * From this time on (HHMMSS) the broker refuses its list of orders until the next morning, on every day but the last: what
   * came of the day's orders is found in a list of several days.
   */
  readonly listsFailFrom?: string
  /** Default: on every day but the last. */
  readonly listsFailOn?: readonly string[]
  /** Times of the evening (HHMMSS) at which the server looks, too. Default: it sleeps from ten past the close to the morning. */
  readonly evenings?: readonly string[]
  readonly onDay?: (day: string, ticks: number) => void
  /** What the account's owner does ten minutes after each open. Default: nothing. */
  readonly owner?: (desk: Desk, day: string) => Promise<void>
  /** Opens a line of its own between server and broker. Default: none. */
  readonly line?: (brokerUrl: string) => Promise<Line>
}

/** What an owner has before him. */
export interface Desk {
  readonly sim: Sim
  readonly account: string
  book(): AccountBook
  /** One call of the product's; throws when it is refused. */
  call(method: 'GET' | 'POST' | 'PUT', url: string, payload?: object): Promise<unknown>
}

interface Line {
  readonly url: string
  readonly wsUrl: string
  close(): Promise<void>
}

export interface ReplayResult {
  readonly book: Book
  readonly names: ReadonlyMap<string, string>
  readonly days: number
  readonly ticks: number
  /** How long the trading alone took, real ms. */
  readonly ms: number
  /** Empty when book, broker and journal agree and the server logged no warning. */
  readonly problems: readonly string[]
  readonly work: WorkDone
  /** Stocks that stand still at the end, with the reason: `code: reason`. */
  readonly stopped: readonly string[]
  /** Shares that no resting order would sell ten minutes after an open, though their target lay inside the day's limits. */
  readonly missing: readonly string[]
}

/** A fill is booked within five seconds and the second between two readings, in the market's time, ms. */
const MAX_BOOKING_MS = 6_000

/**
 * The whole product over recorded days: pretend exchange and broker on real sockets, client, engine, database. Time is
 * moved by hand, so it runs as fast as the machine goes and the same plan always ends the same.
 */
export async function replay(plan: ReplayPlan): Promise<ReplayResult> {
  const dataDir = mkdtempSync(join(tmpdir(), 'digger-replay-'))
  const troubles: string[] = []
  const days = [...new Set(plan.candles.map((candle) => candle.day))].sort()
  const calls = new OneByOne()
  const sim = await startSim({
    port: 0,
    seed: plan.seed,
    hours: 'krx',
    clock: { mode: 'manual', start: kstInstant(days[0] ?? '', '080000') },
    // The record has one price per stock: both exchanges trade it at that.
    universe: listingsOnNxt(plan),
    replay: { candles: plan.candles, codes: codesOf(plan.candles), steps: plan.steps },
    walk: 'off',
    limits: 'off',
    latency: 'none',
    accounts: [{ credentials: demoCredentials(0), cash: plan.cash }],
    assumptions: { pingPongMs: [NEVER_MS, NEVER_MS], ...plan.assumptions },
    ...(plan.happenings === undefined ? {} : { happenings: plan.happenings }),
    pace: calls,
  })
  const line = await plan.line?.(sim.url)
  try {
    const server = await createServer({
      config: readConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'error' }),
      log: createLogger('warn', { write: (line) => void troubles.push(line.trim()) }),
      broker: { env: 'real', restUrl: line?.url ?? sim.url, wsUrl: line?.wsUrl ?? sim.wsUrl },
      hours: 'krx',
      clock: sim.clock,
      rateLimits: UNLIMITED,
      socketTimes: NO_IDLE_TIMEOUT,
      timerMs: NEVER_MS,
    })
    try {
      const result = await run({ sim, server, calls, days }, plan)
      return { ...result, problems: [...result.problems, ...troubles] }
    } finally {
      calls.end()
      await server.close()
    }
  } finally {
    await line?.close()
    await sim.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** The broker's text when its ledger is closed for the night's batch. */
const LISTS_CLOSED = {
  kind: 'refuse',
  endpoint: 'executions',
  code: 'APBK9999',
  text: '원장 마감 작업 중입니다.',
} as const

function failLists(sim: Sim, at: number): void {
  sim.clock.after(at - sim.clock.now(), () => void sim.faults.add(LISTS_CLOSED))
}

/** Every other stock of the record is listed on KRX only. */
function listingsOnNxt({ candles, onNxt = [] }: ReplayPlan): Listing[] {
  return onNxt.map((code) => {
    const first = candles.find((candle) => candle.code === code)
    const { name = code, open = 0 } = first ?? {}
    return { code, name, market: 'KOSPI', kind: 'stock', nxt: true, base: open }
  })
}

const codesOf = (candles: readonly Candle[]): string[] => [...new Set(candles.map((candle) => candle.code))].sort()

interface Running {
  readonly sim: Sim
  readonly server: DiggerServer
  readonly calls: OneByOne
  readonly days: readonly string[]
}

async function run({ sim, server, calls, days }: Running, plan: ReplayPlan): Promise<ReplayResult> {
  const codes = codesOf(plan.candles)
  const credentials = demoCredentials(0)
  const user = await signUp(server, { email: 'replay@example.com', password: 'digger-replay', credentials })
  if (plan.onNxt !== undefined)
    await user.call('POST', '/api/user/venues', { sor: true, preMarket: true, afterMarket: true })
  const lockstep = new Lockstep(sim, server.engine.activity, [user], calls)
  for (const code of codes) {
    const payload = ladderOf(plan.settings, sim.price(code))
    await user.call('POST', `/api/user/stock/${code}`, payload)
  }
  await lockstep.watching([codes.length])
  let ticks = 0
  const missing: string[] = []
  const account = credentials.accountNumber
  const desk: Desk = {
    sim,
    account,
    book: () => server.engine.book(user.userId),
    call: (...asked) => lockstep.during(user.call(...asked)),
  }
  const look = async (day: string): Promise<void> => {
    missing.push(...missingSells(sim, account, desk.book(), day))
    await plan.owner?.(desk, day)
  }
  sim.broker.exchange.listen({ printed: () => void (ticks += 1) })
  const before = performance.now()
  for (const day of days) {
    const isFailing = plan.listsFailOn?.includes(day) ?? day !== days.at(-1)
    if (plan.listsFailFrom !== undefined && isFailing) failLists(sim, kstInstant(day, plan.listsFailFrom))
    await tradeDay({ sim, lockstep, account, codes, look }, day)
    for (const time of plan.evenings ?? []) {
      await lockstep.advanceTo(kstInstant(day, time))
      await lockstep.tick()
    }
    sim.faults.clear()
    plan.onDay?.(day, ticks)
  }
  const ms = performance.now() - before
  const stopped = stoppedStocks(desk.book())
  const names = new Map(plan.candles.map(({ code, name }) => [code, name]))
  const found = await compared(server, user.userId, readTruth(sim, account, plan.cash))
  const problems = [...found.problems, ...problemsOfIdleRun(sim, server.engine, 1)]
  return { book: found.book, names, days: days.length, ticks, ms, problems, work: workDone(sim), stopped, missing }
}

/** The tables against the broker's truth, and against the journal. */
async function compared({ database: { db } }: DiggerServer, userId: string, truth: Truth) {
  const book = await readBook(db, userId)
  const { differences } = await verifyAccount(db, userId)
  const late = await bookedLate(db, userId, truth.events, MAX_BOOKING_MS)
  return { book, problems: [...disagreements(book, truth), ...differences, ...late] }
}
