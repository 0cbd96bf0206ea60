import { kstDay, kstInstant } from '@digger/core'
import type { Clock } from '@digger/database'
import { demoCredentials, type Candle, type Listing, type OneByOne, type Sim, type SimOptions } from '@digger/kis-sim'
import { NEVER_MS } from '@digger/app'
import type { ReplayPlan } from './plan.ts'

export const daysOf = ({ candles }: ReplayPlan): string[] => [...new Set(candles.map(({ day }) => day))].sort()

/** The pretend exchange and broker of a plan; its time stands until it is moved. */
export const marketOf = (plan: ReplayPlan, calls: OneByOne): SimOptions => ({
  port: 0,
  seed: plan.seed,
  hours: 'krx',
  clock: { mode: 'manual', start: kstInstant(daysOf(plan)[0] ?? '', '080000') },
  // The record has one price per stock: both exchanges trade it at that.
  universe: [...listingsOnNxt(plan), ...(plan.listings ?? [])],
  replay: { candles: plan.candles, codes: codesOf(plan.candles), steps: plan.steps },
  walk: 'off',
  limits: 'off',
  latency: 'none',
  accounts: [{ credentials: demoCredentials(0), cash: plan.cash }, ...(plan.strangers ?? [])],
  ...(plan.rowsPerPage === undefined ? {} : { rowsPerPage: plan.rowsPerPage }),
  assumptions: { pingPongMs: [NEVER_MS, NEVER_MS], ...plan.assumptions },
  ...(plan.happenings === undefined ? {} : { happenings: plan.happenings }),
  pace: calls,
})

/** The server's, which may be ahead of the broker's. */
export function clockOf({ clock }: Sim, { clockAheadMs = 0 }: ReplayPlan): Clock {
  return clockAheadMs === 0
    ? clock
    : { now: () => clock.now() + clockAheadMs, after: (ms, run) => clock.after(ms, run) }
}

/** Every other stock of the record is listed on KRX only. */
function listingsOnNxt({ candles, onNxt = [] }: ReplayPlan): Listing[] {
  return onNxt.map((code) => {
    const first = candles.find((candle) => candle.code === code)
    const { name = code, open = 0 } = first ?? {}
    return { code, name, market: 'KOSPI', kind: 'stock', nxt: true, base: open }
  })
}

export const codesOf = (candles: readonly Candle[]): string[] =>
  [...new Set(candles.map((candle) => candle.code))].sort()

/** Later than a phase takes orders after its beginning, and sooner than a recorded day moves on, ms. */
const SECOND_OPEN_MS = 6_000

/** Lets each opening price trade once more, if the plan asks for it. */
export function openTwice(sim: Sim, { openTwice: isWanted = false }: ReplayPlan): void {
  if (!isWanted) return
  const opened = new Map<string, string>()
  sim.broker.exchange.listen({
    printed: ({ listing: { code } }, venue, { price, at, count }) => {
      if (venue !== 'KRX' || opened.get(code) === kstDay(at)) return
      opened.set(code, kstDay(at))
      sim.clock.after(SECOND_OPEN_MS, () => sim.setPrice(code, price, { count, aggressor: 'sell' }))
    },
  })
}

/** How many trades there were from now on; the plan sees each of them. */
export function tickCounter({ broker: { exchange } }: Sim, { onPrint }: ReplayPlan): () => number {
  let ticks = 0
  exchange.listen({
    printed: ({ listing: { code }, tapes }, venue, { price, at }) => {
      ticks += 1
      onPrint?.({ code, venue, price, otherPrice: tapes[venue === 'KRX' ? 'NXT' : 'KRX'].last, at })
    },
  })
  return () => ticks
}
