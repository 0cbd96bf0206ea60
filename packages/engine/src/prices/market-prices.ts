import type { Clock, Db } from '@digger/database'
import type { Timetables } from '../broker/timetable.ts'
import type { AccountsObserver } from '../observer.ts'
import { judgeBy } from './base-move.ts'
import { ClosingPrices } from './closing-prices.ts'
import { Prices } from './prices.ts'

/** Prices of now, judged by the closes that are kept. */
export function marketPrices(
  observer: Pick<Required<AccountsObserver>, 'priceChanged'>,
  db: Db,
  { timetables, clock }: { readonly timetables: Timetables; readonly clock: Clock },
): { readonly prices: Prices; readonly closings: ClosingPrices } {
  const closings = new ClosingPrices(db)
  return { closings, prices: new Prices(observer, clock, judgeBy(closings, timetables, clock)) }
}
