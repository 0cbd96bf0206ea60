import { sql } from 'kysely'
import { addDays, type Book, grouped, kstDay, mattersOf, type Timetable, tradingHours, won } from '@digger/core'
import type { Clock, Db } from '@digger/database'
import { type NewNotification, notify } from '../outbox/notify.ts'
import { gainText } from '../rules/fills.ts'

/** After the account's last session, ms: the broker's list of the day is read by then. */
const AFTER_MS = 30 * 60_000
/** Somebody who starts the server the next morning is not told of yesterday any more, ms. */
const UNTIL_MS = 9 * 3_600_000

/** The day that an account's summary is due for; null: none now. */
export function daySummedUp(book: Book, now: number, timetable: Timetable): string | null {
  const today = kstDay(now)
  for (const day of [today, addDays(today, -1)]) {
    const hours = tradingHours(book, day, timetable)
    if (hours === null) continue
    const dueAt = hours[1] + AFTER_MS
    if (now >= dueAt && now < dueAt + UNTIL_MS) return day
  }
  return null
}

interface DaySums {
  readonly userId: string
  readonly buys: number
  readonly bought: number
  readonly sales: number
  readonly sold: number
  readonly net: number
  readonly open: number
}

export interface DaySummaryParts {
  readonly db: Db
  /** The market's time. */
  readonly clock: Clock
  readonly timetable: () => Timetable
  readonly accounts: () => Iterable<{ readonly userId: string; readonly book: Book }>
}

/** Sums each account's day up, once. */
export class DaySummaries {
  readonly #parts: DaySummaryParts
  /** The last day each person was told of in this process: the table says so too, but is not asked each time. */
  readonly #done = new Map<string, string>()

  constructor(parts: DaySummaryParts) {
    this.#parts = parts
  }

  async look(): Promise<void> {
    const { clock, timetable, accounts, db } = this.#parts
    const now = clock.now()
    const due = [...accounts()].flatMap(({ userId, book }) => {
      const day = daySummedUp(book, now, timetable())
      return day === null || this.#done.get(userId) === day ? [] : [{ userId, day, book }]
    })
    for (const [day, some] of Map.groupBy(due, (one) => one.day)) {
      const sums = await sumsOf(
        db,
        some.map(({ userId }) => userId),
        day,
      )
      await notify(
        db,
        some.flatMap(({ userId, book }) => summaryOf(sums.get(userId), { userId, day, book, at: now })),
      )
      for (const { userId } of some) this.#done.set(userId, day)
    }
  }
}

async function sumsOf(db: Db, userIds: readonly string[], day: string): Promise<ReadonlyMap<string, DaySums>> {
  const { rows } = await sql<DaySums>`
    select u.id as "userId", b.buys, b.bought, s.sales, s.sold, s.net, o.open
    from unnest(${userIds}::text[]) as u (id)
    cross join lateral (
      select count(*) as buys, coalesce(sum(filled_amount), 0)::bigint as bought from account_order
      where user_id = u.id and day = ${day} and odno is not null and side = 'buy' and filled_count > 0) b
    cross join lateral (
      select count(*) as sales, coalesce(sum(sell_amount), 0)::bigint as sold,
        coalesce(sum(sell_amount - buy_amount - fee - tax), 0)::bigint as net from trade
      where user_id = u.id and closed and sell_day = ${day} and sell_amount is not null) s
    cross join lateral (select count(*) as open from trade where user_id = u.id and not closed) o`.execute(db)
  return new Map(rows.map((one) => [one.userId, one]))
}

/** Nothing for an account that neither traded nor was to trade. */
function summaryOf(
  sums: DaySums | undefined,
  { userId, day, book, at }: { userId: string; day: string; book: Book; at: number },
): NewNotification[] {
  if (sums === undefined) return []
  const { buys, bought, sales, sold, net, open } = sums
  if (buys + sales === 0 && !mattersOf({ book }).automatic) return []
  const date = `${Number(day.slice(4, 6))}월 ${Number(day.slice(6))}일`
  const text = `${date} 정리: 매수 ${grouped(buys)}건, 매도 ${grouped(sales)}건, 남은 매수 ${grouped(open)}건`
  const amounts = `산 금액 ${won(bought)}, 판 금액 ${won(sold)}, ${gainText(net)}`
  return [{ userId, subject: `day ${day}`, kind: 'daySummary', at, text, amounts }]
}
