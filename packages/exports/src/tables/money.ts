import type { Db, MoneyDayRow } from '@digger/database'
import { moneyDays } from '@digger/screens'
import { dayText, timeText } from '../korean-time.ts'
import { byDays, type Days, PAGE_ROWS } from '../pages.ts'
import type { Column } from '../table.ts'

/** The entries of the days, newest first; a day has one. */
export const moneyOf = (db: Db, userId: string, days: Days): AsyncGenerator<MoneyDayRow[]> =>
  byDays(
    {
      ...days,
      length: PAGE_ROWS,
      lastDay: async (until) => {
        const row = await db
          .selectFrom('money_day')
          .select(({ fn }) => fn.max('day').as('day'))
          .where('user_id', '=', userId)
          .where('day', '<=', until)
          .executeTakeFirst()
        return row?.day ?? null
      },
    },
    (from, to) => moneyDays(db, userId, from, to),
  )

export const MONEY_COLUMNS: readonly Column<MoneyDayRow>[] = [
  { heading: '날짜', cell: ({ day }) => dayText(day) },
  { heading: '예수금', cell: (row) => row.deposit_amount },
  { heading: '주식 매입금액', cell: (row) => row.stock_buy_amount },
  { heading: '은행 잔고', cell: (row) => row.bank_balance },
  { heading: '총자산', cell: (row) => row.deposit_amount + row.stock_buy_amount + row.bank_balance },
  { heading: '적은 시각', cell: (row) => timeText(row.updated_at) },
]
