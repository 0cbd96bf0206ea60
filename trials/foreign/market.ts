import { kstDay, kstInstant, kstMidnight, tickAbove, tickBelow } from '@digger/core'
import type { KisCredentials } from '@digger/kis'
import { demoCredentials, startSim, UNIVERSE, type Listing, type Sim } from '@digger/kis-sim'

/** The stock every client trades. */
const CODE = '005930'
/** Won. KIS's collections order at the prices of 2022: 55,000 for this one, 2,500 for the other. */
const BASE = 60_000
const HARIM: Listing = { code: '136480', name: '하림', market: 'KOSDAQ', kind: 'stock', nxt: false, base: 2_600 }

const PAIRS = 10
const MINUTE_MS = 60_000
const TRADE_EVERY_MS = 250

/** Keys of one customer in both of the broker's worlds. */
export interface Customer {
  readonly real: KisCredentials
  readonly paper: KisCredentials
}

export const customer = (n: number): Customer => ({ real: demoCredentials(n), paper: demoCredentials(PAIRS + n) })

/**
 * A market that has traded since nine, or since shortly after midnight, and goes on trading. Frames and notices are those
 * of before 2026-09-14 and calls are not counted: the clients were written for the one, and the other is not what is
 * looked at here.
 */
export async function startMarket(): Promise<{ readonly sim: Sim; readonly close: () => Promise<void> }> {
  const now = Date.now()
  const nine = kstInstant(kstDay(now), '090000')
  const start = nine + MINUTE_MS < now ? nine : kstMidnight(kstDay(now)) + 5 * MINUTE_MS
  const sim = await startSim({
    port: 0,
    hours: 'always',
    clock: { mode: 'manual', start: Math.min(start, now) },
    walk: 'off',
    wire: 'legacy',
    noticeFields: 23,
    limits: 'off',
    universe: [...UNIVERSE.map((one) => (one.code === CODE ? { ...one, base: BASE } : one)), HARIM],
    accounts: Array.from({ length: PAIRS }, (_, n) => [
      { credentials: customer(n).real },
      { credentials: customer(n).paper, env: 'paper' as const },
    ]).flat(),
  })
  let trades = 0
  const trade = (): void => {
    const last = sim.price(CODE)
    trades += 1
    sim.setPrice(CODE, trades % 2 === 0 ? tickBelow(last, 'stock') : tickAbove(last, 'stock'), { count: 10 })
  }
  while (sim.clock.now() + MINUTE_MS < now) {
    trade()
    await sim.clock.advance(MINUTE_MS)
  }
  sim.clock.resume()
  const timer = setInterval(trade, TRADE_EVERY_MS)
  const close = (): Promise<void> => {
    clearInterval(timer)
    return sim.close()
  }
  return { sim, close }
}
