import { kstMidnight } from '@digger/core'
import { isCredited } from '../ledger/entitled.ts'
import type { Exchange } from './exchange.ts'
import type { HappeningOf } from './happening.ts'
import { STOPPED } from './interruption.ts'
import type { Step } from './step.ts'
import { wholeShares } from './whole-shares.ts'

/** After midnight, when the base of the day is known, ms. */
const CREDITED_MS = 60_000

/**
 * One share goes into another: it stands still from `stopsOn` on, and on `day` nobody lists it any more and its holders have the
 * other one at what theirs had cost. Parts of a share are paid out at the price of the day.
 */
export function merged(exchange: Exchange, happening: HappeningOf<'merged'>): Step[] {
  const { code, into, stopsOn, day, ratio } = happening
  const [gone, successor] = [exchange.issue(code), exchange.issue(into)]
  if (code === into || day < stopsOn)
    throw new RangeError('a share goes into another one, after its trading has stopped')
  const { ledger, clock } = exchange.options
  const stop = (live: boolean): void => {
    gone.status.halts.add(happening)
    if (live) exchange.operation(gone, STOPPED)
  }
  const convert = (): void => {
    for (const account of ledger.accounts.values()) {
      const held = account.truth.count(code)
      if (held === 0 || isCredited(account, into, day)) continue
      const { count, part } = wholeShares(held * ratio)
      const cost = account.truth.costOf(code, held)
      const won = Math.floor(part * successor.base)
      ledger.creditShares(clock.now(), account, { code, exDay: day, count: -held, cost: -cost, won: 0 })
      ledger.creditShares(clock.now(), account, { code: into, exDay: day, count, cost, won })
    }
  }
  return [
    { at: kstMidnight(stopsOn), run: stop },
    { at: kstMidnight(day), run: () => void (gone.status.delisted = true) },
    { at: kstMidnight(day) + CREDITED_MS, run: convert },
  ]
}
