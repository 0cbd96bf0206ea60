import type { LotRow } from '../tables/lots.ts'
import type { Column } from '../table.ts'

/** What was sold, all together, won. Lots that a correction closed are in none: nobody knows what they brought. */
export interface Sums {
  readonly name: string
  readonly code: string
  count: number
  buyAmount: number
  sellAmount: number
  gainAmount: number
  fee: number
  tax: number
  netGainAmount: number
}

const noSums = (name: string, code = ''): Sums => ({
  name,
  code,
  count: 0,
  buyAmount: 0,
  sellAmount: 0,
  gainAmount: 0,
  fee: 0,
  tax: 0,
  netGainAmount: 0,
})

function add(sums: Sums, lot: LotRow): void {
  const { gainAmount, netGainAmount } = lot.trade
  if (gainAmount === null || netGainAmount === null) return
  sums.count += 1
  sums.buyAmount += lot.buy_amount
  sums.sellAmount += lot.sell_amount ?? 0
  sums.gainAmount += gainAmount
  sums.fee += lot.fee ?? 0
  sums.tax += lot.tax ?? 0
  sums.netGainAmount += netGainAmount
}

/** The twelve months, and the year. */
export function byMonth(year: string, lots: readonly LotRow[]): Sums[] {
  const months = Array.from({ length: 12 }, (_, month) => noSums(`${year}-${String(month + 1).padStart(2, '0')}`))
  const all = noSums('합계')
  for (const lot of lots) {
    const month = months[Number(lot.sell_day?.slice(4, 6)) - 1]
    if (month === undefined) continue
    add(month, lot)
    add(all, lot)
  }
  return [...months, all]
}

/** By code, the largest net gain first, and all. */
export function byStock(lots: readonly LotRow[]): Sums[] {
  const stocks = new Map<string, Sums>()
  const all = noSums('합계')
  for (const lot of lots) {
    if (lot.sell_amount === null) continue
    const sums = stocks.get(lot.code) ?? noSums(lot.name, lot.code)
    stocks.set(lot.code, sums)
    add(sums, lot)
    add(all, lot)
  }
  return [...[...stocks.values()].sort((a, b) => b.netGainAmount - a.netGainAmount), all]
}

const AMOUNTS: readonly Column<Sums>[] = [
  { heading: '매매', cell: ({ count }) => count },
  { heading: '산 금액', cell: ({ buyAmount }) => buyAmount },
  { heading: '판 금액', cell: ({ sellAmount }) => sellAmount },
  { heading: '손익', cell: ({ gainAmount }) => gainAmount },
  { heading: '수수료', cell: ({ fee }) => fee },
  { heading: '세금', cell: ({ tax }) => tax },
  { heading: '순손익', cell: ({ netGainAmount }) => netGainAmount },
]

export const MONTH_COLUMNS: readonly Column<Sums>[] = [{ heading: '달', cell: ({ name }) => name }, ...AMOUNTS]

export const STOCK_COLUMNS: readonly Column<Sums>[] = [
  { heading: '종목코드', cell: ({ code }) => code },
  { heading: '종목명', cell: ({ name }) => name },
  ...AMOUNTS,
]
