import { ceilToTick, floorToTick, kstMidnight, onGrid, tickSize, type IssueKind } from '@digger/core'
import { countBefore, isCredited } from '../ledger/entitled.ts'
import type { Decisions } from '../runtime/decisions.ts'
import type { Exchange } from './exchange.ts'
import type { CorporateAction } from './happening.ts'
import type { DayBar, SimIssue } from './issue.ts'
import type { MarketAssumptions } from './market-assumptions.ts'
import type { Step } from './step.ts'
import { wholeShares } from './whole-shares.ts'

/**
 * The base of the first day of another share. KRX divides what all shares and the money that comes in are worth by the new
 * number of shares: (close + what a holder pays for the new shares of one) ÷ shares after. Which way it leaves the grid no
 * text found says.
 */
export function baseAfter(
  { ratio, paid }: Pick<CorporateAction, 'ratio' | 'paid'>,
  close: number,
  kind: IssueKind,
  assumed: Pick<Decisions<MarketAssumptions>, 'decide'>,
): number {
  const exact = (close + (ratio - 1) * paid) / ratio
  if (onGrid(exact, kind)) return exact
  const rounding = assumed.decide('baseRounding')
  if (rounding === 'down') return Math.max(1, floorToTick(exact, kind))
  if (rounding === 'up') return ceilToTick(exact, kind)
  const lower = Math.max(1, floorToTick(exact, kind))
  return exact - lower < tickSize(exact, kind) / 2 ? lower : ceilToTick(exact, kind)
}

/** Bars of before an action at prices and counts of the share of today, as charts show them when asked for adjusted prices. */
export function adjustedBars(
  bars: readonly DayBar[],
  { actions, listing }: SimIssue,
  today: string,
): readonly DayBar[] {
  let result = bars
  for (const split of listing.splits ?? []) result = before(result, split.day, 1 / split.ratio)
  for (const action of actions) {
    if (action.exDay > today) continue
    const last = result.findLast(({ day }) => day < action.exDay)
    if (last === undefined) continue
    result = before(result, action.exDay, (last.close + (action.ratio - 1) * action.paid) / action.ratio / last.close)
  }
  return result
}

/** Whether the share of some earlier day was another one. */
export const hasChanged = ({ actions, listing }: SimIssue, today: string): boolean =>
  listing.splits !== undefined || actions.some(({ exDay }) => exDay <= today)

const before = (bars: readonly DayBar[], day: string, factor: number): readonly DayBar[] =>
  bars.map((bar) => (bar.day < day ? scaled(bar, factor) : bar))

const scaled = ({ day, open, high, low, close, volume, amount }: DayBar, factor: number): DayBar => ({
  day,
  open: Math.round(open * factor),
  high: Math.round(high * factor),
  low: Math.round(low * factor),
  close: Math.round(close * factor),
  volume: Math.round(volume / factor),
  amount,
})

/** After midnight, when the base of the day is known, ms. */
const CREDITED_MS = 60_000

/**
 * The share becomes another one on `exDay`, and the accounts of those who held it then change on `creditDay`: the same day of
 * a split, weeks later of new shares. Parts of a share are paid out at the price of the day.
 */
export function corporateAction(exchange: Exchange, action: CorporateAction): Step[] {
  const issue = exchange.issue(action.code)
  const { code, exDay, creditDay, ratio, paid } = action
  if (creditDay < exDay) throw new RangeError('shares are credited on the ex-day or later')
  const { ledger, clock } = exchange.options
  const credit = (): void => {
    for (const account of ledger.accounts.values()) {
      const held = countBefore(account, code, exDay)
      if (held === 0 || isCredited(account, code, exDay)) continue
      const { count, part } = wholeShares(held * (ratio - 1))
      const fraction = Math.floor(part * issue.base)
      const cost = count > 0 ? count * paid : 0
      ledger.creditShares(clock.now(), account, { code, exDay, count, cost, won: fraction - cost })
    }
  }
  return [
    { at: 0, run: () => void issue.actions.push(action) },
    { at: kstMidnight(creditDay) + CREDITED_MS, run: credit },
  ]
}
