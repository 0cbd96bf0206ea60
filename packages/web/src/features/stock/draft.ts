import type { Stock } from '@digger/contract'
import { readNumber, readWon } from '@digger/contract/typed-number'
import { SETTING_NAMES, type Settings } from '@digger/core'
import type { CallInput } from '../../api/call.ts'
import { number } from '../../format/won.ts'

/** Settings that are numbers, as texts while somebody types. */
export const NUMBERS = [
  'maxBuyPrice',
  'maxBuyAmount',
  'buyUnitPrice',
  'lastBuyPrice',
  'buyPercent',
  'sellPercent',
  'minSellPrice',
] as const
export const SWITCHES = [
  'autoBuy',
  'autoSell',
  'recoverLastBuyPrice',
  'useMinSellPrice',
  'autoSellWithAvgPrice',
] as const
export type NumberName = (typeof NUMBERS)[number]
export type SwitchName = (typeof SWITCHES)[number]

export type Draft = Record<NumberName, string> &
  Record<SwitchName, boolean> & { remainCount: number; remainAmount: number }

/** What people call each setting, with the letter or word of its card. */
export const TITLES: Readonly<Record<NumberName | SwitchName, string>> = {
  ...SETTING_NAMES,
  autoBuy: `${SETTING_NAMES.autoBuy} (BUY)`,
  maxBuyPrice: `${SETTING_NAMES.maxBuyPrice} (M)`,
  lastBuyPrice: `${SETTING_NAMES.lastBuyPrice} (L)`,
  maxBuyAmount: `${SETTING_NAMES.maxBuyAmount} (A)`,
  buyUnitPrice: `${SETTING_NAMES.buyUnitPrice} (U)`,
  autoSell: `${SETTING_NAMES.autoSell} (SELL)`,
  recoverLastBuyPrice: `${SETTING_NAMES.recoverLastBuyPrice} (REC)`,
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

const readText = (name: NumberName, draft: Draft): number | null | undefined =>
  name === 'buyPercent' || name === 'sellPercent' ? readNumber(draft[name]) : readWon(draft[name])

/** Settings that are not what they were, however the same number was typed. */
export function changedNames(seen: Stock, draft: Draft): (NumberName | SwitchName)[] {
  const before = draftOf(seen)
  const isSame = (name: NumberName) => {
    const value = readText(name, draft)
    return draft[name] === before[name] || (value !== undefined && value === readText(name, before))
  }
  return [...NUMBERS.filter((name) => !isSame(name)), ...SWITCHES.filter((name) => draft[name] !== before[name])]
}

/** The draft as numbers, none for those that cannot be read. */
export function numbersOf(draft: Draft): { settings: Settings; unread: readonly NumberName[] } {
  const value = (name: NumberName): number | null => readText(name, draft) ?? null
  const isPercent = (name: NumberName) => name === 'buyPercent' || name === 'sellPercent'
  const unread = NUMBERS.filter((name) => {
    const read = readText(name, draft)
    return read === undefined || (read === null && isPercent(name))
  })
  const { autoBuy, autoSell, recoverLastBuyPrice, useMinSellPrice, autoSellWithAvgPrice } = draft
  const settings = {
    maxBuyPrice: value('maxBuyPrice'),
    maxBuyAmount: value('maxBuyAmount'),
    buyUnitPrice: value('buyUnitPrice'),
    lastBuyPrice: value('lastBuyPrice'),
    minSellPrice: value('minSellPrice'),
    buyPercent: value('buyPercent') ?? 0,
    sellPercent: value('sellPercent') ?? 0,
    autoBuy,
    autoSell,
    recoverLastBuyPrice,
    useMinSellPrice,
    autoSellWithAvgPrice,
  }
  return { settings, unread }
}

/** The draft as numbers for a preview; null while any of them cannot be read. */
export function settingsOf(draft: Draft): Settings | null {
  const { settings, unread } = numbersOf(draft)
  return unread.length === 0 ? settings : null
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
  statuses: [],
  statusesAt: null,
  checkedAt: null,
  updatedAt: '',
})
