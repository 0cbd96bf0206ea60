import type { BrokerProfit } from '@digger/contract'
import { kstDay } from '@digger/core'
import { dealsKey, NO_DEALS, type OwnDeals, type YearBook } from './book.ts'
import {
  type Booked,
  brokerCost,
  type Difference,
  type DifferenceName,
  differenceOf,
  NAMES,
  namesOf,
} from './difference.ts'

/** One line of the tie-out: a stock on a day, or all of a day. */
export interface TieOutLine {
  readonly day: string
  /** Null: the sum of the day. */
  readonly code: string | null
  readonly name: string
  readonly own: OwnDeals
  readonly broker: Booked
  /** Empty where both are the same. */
  readonly names: readonly DifferenceName[]
}

const NOTHING: Booked = { buyAmount: 0, sellAmount: 0, gainAmount: 0, fee: 0, tax: 0 }
const AMOUNTS = ['buyAmount', 'sellAmount', 'gainAmount', 'fee', 'tax'] as const
/** Days by which a booking of both may differ: over a long holiday. */
const MAX_SHIFT_DAYS = 10
const DAY_MS = 86_400_000

const plus = (a: Booked, b: Booked): Booked => ({
  buyAmount: a.buyAmount + b.buyAmount,
  sellAmount: a.sellAmount + b.sellAmount,
  gainAmount: a.gainAmount + b.gainAmount,
  fee: a.fee + b.fee,
  tax: a.tax + b.tax,
})

interface Pair {
  readonly day: string
  readonly code: string
  readonly name: string
  readonly own: OwnDeals
  readonly broker: Booked
}

/**
 * Digger's book beside the broker's, oldest day first: each stock of a day on which either has a sale, then the day's sum, which has
 * what was only bought, too.
 */
export function tieOut(book: YearBook, broker: BrokerProfit): TieOutLine[] {
  const pairs = pairsOf(book, broker)
  const costNames = nameCosts(book, pairs)
  const shifts = shiftsOf(pairs)
  const ofStocks = pairs.map((pair): TieOutLine => {
    const key = dealsKey(pair.day, pair.code)
    const isEtf = book.etfs.has(pair.code)
    const shifted = shifts.get(key) ?? NO_SHIFT
    return { ...pair, names: namesOf({ ...pair, isEtf, shifted, cost: costNames.get(key) ?? NAMES.average }) }
  })
  return withSums(book, broker, ofStocks)
}

const isSale = ({ sales: sold, gainAmount, soldCost, corrections, foreignSellAmount }: OwnDeals): boolean =>
  sold > 0 || gainAmount !== 0 || soldCost > 0 || corrections > 0 || foreignSellAmount > 0

function pairsOf({ deals }: YearBook, { sales }: BrokerProfit): Pair[] {
  const booked = new Map<string, Booked & { readonly name: string }>()
  for (const sale of sales) {
    const key = dealsKey(sale.date, sale.code)
    booked.set(key, { ...plus(booked.get(key) ?? NOTHING, sale), name: sale.name })
  }
  const keys = new Set([...booked.keys(), ...[...deals].filter(([, own]) => isSale(own)).map(([key]) => key)])
  return [...keys].sort().map((key) => {
    const [day = '', code = ''] = key.split(' ')
    const own = deals.get(key) ?? NO_DEALS
    const other = booked.get(key)
    return { day, code, name: own.name || (other?.name ?? code), own, broker: other ?? NOTHING }
  })
}

/** The same amount on another day of the same stock, the other way round. */
interface Shift {
  readonly buy: boolean
  readonly sell: boolean
}
const NO_SHIFT: Shift = { buy: false, sell: false }

function shiftsOf(pairs: readonly Pair[]): Map<string, Shift> {
  const shifts = new Map<string, Shift>()
  for (const [, ofStock] of Map.groupBy(pairs, ({ code }) => code)) {
    const differing = ofStock
      .map((pair) => ({ pair, by: differenceOf(pair.own, pair.broker) }))
      .filter(({ by }) => by.buyAmount !== 0 || by.sellAmount !== 0)
    for (const { pair, by } of differing) {
      const near = differing.filter((other) => other.pair !== pair && isNear(other.pair.day, pair.day))
      const has = (amount: keyof Difference) =>
        by[amount] !== 0 && near.some((other) => other.by[amount] === -by[amount])
      shifts.set(dealsKey(pair.day, pair.code), { buy: has('buyAmount'), sell: has('sellAmount') })
    }
  }
  return shifts
}

const utc = (day: string): number =>
  Date.UTC(Number(day.slice(0, 4)), Number(day.slice(4, 6)) - 1, Number(day.slice(6)))
const isNear = (a: string, b: string): boolean => Math.abs(utc(a) - utc(b)) <= MAX_SHIFT_DAYS * DAY_MS

/**
 * The broker sells at its moving average, Digger lot by lot. Whenever no share is left, both have sold for the same cost all together;
 * where that is not so, the average explains nothing. What cannot be held against it is taken for the average's doing: shares from
 * before the year, the person's own among them, and sales that are not Digger's.
 */
function nameCosts(book: YearBook, pairs: readonly Pair[]): Map<string, DifferenceName> {
  const names = new Map<string, DifferenceName>()
  const lots = Map.groupBy(book.lots, ({ code }) => code)
  for (const [code, ofStock] of Map.groupBy(pairs, (pair) => pair.code)) {
    const spans = (lots.get(code) ?? []).map((lot) => ({ from: kstDay(lot.bought_at), to: lot.sell_day ?? '' }))
    const beyond = book.heldBeyond.get(code)
    const isFlat = (day: string): boolean =>
      !spans.some(({ from, to }) => from <= day && day < to) && (beyond === undefined || beyond > day)
    let isProvable = isFlat(`${Number(book.year) - 1}1231`) && !book.mixed.has(code)
    let sinceFlat: Pair[] = []
    for (const pair of ofStock) {
      sinceFlat.push(pair)
      if (!isFlat(pair.day)) continue
      const isOwn = sinceFlat.every(
        ({ own }) => own.corrections === 0 && own.foreignSellAmount + own.foreignBuyAmount === 0,
      )
      const left = sinceFlat.reduce((sum, { own, broker }) => sum + own.soldCost - brokerCost(broker), 0)
      // A won of rounding for each day.
      if (isProvable && isOwn && Math.abs(left) > sinceFlat.length)
        for (const { day } of sinceFlat) names.set(dealsKey(day, code), NAMES.unexplained)
      isProvable = !book.mixed.has(code)
      sinceFlat = []
    }
  }
  return names
}

/** Of a day: no stock has an empty code. */
const ALL = ''

function sumsOf({ deals }: YearBook, { days }: BrokerProfit): Pair[] {
  const own = new Map<string, OwnDeals>()
  for (const [key, ofStock] of deals) {
    const day = key.slice(0, 8)
    own.set(day, sumOf(own.get(day) ?? NO_DEALS, ofStock))
  }
  const booked = new Map<string, Booked>()
  for (const day of days) booked.set(day.date, plus(booked.get(day.date) ?? NOTHING, day))
  return [...new Set([...own.keys(), ...booked.keys()])].map((day) => ({
    day,
    code: ALL,
    name: '하루 합계',
    own: own.get(day) ?? NO_DEALS,
    broker: booked.get(day) ?? NOTHING,
  }))
}

function withSums(book: YearBook, profit: BrokerProfit, lines: readonly TieOutLine[]): TieOutLine[] {
  const sums = sumsOf(book, profit)
  const shifts = shiftsOf(sums)
  const byDay = Map.groupBy(lines, ({ day }) => day)
  const ofDays = sums.map((pair): TieOutLine => {
    const { day, name, own, broker } = pair
    const ofDay = byDay.get(day) ?? []
    const isEtf = ofDay.some(({ code }) => code !== null && book.etfs.has(code))
    const shifted = shifts.get(dealsKey(day, ALL)) ?? NO_SHIFT
    // In a sum one difference may hide another.
    const unexplained = ofDay.some(({ names }) => names.includes(NAMES.unexplained)) ? [NAMES.unexplained] : []
    const found = namesOf({ own: withPersons(own, ofDay), broker, isEtf, shifted, cost: NAMES.average })
    return { day, code: null, name, own, broker, names: [...new Set([...unexplained, ...found])] }
  })
  return [...lines, ...ofDays].sort((a, b) => (order(a) < order(b) ? -1 : 1))
}

/** A sum has what was found to be a person's in its stocks, also where no list was imported that would say so. */
function withPersons(own: OwnDeals, ofDay: readonly TieOutLine[]): OwnDeals {
  const persons = ofDay.filter(({ names }) => names.includes(NAMES.person))
  const beyond = (amount: 'buyAmount' | 'sellAmount', foreign: 'foreignBuyAmount' | 'foreignSellAmount') =>
    persons.reduce((sum, line) => sum - differenceOf(line.own, line.broker)[amount] - line.own[foreign], own[foreign])
  return {
    ...own,
    foreignBuyAmount: beyond('buyAmount', 'foreignBuyAmount'),
    foreignSellAmount: beyond('sellAmount', 'foreignSellAmount'),
  }
}

/** The sum of a day comes after its stocks. */
const order = ({ day, code }: TieOutLine): string => `${day}${code ?? '~'}`

const OWN_NUMBERS = [
  ...AMOUNTS,
  'soldCost',
  'lotFee',
  'orders',
  'sales',
  'corrections',
  'foreignBuyAmount',
  'foreignSellAmount',
] as const

function sumOf(a: OwnDeals, b: OwnDeals): OwnDeals {
  const sum = { ...a }
  for (const name of OWN_NUMBERS) sum[name] += b[name]
  return sum
}
