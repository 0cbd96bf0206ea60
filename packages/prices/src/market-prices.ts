import type { Clock, Db } from '@digger/database'
import type { Timetables } from './timetable.ts'
import type { MarketObserver } from './observer.ts'
import { Announcements } from './announcements.ts'
import { judgeBy } from './base-move.ts'
import { ClosingPrices } from './closing-prices.ts'
import { AllPrices } from './all-prices.ts'
import { IssueStatuses } from './issue-statuses.ts'
import { Prices } from './prices.ts'

/** What is known of the market by all accounts. */
interface Market {
  readonly prices: AllPrices
  readonly closings: ClosingPrices
  readonly announcements: Announcements
}

/** Prices of now, judged by the closes that are kept. */
export function marketPrices(
  observer: MarketObserver,
  db: Db,
  { timetables, clock }: { readonly timetables: Timetables; readonly clock: Clock },
): Market {
  const closings = new ClosingPrices(db)
  const announcements = new Announcements()
  const judge = judgeBy({ closings, announcements, timetables, clock })
  const statusesFor = (marked: (code: string) => void): IssueStatuses =>
    new IssueStatuses({
      clock,
      timetable: () => timetables.current,
      changed: (code) => {
        marked(code)
        observer.statusesChanged(code)
      },
    })
  return { closings, announcements, prices: new AllPrices(() => new Prices(observer, clock, judge), statusesFor) }
}
