import { kstDay } from '@digger/core'
import { assemble } from './assemble.ts'
import { DEFAULT_ASSUMPTIONS } from './broker/assumptions.ts'
import type { Broker } from './broker/broker.ts'
import { demoAccounts } from './broker/credentials.ts'
import { calendarOf, candlesOf, listingsOf } from './broker/market-setup.ts'
import type { SimOptions } from './broker/options.ts'
import { Owners } from './broker/owners.ts'
import { expireOldOrders, restoreOrders } from './broker/restore.ts'
import { Driver } from './exchange/driver.ts'
import { loadPrices, restorePrices, savePricesRegularly } from './exchange/price-store.ts'
import { Sessions } from './exchange/sessions.ts'
import { createClock } from './runtime/clock.ts'
import { Decisions } from './runtime/decisions.ts'

/** Puts a market together. Nothing moves and nobody can connect before `start`. */
export function buildBroker(options: SimOptions): { broker: Broker; start: () => void } {
  const clock = createClock(options.clock ?? { mode: 'real' })
  const saved = options.stateDir === undefined ? null : loadPrices(options.stateDir)
  const firstDay = saved?.firstDay ?? kstDay(clock.now())
  const candles = candlesOf(options)
  const { hours, replay } = calendarOf(options, candles, firstDay)
  const assumed = new Decisions({ ...DEFAULT_ASSUMPTIONS, ...options.assumptions })
  const broker = assemble(options, { clock, firstDay, hours, assumed, listings: listingsOf(options, candles) })
  const { exchange, ledger } = broker
  const walk = options.walk ?? (clock.moving ? {} : 'off')
  const driver = new Driver(exchange, walk === 'off' ? null : walk, replay)
  const start = (): void => {
    if (saved) restorePrices(exchange, saved)
    for (const account of options.accounts ?? demoAccounts(12)) ledger.open(clock.now(), account)
    expireOldOrders(broker)
    broker.happenings.start()
    new Sessions(exchange, driver.auctionPrice, driver.baseOf).start()
    restoreOrders(broker)
    driver.start()
    if (broker.assumed.answers.phone === 'ordinary') new Owners(broker).start()
    if (options.stateDir !== undefined) savePricesRegularly(options.stateDir, exchange, firstDay, clock)
  }
  return { broker, start }
}
