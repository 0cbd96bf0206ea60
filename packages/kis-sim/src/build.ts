import { kstDay } from '@digger/core'
import { Visibility, type Broker } from './broker/broker.ts'
import { demoAccounts } from './broker/credentials.ts'
import { calendarOf, candlesOf, listingsOf, settlementDay } from './broker/market-setup.ts'
import type { SimOptions } from './broker/options.ts'
import { DEFAULT_ASSUMPTIONS, MEASURED_LATENCY, NO_LATENCY, type Latency } from './broker/assumptions.ts'
import { Owners } from './broker/owners.ts'
import { expireOldOrders, restoreOrders } from './broker/restore.ts'
import { Driver } from './exchange/driver.ts'
import { Exchange } from './exchange/exchange.ts'
import { Happenings } from './exchange/happenings.ts'
import { loadPrices, restorePrices, savePricesRegularly } from './exchange/price-store.ts'
import { SecondVenue } from './exchange/second-venue.ts'
import { Sessions } from './exchange/sessions.ts'
import { Faults } from './faults/faults.ts'
import { Ledger } from './ledger/ledger.ts'
import { createClock } from './runtime/clock.ts'
import { Dice } from './runtime/random.ts'

const DEFAULT_SEED = 1
const DEFAULT_LEVEL_WON = 100_000_000

/** Puts a market together. Nothing moves and nobody can connect before `start`. */
export function buildBroker(options: SimOptions): { broker: Broker; start: () => void } {
  const clock = createClock(options.clock ?? { mode: 'real' })
  const saved = options.stateDir === undefined ? null : loadPrices(options.stateDir)
  const firstDay = saved?.firstDay ?? kstDay(clock.now())
  const candles = candlesOf(options)
  const { hours, replay } = calendarOf(options, candles, firstDay)
  const broker = assemble(options, { clock, firstDay, hours, listings: listingsOf(options, candles) })
  const { exchange, ledger } = broker
  const walk = options.walk ?? (clock.moving ? {} : 'off')
  const driver = new Driver(exchange, walk === 'off' ? null : walk, replay)
  const start = (): void => {
    if (saved) restorePrices(exchange, saved)
    for (const account of options.accounts ?? demoAccounts(10)) ledger.open(clock.now(), account)
    expireOldOrders(broker)
    broker.happenings.start()
    new Sessions(exchange, driver.auctionPrice, driver.baseOf).start()
    restoreOrders(broker)
    driver.start()
    if (broker.assumptions.phone === 'ordinary') new Owners(broker).start()
    if (options.stateDir !== undefined) savePricesRegularly(options.stateDir, exchange, firstDay, clock)
  }
  return { broker, start }
}

interface Market extends Pick<Broker, 'clock' | 'firstDay' | 'hours'> {
  readonly listings: Exchange['options']['listings']
}

function assemble(options: SimOptions, { clock, firstDay, hours, listings }: Market): Broker {
  const seed = options.seed ?? DEFAULT_SEED
  const faults = new Faults(seed)
  const dice = new Dice(seed, 'delays')
  const latency = latencyOf(options)
  const assumptions = { ...DEFAULT_ASSUMPTIONS, ...options.assumptions }
  const timeScale = (): number => (options.brokerTime === 'market' ? Math.min(1, clock.speed) : clock.speed)
  const ledger = new Ledger({
    balanceLag: (account) => (dice.within(latency.balance) + faults.lag('balanceLag', account)) * timeScale(),
    stateDir: options.stateDir ?? null,
    settles: (day) => settlementDay(day, hours),
    assumptions,
  })
  const exchange = new Exchange({
    clock,
    ledger,
    hours,
    seed,
    listings,
    levelWon: options.levelWon ?? DEFAULT_LEVEL_WON,
    assumptions,
    delay: () => dice.within(latency.exchange) * timeScale(),
    rejects: (order) => order.change === null && faults.rejectsLater(order.account),
  })
  if (assumptions.venuePrices === 'own') exchange.listen(new SecondVenue(exchange))
  return {
    clock,
    seed,
    firstDay,
    exchange,
    happenings: new Happenings(exchange, options.happenings ?? [], options.stateDir ?? null),
    ledger,
    faults,
    latency,
    hours,
    dice,
    assumptions,
    limits: options.limits ?? 'enforced',
    wire: { version: options.wire ?? 'current', noticeFields: options.noticeFields ?? 26 },
    timeScale,
    visibility: new Visibility(),
    pace: options.pace ?? null,
    calls: new Map(),
  }
}

function latencyOf({ latency, clock }: SimOptions): Latency {
  const chosen = latency ?? (clock === undefined || clock.mode === 'real' ? 'measured' : 'none')
  if (chosen === 'none') return NO_LATENCY
  return chosen === 'measured' ? MEASURED_LATENCY : { ...NO_LATENCY, ...chosen }
}
