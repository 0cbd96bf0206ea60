import { addDays, isTradingDay, kstDay, type Market, type Timetable } from '@digger/core'
import { createClock } from './runtime/clock.ts'
import { demoCredentials } from './broker/credentials.ts'
import { Driver, type Replay } from './exchange/driver.ts'
import { Exchange } from './exchange/exchange.ts'
import type { Candle } from './exchange/replay.ts'
import { replayCalendar } from './exchange/replay-calendar.ts'
import { Sessions } from './exchange/sessions.ts'
import { DEFAULT_WALK } from './exchange/walk.ts'
import { Faults } from './faults/faults.ts'
import type { SimAccount } from './ledger/facts.ts'
import { Ledger } from './ledger/ledger.ts'
import type { SimOptions } from './broker/options.ts'
import { savePricesRegularly, loadPrices, restorePrices } from './exchange/price-store.ts'
import { LIKELY_ANSWERS, MEASURED_LATENCY, NO_LATENCY, type Latency } from './broker/questions.ts'
import { Dice } from './runtime/random.ts'
import { readCandles } from './exchange/replay-file.ts'
import { UNIVERSE, type Listing } from './exchange/universe.ts'
import { Visibility, type Broker } from './broker/broker.ts'

export const DEFAULT_SEED = 1
const DEFAULT_STEPS = 400
const DEFAULT_LEVEL_WON = 100_000_000

export const demoAccounts = (count: number): SimAccount[] =>
  Array.from({ length: count }, (_, n) => ({ credentials: demoCredentials(n) }))

/** Puts a market together. Nothing moves and nobody can connect yet. */
export function buildBroker(options: SimOptions): { broker: Broker; start: () => void } {
  const seed = options.seed ?? DEFAULT_SEED
  const clock = createClock(options.clock ?? { mode: 'real' })
  const saved = options.stateDir === undefined ? null : loadPrices(options.stateDir)
  const firstDay = saved?.firstDay ?? kstDay(clock.now())
  const candles = candlesOf(options)
  const { timetable, replay } = calendarOf(options, candles, firstDay)
  const faults = new Faults(seed)
  const dice = new Dice(seed, 'delays')
  const latency = latencyOf(options)
  const questions = { ...LIKELY_ANSWERS, ...options.questions }
  const stateDir = options.stateDir ?? null
  const timeScale = (): number => (options.brokerTime === 'market' ? Math.min(1, clock.speed) : clock.speed)
  const balanceLag = (account: string): number =>
    (dice.within(latency.balance) + faults.lag('balanceLag', account)) * timeScale()
  const ledger = new Ledger({ balanceLag, stateDir, settles: (day) => settlementDay(day, timetable) })
  const exchange = new Exchange({
    clock,
    ledger,
    timetable,
    seed,
    listings: listingsOf(options, candles),
    levelWon: options.levelWon ?? DEFAULT_LEVEL_WON,
    sorAfterMarket: questions.sorAfterMarket,
    delay: () => dice.within(latency.exchange) * timeScale(),
    rejects: (order) => order.change === null && faults.rejectsLater(order.account),
  })
  const broker: Broker = {
    clock,
    seed,
    firstDay,
    exchange,
    ledger,
    faults,
    latency,
    timetable,
    dice,
    questions,
    limits: options.limits ?? 'enforced',
    wire: { version: options.wire ?? 'current', noticeFields: options.noticeFields ?? 26 },
    timeScale,
    visibility: new Visibility(),
    pace: options.pace ?? null,
    calls: new Map(),
  }
  const walk = options.walk ?? (clock.moving ? {} : 'off')
  const driver = new Driver(exchange, walk === 'off' ? null : { ...DEFAULT_WALK, ...walk }, replay)
  const start = (): void => {
    if (saved) restorePrices(exchange, saved)
    for (const account of options.accounts ?? demoAccounts(10)) ledger.open(clock.now(), account)
    dropOld(broker)
    new Sessions(exchange, driver.auctionPrice, driver.baseOf).start()
    restoreOrders(broker)
    driver.start()
    if (stateDir !== null) savePricesRegularly(stateDir, exchange, firstDay, clock)
  }
  return { broker, start }
}

function latencyOf({ latency, clock }: SimOptions): Latency {
  const chosen = latency ?? (clock === undefined || clock.mode === 'real' ? 'measured' : 'none')
  if (chosen === 'none') return NO_LATENCY
  return chosen === 'measured' ? MEASURED_LATENCY : { ...NO_LATENCY, ...chosen }
}

function candlesOf({ replay, universe = UNIVERSE }: SimOptions): readonly Candle[] {
  if (!replay) return []
  const codes = new Set(replay.codes ?? universe.map((listing) => listing.code))
  if (replay.file !== undefined) return readCandles(replay.file, codes)
  return (replay.candles ?? []).filter((candle) => codes.has(candle.code))
}

/** The universe, and recorded codes that are not in it. */
function listingsOf({ universe = UNIVERSE }: SimOptions, candles: readonly Candle[]): readonly Listing[] {
  const known = new Set(universe.map((listing) => listing.code))
  const more = new Map<string, Listing>()
  for (const { code, name, market, open, close } of candles) {
    if (known.has(code) || more.has(code)) continue
    more.set(code, { code, name, market: marketOf(market), kind: 'stock', nxt: false, base: open || close })
  }
  return [...universe, ...more.values()]
}

/** The record also knows `KOSDAQ GLOBAL`. */
const marketOf = (name: string): Market => (name.startsWith('KOSDAQ') ? 'KOSDAQ' : name === 'KONEX' ? 'KONEX' : 'KOSPI')

function calendarOf(
  options: SimOptions,
  candles: readonly Candle[],
  firstDay: string,
): { timetable: Timetable; replay: Replay | null } {
  const { closed = [], shiftMinutes = {} } = options.calendar ?? {}
  const plain: Timetable = {
    hours: options.hours ?? 'krx',
    closed: new Set(closed),
    shiftMinutes: new Map(Object.entries(shiftMinutes)),
  }
  if (candles.length === 0) return { timetable: plain, replay: null }
  const calendar = replayCalendar(candles, firstDay, plain)
  const timetable = { ...plain, closed: new Set([...closed, ...calendar.closed]) }
  return { timetable, replay: { candles, calendar, steps: options.replay?.steps ?? DEFAULT_STEPS } }
}

/** Two business days after the trade. */
function settlementDay(day: string, timetable: Timetable): string {
  let due = day
  for (let n = 0; n < 2; n++) {
    do due = addDays(due, 1)
    while (!isTradingDay(due, timetable))
  }
  return due
}

/** Orders of an earlier day that a stopped process never saw end. */
function dropOld({ ledger, clock }: Broker): void {
  const today = kstDay(clock.now())
  for (const account of ledger.accounts.values()) {
    for (const order of account.live) {
      if (order.day !== today) ledger.reduce(clock.now(), order, order.remaining, 'expired')
    }
  }
}

/** Orders and changes the exchange had, or was about to get, when the process stopped. */
function restoreOrders({ ledger, exchange, clock }: Broker): void {
  for (const account of ledger.accounts.values()) {
    for (const order of account.orders) {
      const unsettled = order.change !== null && !order.settled && order.day === ledger.day
      if (order.remaining === 0 && !unsettled) continue
      const phase = exchange.phaseOf(exchange.issue(order.code), order.routed).name
      if (phase !== 'closed' && phase !== 'postClose') exchange.restore(order)
      else
        ledger.reduce(
          clock.now(),
          order,
          Math.max(order.remaining, unsettled ? order.count : 0),
          unsettled ? 'rejected' : 'expired',
        )
    }
  }
}
