import {
  type Arbitrary,
  array,
  assert,
  boolean,
  constant,
  infiniteStream,
  integer,
  nat,
  oneof,
  property,
  record,
  tuple,
} from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  BAR,
  type BarColumns,
  type Bars,
  backtest,
  barsOf,
  type Settings,
  tickAbove,
  tickBelow,
} from '../../src/index.ts'
import { PlainAccount, type PlainBar, type PlainSettings } from './plain.ts'

const ISSUE = { kind: 'stock', market: 'KOSPI' } as const

/** Ticks up or down from one price to the next of a bar, with a jump before it. */
const moves = array(tuple(integer({ min: -25, max: 25 }), integer({ min: -15, max: 15 }), nat(40), nat(40)), {
  minLength: 10,
  maxLength: 60,
})

function walked(price: number, ticks: number): number {
  let at = price
  for (let n = 0; n < Math.abs(ticks); n += 1)
    at = Math.max(100, ticks > 0 ? tickAbove(at, 'stock') : tickBelow(at, 'stock'))
  return at
}

function columnsOf(first: number, bars: readonly (readonly number[])[], minutesADay: number | null): BarColumns {
  const days: string[] = []
  const times: string[] = []
  const [open, high, low, close]: number[][] = [[], [], [], []]
  let price = first
  bars.forEach(([jump = 0, move = 0, above = 0, below = 0], at) => {
    const minute = minutesADay === null ? 0 : at % minutesADay
    const day = minutesADay === null ? at : Math.floor(at / minutesADay)
    // Over night it may go far, within a day less.
    const o = walked(price, minute === 0 ? jump : Math.trunc(jump / 4))
    const isLast = minutesADay !== null && minute === minutesADay - 1
    const c = isLast ? o : walked(o, move)
    days.push(new Date(Date.UTC(2019, 4, 20 + day)).toISOString().slice(0, 10).replaceAll('-', ''))
    times.push(isLast ? '153000' : `09${String(minute).padStart(2, '0')}00`)
    open?.push(o)
    close?.push(c)
    high?.push(isLast ? o : walked(Math.max(o, c), above))
    low?.push(isLast ? o : walked(Math.min(o, c), -below))
    price = c
  })
  return {
    days,
    ...(minutesADay !== null && { times }),
    open: open ?? [],
    high: high ?? [],
    low: low ?? [],
    close: close ?? [],
  }
}

/** Of a stock that begins at this price. */
const plainSettings = (first: number): Arbitrary<PlainSettings> =>
  record({
    maxBuyPrice: integer({ min: Math.ceil(first * 0.8), max: first * 2 }),
    maxBuyAmount: integer({ min: first, max: first * 60 }),
    buyUnitPrice: oneof(constant(1), integer({ min: Math.ceil(first / 2), max: first * 9 })),
    stepDown: integer({ min: -500, max: -1 }),
    stepUp: integer({ min: 1, max: 500 }),
    minSellPrice: oneof(
      { weight: 3, arbitrary: constant(null) },
      { weight: 1, arbitrary: integer({ min: Math.ceil(first * 0.7), max: first * 2 }) },
    ),
    average: boolean(),
    recover: boolean(),
  })

const cases = integer({ min: 950, max: 80_000 }).chain((first) =>
  tuple(constant(first), moves, plainSettings(first), infiniteStream(boolean())),
)

const settingsOf = (plain: PlainSettings): Settings => ({
  maxBuyPrice: plain.maxBuyPrice,
  maxBuyAmount: plain.maxBuyAmount,
  buyUnitPrice: plain.buyUnitPrice,
  lastBuyPrice: 12_345,
  recoverLastBuyPrice: plain.recover,
  autoBuy: true,
  buyPercent: plain.stepDown / 100,
  autoSell: true,
  sellPercent: plain.stepUp / 100,
  useMinSellPrice: plain.minSellPrice !== null,
  minSellPrice: plain.minSellPrice,
  autoSellWithAvgPrice: plain.average,
})

function plainBars(bars: Bars, order: Uint8Array): PlainBar[] {
  return Array.from({ length: bars.length }, (_, at) => {
    const flags = bars.flags[at] ?? 0
    const day = bars.day[at] ?? 0
    const first = (flags & BAR.opensDay) === 0 ? ('minute' as const) : ('first' as const)
    const is = (flags & BAR.closesDay) !== 0 ? ('day' as const) : first
    return {
      day,
      open: bars.open[at] ?? 0,
      high: bars.high[at] ?? 0,
      low: bars.low[at] ?? 0,
      close: bars.close[at] ?? 0,
      lowFirst: order[at] === 1,
      is: (flags & BAR.auction) === 0 ? is : ('auction' as const),
      lowest: bars.lowest[at] ?? 0,
      // 0.30 % on KOSPI, from the trades of 30 May 2019 on 0.25 %.
      taxRate: (bars.days[day] ?? '') < '20190530' ? 300 : 250,
    }
  })
}

describe.each([
  ['days', null],
  ['minutes', 7],
] as const)('%s', (_, minutesADay) => {
  test('an independent computation from the written rules comes to the same, to the won', () => {
    let traded = 0
    assert(
      property(cases, ([first, bars, plain, coin]) => {
        const prepared = barsOf(columnsOf(walked(first, 1), bars, minutesADay), ISSUE)
        const order = Uint8Array.from({ length: prepared.length }, () => (coin.next().value === true ? 1 : 0))
        const equity = new Float64Array(prepared.length)
        const ours = backtest(prepared, settingsOf(plain), order, { equity })
        const theirs = new PlainAccount(plain)
        theirs.trade(plainBars(prepared, order))
        const end = prepared.close.at(-1) ?? 0
        traded += theirs.sells
        expect({
          buys: ours.buys,
          sells: ours.sells,
          gross: ours.gross,
          net: ours.net,
          lots: ours.lots,
          shares: ours.shares,
          cost: ours.cost,
          mostIn: ours.mostIn,
          worst: ours.worstLoss,
          wait: ours.longestWait,
          openGain: ours.openGain,
          total: ours.total,
          last: equity.at(-1),
        }).toEqual({
          buys: theirs.buys,
          sells: theirs.sells,
          gross: theirs.gross,
          net: theirs.net,
          lots: theirs.lots,
          shares: theirs.shares,
          cost: theirs.cost,
          mostIn: theirs.mostIn,
          worst: theirs.worst,
          wait: theirs.longestWait(prepared.day.at(-1) ?? 0),
          openGain: theirs.shares * end - theirs.cost,
          total: theirs.paid + theirs.shares * end,
          last: theirs.paid + theirs.shares * end,
        })
      }),
      { numRuns: 1_500 },
    )
    expect(traded).toBeGreaterThan(5_000)
  })
})
