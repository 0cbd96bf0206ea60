import { kstInstant } from '@digger/core'
import { tradeOfRow } from '@digger/screens'
import type { LotRow } from '../src/tables/lots.ts'

/** Two shares bought for 70,000 won each, and sold for 71,000 unless said otherwise. Null: closed by a correction, or held. */
export interface GivenLot {
  readonly id?: number
  readonly code?: string
  readonly count?: number
  readonly buy?: number
  readonly bought?: string
  readonly sell?: number | null
  readonly sold?: string | null
  readonly fee?: number
  readonly tax?: number
}

export const NAMES: Readonly<Record<string, string>> = {
  '005930': '삼성전자',
  '000660': 'SK하이닉스',
  '069500': 'KODEX 200',
}

export function lotOf(given: GivenLot = {}): LotRow {
  const { id = 1, code = '005930', count = 2, buy = 70_000, bought = '20260105', sold = '20260106' } = given
  const sell = sold === null ? null : given.sell === undefined ? 71_000 : given.sell
  const [fee, tax] = sell === null ? [0, 0] : [given.fee ?? 42, given.tax ?? 284]
  const row = {
    user_id: 'me',
    id,
    code,
    name: NAMES[code] ?? code,
    count,
    buy_price: buy,
    buy_amount: buy * count,
    bought_at: kstInstant(bought, '090000') + id,
    buy_order_id: null,
    held_back: false,
    taken_over: false,
    by_person: false,
    bought_before: 0,
    closed: sold !== null,
    sell_price: sell,
    sell_amount: sell === null ? null : sell * count,
    sold_at: sold === null ? null : kstInstant(sold, '150000') + id,
    sell_day: sold,
    fee: sold === null ? null : fee,
    tax: sold === null ? null : tax,
  }
  return { ...row, trade: tradeOfRow(row) }
}
