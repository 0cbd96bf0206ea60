import { gainRatio } from '@digger/core'
import type { Db } from '@digger/database'
import { type GainRow, gainRows } from '@digger/screens'
import { dayText } from '../korean-time.ts'
import { byDays, type Days } from '../pages.ts'
import { type Column, percent } from '../table.ts'
import { lastSale } from './lots.ts'

/** Some hundred stocks a day, at the very most, make a page of them. */
const WINDOW_DAYS = 3

/** Realised gain by day and stock, newest day first: what the API sums up. */
export const gainOf = (db: Db, userId: string, days: Days): AsyncGenerator<GainRow[]> =>
  byDays({ ...days, length: WINDOW_DAYS, lastDay: (until) => lastSale(db, userId, until) }, (from, to) =>
    gainRows(db, userId, from, to),
  )

export const GAIN_COLUMNS: readonly Column<GainRow>[] = [
  { heading: '날짜', cell: ({ day }) => dayText(day) },
  { heading: '종목코드', cell: ({ code }) => code },
  { heading: '종목명', cell: ({ name, code }) => name ?? code },
  { heading: '매입금액', cell: ({ buy }) => buy },
  { heading: '손익', cell: ({ gain }) => gain },
  { heading: '손익률(%)', cell: ({ gain, buy }) => percent(gainRatio(gain, buy)) },
  { heading: '순손익', cell: ({ net }) => net },
]
