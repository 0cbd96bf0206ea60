import { addDays, ceilToTick, kstDay, kstInstant, weekday } from '@digger/core'
import type { Sim, Lockstep } from '@digger/kis-sim'

/** Weekdays that a demonstration begins with. */
export const HISTORY_DAYS = 20
/** How many prices a day has, half an hour apart from 09:00. */
const STEPS = 13
const STEP_MS = 30 * 60_000
/** Usual move of one step, and how strongly a price is drawn back to where it began. */
const MOVE = 0.008
const PULL = 0.05
/** The last day falls by so much a step, so that everyone holds something when the screens open. */
const LAST_FALL = 0.003

/** Lists the last weekdays before `now`, oldest first. */
export function historyDays(now: number, count: number): string[] {
  const days: string[] = []
  for (let day = addDays(kstDay(now), -1); days.length < count; day = addDays(day, -1)) {
    if (weekday(day) !== 0 && weekday(day) !== 6) days.unshift(day)
  }
  return days
}

/** Trades for some weeks with the real server and the pretend market: what the screens show later was really bought and sold. */
export async function tradeHistory(
  sim: Sim,
  lockstep: Lockstep,
  firstPrices: ReadonlyMap<string, number>,
  days: readonly string[],
  onDay: (day: number, of: number) => void,
): Promise<void> {
  const prices = new Map(firstPrices)
  const draw = generator(20260102)
  for (const [index, day] of days.entries()) {
    onDay(index + 1, days.length)
    for (let step = 0; step < STEPS; step += 1) {
      await lockstep.advanceTo(kstInstant(day, '090000') + step * STEP_MS)
      for (const [code, first] of firstPrices) {
        const last = prices.get(code) ?? first
        const drift = (MOVE * (draw() + draw() + draw() - 1.5)) / 0.5 + PULL * (first / last - 1)
        const fall = index === days.length - 1 ? LAST_FALL : 0
        const price = Math.max(100, last * (1 + drift - fall))
        prices.set(code, price)
      }
      await trade(sim, lockstep, prices)
      await lockstep.tick()
    }
  }
}

/**
 * Prices are reached, the server decides; then the market trades there once more, so that what it placed can fill. All
 * stocks of a moment go together: one wait instead of one for each.
 */
async function trade(sim: Sim, lockstep: Lockstep, prices: ReadonlyMap<string, number>): Promise<void> {
  const set = (code: string, price: number): void => {
    const { kind } = sim.broker.exchange.issue(code).listing
    sim.setPrice(code, ceilToTick(Math.round(price), kind))
  }
  for (const [code, price] of prices) set(code, price)
  await lockstep.follow()
  for (const [code, price] of prices) {
    if (sim.broker.exchange.issue(code).books.KRX.side('buy').length > 0) set(code, price)
  }
  await lockstep.follow()
}

/** Mulberry32: small, seeded, good enough for a demonstration. Gives 0 ≤ x < 1. */
export function generator(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
