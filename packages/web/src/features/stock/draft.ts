import type { Stock } from '@digger/contract'
import { readNumber, readWon } from '@digger/contract/typed-number'
import type { CallInput } from '../../api/call.ts'
import { number } from '../../format/won.ts'

/** Settings that are numbers, as texts while somebody types. */
const NUMBERS = [
  'maxBuyPrice',
  'maxBuyAmount',
  'buyUnitPrice',
  'lastBuyPrice',
  'buyPercent',
  'sellPercent',
  'minSellPrice',
] as const
const SWITCHES = ['autoBuy', 'autoSell', 'recoverLastBuyPrice', 'useMinSellPrice', 'autoSellWithAvgPrice'] as const
export type NumberName = (typeof NUMBERS)[number]
export type SwitchName = (typeof SWITCHES)[number]

export type Draft = Record<NumberName, string> &
  Record<SwitchName, boolean> & { remainCount: number; remainAmount: number }

/** What people call each setting. */
export const TITLES: Readonly<Record<NumberName | SwitchName, string>> = {
  autoBuy: '자동 매수 (BUY)',
  maxBuyPrice: '최고 매수가 (M)',
  lastBuyPrice: '마지막 매수가 (L)',
  maxBuyAmount: '최대 매수 금액 (A)',
  buyUnitPrice: '1회 매수 금액 (U)',
  buyPercent: '매수 비율',
  autoSell: '자동 매도 (SELL)',
  sellPercent: '매도 비율',
  autoSellWithAvgPrice: '평균 단가로 한 번에 매도',
  useMinSellPrice: '최저 매도가 사용',
  minSellPrice: '최저 매도가',
  recoverLastBuyPrice: '판 뒤 매수 기준 되돌리기 (REC)',
}

const text = (value: number | null): string => (value === null ? '' : number(value))

export const draftOf = (stock: Stock): Draft => ({
  maxBuyPrice: text(stock.maxBuyPrice),
  maxBuyAmount: text(stock.maxBuyAmount),
  buyUnitPrice: text(stock.buyUnitPrice),
  lastBuyPrice: text(stock.lastBuyPrice),
  buyPercent: String(stock.buyPercent),
  sellPercent: String(stock.sellPercent),
  minSellPrice: text(stock.minSellPrice),
  autoBuy: stock.autoBuy,
  autoSell: stock.autoSell,
  recoverLastBuyPrice: stock.recoverLastBuyPrice,
  useMinSellPrice: stock.useMinSellPrice,
  autoSellWithAvgPrice: stock.autoSellWithAvgPrice,
  remainCount: stock.remainCount,
  remainAmount: stock.remainAmount,
})

/** The reset button: the ladder starts anew. The server keeps counting what is held from the trades. */
export const resetLadder = (draft: Draft): Draft => ({ ...draft, lastBuyPrice: '', remainCount: 0, remainAmount: 0 })

/** What a person changed of what they saw. */
export function changesOf(seen: Stock, draft: Partial<Draft>): Partial<Draft> {
  const before = draftOf(seen)
  const changes = { ...draft }
  for (const name of [...NUMBERS, ...SWITCHES, 'remainCount', 'remainAmount'] as const) {
    if (changes[name] === before[name]) delete changes[name]
  }
  return changes
}

/** Settings among the changes that a trade or somebody else changed too, meanwhile. */
export function clashes(seen: Stock, newest: Stock, changes: Partial<Draft>): (NumberName | SwitchName)[] {
  const [before, now] = [draftOf(seen), draftOf(newest)]
  return [...NUMBERS, ...SWITCHES].filter(
    (name) => changes[name] !== undefined && before[name] !== now[name] && changes[name] !== now[name],
  )
}

/** What is sent: the whole stock with the texts as typed; the server reads them and names the field it cannot read. */
export const bodyOf = (stock: Stock, draft: Draft): CallInput<'updateStock'>['body'] => ({ ...stock, ...draft })

/** The draft as numbers for a preview; null while any of them cannot be read. */
export function settingsOf(draft: Draft) {
  const numbers = {
    maxBuyPrice: 0,
    maxBuyAmount: 0,
    buyUnitPrice: 0,
    lastBuyPrice: 0,
    buyPercent: 0,
    sellPercent: 0,
    minSellPrice: 0,
  }
  const result: Record<NumberName, number | null> = numbers
  for (const name of NUMBERS) {
    const value = name.endsWith('Percent') ? readNumber(draft[name]) : readWon(draft[name])
    if (value === undefined) return null
    result[name] = value
  }
  const { buyPercent, sellPercent, ...prices } = result
  if (buyPercent === null || sellPercent === null) return null
  const { autoBuy, autoSell, recoverLastBuyPrice, useMinSellPrice, autoSellWithAvgPrice } = draft
  return {
    ...prices,
    buyPercent,
    sellPercent,
    autoBuy,
    autoSell,
    recoverLastBuyPrice,
    useMinSellPrice,
    autoSellWithAvgPrice,
  }
}

/** A stock that is not in the list yet: everything off until somebody turns it on. */
export const newStock = (userId: string, code: string): Stock => ({
  userId,
  code,
  name: code,
  nxt: false,
  // Unknown until the server has looked the code up.
  kind: 'stock',
  price: null,
  priceAt: null,
  basePrice: null,
  today: { realised: 0, realisedNet: 0, open: 0, heldBefore: 0, boughtAmount: 0 },
  usedAmount: 0,
  buyingAmount: 0,
  remainCount: 0,
  remainAmount: 0,
  accGainAmount: 0,
  gainAmount: 0,
  gainRatio: 0,
  maxBuyPrice: null,
  maxBuyAmount: 10_000_000,
  buyUnitPrice: 100_000,
  lastBuyPrice: null,
  recoverLastBuyPrice: true,
  autoBuy: false,
  buyPercent: -1,
  autoSell: false,
  sellPercent: 1.2,
  useMinSellPrice: false,
  minSellPrice: null,
  autoSellWithAvgPrice: false,
  priceSubscribed: false,
  version: 0,
  nextBuyPrice: null,
  nextSellPrice: null,
  reasons: [],
  due: null,
  stop: 'active',
  blocked: null,
  frozen: null,
  kept: 0,
  takenOver: { count: 0, amount: 0 },
  expected: null,
  announced: null,
  checkedAt: null,
  updatedAt: '',
})
