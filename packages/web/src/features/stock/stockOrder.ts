import type { Stock } from '@digger/contract'
import { openGainToday } from '@digger/core'
import { sorted, type Sortable } from '../../components/sorted.ts'
import { choice, switches, type ChipGroup } from '../../components/Chips.tsx'
import { gainRatioOf } from '../../format/gain.ts'
import { fallToBuy } from './distance.ts'

/** What the shares held gained today at the last price, before costs. Null: not known. */
export function openGainOf({ today, price, basePrice, remainCount, frozen }: Stock): number | null {
  const held = { count: remainCount, before: today.heldBefore, boughtAmount: today.boughtAmount }
  return openGainToday(held, { price, base: basePrice, isFrozen: frozen !== null })
}

/** That, and what was sold today after costs. */
export function todayGainOf(stock: Stock): number | null {
  const open = openGainOf(stock)
  return open === null ? null : stock.today.realisedNet + open
}

interface Order {
  name: string
  by: (stock: Stock) => Sortable
  descending: boolean
}

/** By their word in the address. */
const ORDERS = {
  ratio: { name: '손익률순', by: gainRatioOf, descending: true },
  today: { name: '오늘', by: todayGainOf, descending: true },
  amount: { name: '금액', by: ({ remainAmount }) => remainAmount, descending: true },
  name: { name: '이름', by: ({ name }) => name, descending: false },
  buy: { name: '다음 매수 가까운 순', by: fallToBuy, descending: false },
} as const satisfies Record<string, Order>

type OrderName = keyof typeof ORDERS
const isOrderName = (text: string): text is OrderName => Object.hasOwn(ORDERS, text)

/** As the address says; as they came where it says nothing. */
export function inOrder(stocks: readonly Stock[], text: string): readonly Stock[] {
  if (!isOrderName(text)) return stocks
  const { by, descending } = ORDERS[text]
  return sorted(stocks, by, descending)
}

/** A press on the chosen one gives the order back in which they came. */
export function orderChips(text: string, choose: (text: string) => void): ChipGroup {
  return choice(
    '차례',
    Object.entries(ORDERS).map(([order, { name }]) => ({
      name,
      on: order === text,
      func: () => choose(order === text ? '' : order),
    })),
  )
}

/** For wide windows: lines of a table instead of cards. */
export const tableChip = (text: string, choose: (text: string) => void): ChipGroup => {
  const on = text === 'true'
  return switches('모양', [{ name: '표로 보기', on, func: () => choose(on ? '' : 'true') }])
}
