import type { OrderStatus, OrderType } from '@digger/core'
import { background, type Db, type OrderRow } from '@digger/database'
import { orderIdOf } from '@digger/screens'
import { dayText, timeText } from '../korean-time.ts'
import { type Days, isWithin, PAGE_ROWS } from '../pages.ts'
import type { Column } from '../table.ts'
import { nameOf } from './lots.ts'

export interface NamedOrder extends OrderRow {
  readonly name: string
}

/**
 * Digger's orders of these days, whatever became of them, newest first. An account counts them, so a page is a span of numbers; days
 * grow with them, so it ends with the first day before.
 */
export async function* ordersOf(
  db: Db,
  userId: string,
  days: Days,
  code: string | null = null,
): AsyncGenerator<NamedOrder[]> {
  for (let until = Number.MAX_SAFE_INTEGER; ; until -= PAGE_ROWS) {
    await background.own()
    const last = await lastOrder(db, userId, until)
    if (last === null || (days.from !== null && last.day < days.from)) return
    until = last.id
    const page = await pageUpTo(db, userId, until)
    await background.own()
    yield page.filter((order) => isWithin(order.day, days) && (code === null || order.code === code))
  }
}

async function lastOrder(db: Db, userId: string, until: number): Promise<Pick<OrderRow, 'id' | 'day'> | null> {
  const orders = db.selectFrom('account_order').where('user_id', '=', userId)
  const newest = orders.where('id', '<=', until).select(({ fn }) => fn.max('id').as('id'))
  const row = await orders.where('id', '=', newest).select(['id', 'day']).executeTakeFirst()
  return row ?? null
}

const pageUpTo = (db: Db, userId: string, until: number): Promise<NamedOrder[]> =>
  db
    .selectFrom('account_order as a')
    .leftJoin('stock as s', (join) => join.onRef('s.user_id', '=', 'a.user_id').onRef('s.code', '=', 'a.code'))
    .selectAll('a')
    .select(nameOf('a.code', userId).as('name'))
    .where('a.user_id', '=', userId)
    .where('a.id', '>', until - PAGE_ROWS)
    .where('a.id', '<=', until)
    .orderBy('a.id', 'desc')
    .execute()

const STATUS: Readonly<Record<OrderStatus, string>> = {
  intended: '보내는 중',
  unknown: '결과 모름',
  open: '기다리는 중',
  cancelling: '취소하는 중',
  filled: '체결',
  cancelled: '취소',
  rejected: '거부',
  expired: '끝남',
  notPlaced: '나가지 않음',
}
const TYPE: Readonly<Record<OrderType, string>> = { limit: '지정가', market: '시장가', best: '최유리' }
const SESSION = { pre: '프리마켓', regular: '정규장', after: '애프터마켓' } as const

export const ORDER_COLUMNS: readonly Column<NamedOrder>[] = [
  { heading: '주문일', cell: ({ day }) => dayText(day) },
  { heading: '주문 시각', cell: (order) => timeText(order.created_at) },
  { heading: '번호', cell: ({ id }) => id },
  { heading: '주문번호', cell: orderIdOf },
  { heading: '종목코드', cell: ({ code }) => code },
  { heading: '종목명', cell: ({ name }) => name },
  { heading: '구분', cell: ({ side }) => (side === 'buy' ? '매수' : '매도') },
  { heading: '낸 쪽', cell: ({ origin }) => (origin === 'auto' ? '자동' : '직접') },
  { heading: '방식', cell: ({ type }) => TYPE[type] },
  { heading: '거래소', cell: ({ venue }) => venue },
  { heading: '장', cell: ({ session }) => SESSION[session] },
  { heading: '가격', cell: (order) => (order.type === 'limit' ? order.price : null) },
  { heading: '수량', cell: ({ count }) => count },
  { heading: '체결 수량', cell: (order) => order.filled_count },
  { heading: '체결 금액', cell: (order) => order.filled_amount },
  { heading: '상태', cell: ({ status }) => STATUS[status] },
  { heading: '마지막 변경', cell: (order) => timeText(order.updated_at) },
  { heading: '이유', cell: ({ why }) => why },
  { heading: '비고', cell: ({ note }) => note },
]
