import type { Trade } from '@digger/contract'
import { kstDay } from '@digger/core'
import type { Db, TradeRow } from '@digger/database'
import { tradeOfRow } from '@digger/screens'
import { sql } from 'kysely'
import { isoText } from '../korean-time.ts'
import { byDays, type Days, inPages, isWithin, PAGE_ROWS } from '../pages.ts'
import { type Column, percent } from '../table.ts'

export interface LotRow extends TradeRow {
  readonly name: string
  /** As the API has it. */
  readonly trade: Trade
}

/** Rows that are to become lots, at most a page of them. */
const lots = (db: Db, userId: string) =>
  db
    .selectFrom('trade as t')
    .leftJoin('stock as s', (join) => join.onRef('s.user_id', '=', 't.user_id').onRef('s.code', '=', 't.code'))
    .selectAll('t')
    .select(nameOf('t.code', userId).as('name'))
    .where('t.user_id', '=', userId)
    .limit(PAGE_ROWS)

const newestFirst = (query: ReturnType<typeof lots>, after: LotRow | null): ReturnType<typeof lots> =>
  (after === null ? query : query.where('t.id', '<', after.id)).orderBy('t.id', 'desc')

const lotOfRow = (row: Omit<LotRow, 'trade'>): LotRow => ({ ...row, trade: tradeOfRow(row) })

/** Of a stock that was deleted the name is where its executed orders are. */
export const nameOf = (code: 't.code' | 'a.code', userId: string) => sql<string>`
  coalesce(s.name, (select o.name from ordered o where o.user_id = ${userId} and o.code = ${sql.ref(code)} limit 1), ${sql.ref(code)})`

/** Lots that are held, newest first. */
export const openLots = (db: Db, userId: string): AsyncGenerator<LotRow[]> =>
  inPages<LotRow>(async (after) => {
    const open = lots(db, userId).where('t.closed', '=', false)
    return (await newestFirst(open, after).execute()).map(lotOfRow)
  })

/** Lots that were sold or closed by a correction on these days, the last day first. Day by day, each statement reads its own rows only. */
export async function* closedLots(db: Db, userId: string, days: Days): AsyncGenerator<LotRow[]> {
  const lastDay = (until: string) => lastSale(db, userId, until)
  for await (const [day] of byDays({ ...days, length: 1, lastDay }, async (one) => [one]))
    yield* inPages<LotRow>(async (after) => {
      const closed = lots(db, userId)
        .where('t.closed', '=', true)
        .where('t.sell_day', '=', day ?? '')
      return (await newestFirst(closed, after).execute()).map(lotOfRow)
    })
}

/** The last day up to this one on which a lot was closed. */
export async function lastSale(db: Db, userId: string, until: string): Promise<string | null> {
  const row = await db
    .selectFrom('trade')
    .select(({ fn }) => fn.max('sell_day').as('day'))
    .where('user_id', '=', userId)
    .where('closed', '=', true)
    .where('sell_day', '<=', until)
    .executeTakeFirst()
  return row?.day ?? null
}

/**
 * Held lots bought on these days, then those that were closed on them. A code is looked for here: no index has it. One that is sold
 * meanwhile stays as it was read first.
 */
export async function* lotsOf(db: Db, userId: string, days: Days, code: string | null): AsyncGenerator<LotRow[]> {
  const isAsked = (lot: LotRow): boolean => code === null || lot.code === code
  const held = new Set<number>()
  for await (const page of openLots(db, userId)) {
    const asked = page.filter((lot) => isAsked(lot) && isWithin(kstDay(lot.bought_at), days))
    for (const { id } of asked) held.add(id)
    yield asked
  }
  for await (const page of closedLots(db, userId, days)) yield page.filter((lot) => isAsked(lot) && !held.has(lot.id))
}

function stateOf(lot: LotRow): string {
  if (!lot.closed) return lot.buy_order_id === null ? '보유' : '사는 중'
  return lot.sell_price === null ? '장부 보정' : '매도'
}

/** Fee and tax are known of what was sold only. */
export const LOT_COLUMNS: readonly Column<LotRow>[] = [
  { heading: '번호', cell: ({ id }) => id },
  { heading: '상태', cell: stateOf },
  { heading: '종목코드', cell: ({ code }) => code },
  { heading: '종목명', cell: ({ name }) => name },
  { heading: '산 시각', cell: (lot) => isoText(lot.trade.buyDateTime) },
  { heading: '수량', cell: (lot) => lot.trade.buyCount },
  { heading: '산 가격', cell: (lot) => lot.trade.buyPrice },
  { heading: '산 금액', cell: (lot) => lot.buy_amount },
  { heading: '판 시각', cell: (lot) => textOrNull(lot.trade.sellDateTime) },
  { heading: '판 가격', cell: (lot) => lot.trade.sellPrice },
  { heading: '판 금액', cell: (lot) => lot.sell_amount },
  { heading: '손익', cell: (lot) => lot.trade.gainAmount },
  { heading: '손익률(%)', cell: (lot) => percent(lot.trade.gainRatio) },
  { heading: '수수료', cell: (lot) => (lot.sell_amount === null ? null : lot.fee) },
  { heading: '세금', cell: (lot) => (lot.sell_amount === null ? null : lot.tax) },
  { heading: '순손익', cell: (lot) => lot.trade.netGainAmount },
]

const textOrNull = (iso: string | null): string | null => (iso === null ? null : isoText(iso))
