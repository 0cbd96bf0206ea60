import { describe, expect, test } from 'vitest'
import { EXAMPLE } from '../../test/settings.ts'
import { backtest, backtestBothWays } from './backtest.ts'
import { BAR, type BarColumns, barsOf } from './bars.ts'
import { mapRow, percentsBetween } from './map.ts'
import { closingCosts, holdingGain, rangeOf } from './result.ts'

const ISSUE = { kind: 'stock', market: 'KOSPI' } as const
type Prices = readonly [open: number, high: number, low: number, close: number]

function columns(days: readonly string[], prices: readonly Prices[], times?: readonly string[]): BarColumns {
  const of = (at: 0 | 1 | 2 | 3): number[] => prices.map((bar) => bar[at])
  return { days, times, open: of(0), high: of(1), low: of(2), close: of(3) }
}
const DAYS = ['20260914', '20260915', '20260916', '20260917', '20260918', '20260921']
const days = (...prices: Prices[]) => barsOf(columns(DAYS.slice(0, prices.length), prices), ISSUE)

interface Trade {
  readonly day: string
  readonly side: 'buy' | 'sell'
  readonly price: number
  readonly count: number
}

function tradesOf(bars: ReturnType<typeof days>, settings = EXAMPLE, order: 'kind' | 'unkind' = 'unkind'): Trade[] {
  const trades: Trade[] = []
  const day = (bar: number): string => bars.days[bars.day[bar] ?? 0] ?? ''
  backtest(bars, settings, order, {
    trades: {
      bought: (bar, price, count) => void trades.push({ day: day(bar), side: 'buy', price, count }),
      sold: (bar, price, count) => void trades.push({ day: day(bar), side: 'sell', price, count }),
    },
  })
  return trades
}
const linesOf = (trades: readonly Trade[]): string[] =>
  trades.map(({ day, side, price, count }) => `${day.slice(4)} ${side} ${count} @ ${price}`)

describe('the example of the design', () => {
  test('three steps down, one back up', () => {
    const bars = days([70_000, 70_000, 68_500, 68_500], [69_000, 69_500, 69_000, 69_500])
    expect(linesOf(tradesOf(bars))).toEqual([
      '0914 buy 2 @ 70000',
      '0914 buy 2 @ 69300',
      '0914 buy 2 @ 68600',
      '0915 sell 2 @ 69500',
    ])
    const { gross, net, lots, cost, mostIn, worstLoss, worstDay } = backtest(bars, EXAMPLE, 'unkind')
    // Costs of the sale as in the example: 1,482 of 1,800 are left.
    expect([gross, net, lots, cost, mostIn]).toEqual([1_800, 1_482, 2, 278_600, 415_800])
    expect([worstLoss, worstDay]).toEqual([6 * 68_500 - 415_800, 0])
  })

  test('a gap through several steps buys once, at the price that is there', () => {
    const bars = days([70_000, 70_000, 70_000, 70_000], [66_000, 66_000, 66_000, 66_000])
    expect(linesOf(tradesOf(bars))).toEqual(['0914 buy 2 @ 70000', '0915 buy 3 @ 66000'])
  })

  test('the whole position sells at its average', () => {
    const bars = days([70_000, 70_000, 68_600, 68_650], [68_700, 70_300, 68_700, 70_000])
    const settings = { ...EXAMPLE, autoSellWithAvgPrice: true }
    expect(linesOf(tradesOf(bars, settings))).toContain('0915 sell 6 @ 70200')
  })
})

describe('what the exchange does', () => {
  test('the opening auction pays a resting sale its own price', () => {
    const bars = days([70_000, 70_000, 70_000, 70_000], [71_500, 71_600, 71_400, 71_500])
    expect(linesOf(tradesOf(bars))).toContain('0915 sell 2 @ 71500')
  })

  test('nothing is bought at the price of the closing auction, the next morning it is', () => {
    const bars = days(
      [70_000, 70_000, 70_000, 70_000],
      [69_900, 69_900, 69_300, 69_300],
      [69_300, 69_400, 69_300, 69_400],
    )
    // Before the auction the low was traded at, too: that buys.
    expect(linesOf(tradesOf(bars))).toEqual(['0914 buy 2 @ 70000', '0915 buy 2 @ 69300'])
    const kind = days([70_000, 70_000, 70_000, 70_000], [69_400, 70_000, 69_400, 69_400])
    expect(linesOf(tradesOf(kind, EXAMPLE, 'kind'))).toEqual(['0914 buy 2 @ 70000'])
  })

  test('a sale that lifts the reference buys again at once, but not in the closing auction', () => {
    const gap = [
      [70_000, 70_000, 70_000, 70_000],
      [60_000, 60_000, 60_000, 60_000],
    ] as const
    const through = days(...gap, [60_300, 60_900, 60_300, 60_900])
    expect(linesOf(tradesOf(through)).slice(2)).toEqual(['0916 sell 3 @ 60800', '0916 buy 3 @ 60800'])
    const atClose = days(...gap, [60_300, 60_800, 60_300, 60_800])
    // Its high was traded at before the close.
    expect(linesOf(tradesOf(atClose, EXAMPLE, 'unkind')).slice(2)).toEqual([
      '0916 sell 3 @ 60800',
      '0916 buy 3 @ 60800',
    ])
    const minutes = barsOf(
      columns(
        ['20260914', '20260915', '20260916', '20260916'],
        [...gap, [60_100, 60_100, 60_100, 60_100], [60_900, 60_900, 60_900, 60_900]],
        ['090000', '090000', '090000', '153000'],
      ),
      ISSUE,
    )
    expect(linesOf(tradesOf(minutes)).slice(2)).toEqual(['0916 sell 3 @ 60900'])
  })

  test('a target under the limits of the day cannot be offered and waits', () => {
    // Doubled while it did not trade: the target is below what the exchange takes on that day and the next.
    const bars = days(
      [10_000, 10_000, 10_000, 10_000],
      [20_000, 20_000, 20_000, 20_000],
      [20_000, 20_000, 14_400, 14_400],
      [14_400, 14_400, 14_400, 14_400],
    )
    const once = { ...EXAMPLE, maxBuyPrice: 10_000, sellPercent: 1.2 }
    expect(linesOf(tradesOf(bars, once))).toEqual(['0914 buy 20 @ 10000', '0917 sell 20 @ 14400'])
  })

  test('between two minutes the market jumps: what waits fills at its own price, and nobody buys there', () => {
    const bars = barsOf(
      columns(
        ['20260914', '20260914', '20260914'],
        [
          [70_000, 70_000, 70_000, 70_000],
          [60_000, 60_000, 60_000, 60_000],
          [60_950, 60_950, 60_950, 60_950],
        ],
        ['090000', '090100', '090200'],
      ),
      ISSUE,
    )
    expect(linesOf(tradesOf(bars))).toEqual([
      '0914 buy 2 @ 70000',
      '0914 buy 3 @ 60000',
      '0914 sell 3 @ 60800',
      '0914 buy 3 @ 61000',
    ])
  })
})

describe('what is found out', () => {
  const swinging = days(
    [70_000, 70_400, 69_000, 69_200],
    [69_200, 71_500, 68_000, 70_000],
    [70_000, 72_000, 69_000, 71_000],
  )

  test('both ways make a range; what was bought at the low may have sold at the high', () => {
    const bars = days([70_000, 70_000, 70_000, 70_000], [69_800, 70_500, 69_000, 69_800])
    const both = backtestBothWays(bars, EXAMPLE)
    expect(linesOf(tradesOf(bars, EXAMPLE, 'kind')).at(-1)).toBe('0915 sell 2 @ 70200')
    expect(both.kind.sells).toBeGreaterThan(both.unkind.sells)
    const [low, high] = rangeOf(both, ({ total }) => total)
    expect([low < high, [both.kind.total, both.unkind.total].includes(low)]).toEqual([true, true])
  })

  test('the longest wait is in trading days, the last days count too', () => {
    const still: Prices = [69_500, 69_500, 69_500, 69_500]
    const bars = days([70_000, 70_000, 70_000, 70_000], still, still, [69_300, 69_300, 69_300, 69_300], still, still)
    expect(backtest(bars, EXAMPLE, 'kind').longestWait).toBe(3)
  })

  test('holding is bought at the first open, sold at the last close, after costs', () => {
    // 14 shares at 70,000 for a million: 14,000 up, 147 and 149 brokerage, 0.2 % tax of 994,000.
    expect(holdingGain(swinging, 1_000_000)).toBe(14_000 - 147 - 149 - 1_988)
    expect(holdingGain(swinging, 69_999)).toBe(0)
    expect(closingCosts(swinging, 14)).toBe(149 + 1_988)
  })

  test('the map has the present settings at their own place', () => {
    const row = mapRow(swinging, EXAMPLE, EXAMPLE.buyPercent, percentsBetween(0.2, 2.2, 21))
    const own = row.find(({ sellPercent }) => sellPercent === EXAMPLE.sellPercent)
    expect(own?.total).toEqual(rangeOf(backtestBothWays(swinging, EXAMPLE), ({ total }) => total))
    expect([row.length, row[0]?.sellPercent, row.at(-1)?.sellPercent]).toEqual([21, 0.2, 2.2])
  })

  test.each([
    ['automatic buying off', { ...EXAMPLE, autoBuy: false }],
    ['a step that cannot be saved', { ...EXAMPLE, buyPercent: 0 }],
    ['no highest price', { ...EXAMPLE, maxBuyPrice: null }],
  ])('%s: nothing happens', (_, settings) => {
    expect(backtest(swinging, settings, 'kind')).toMatchObject({
      buys: 0,
      sells: 0,
      total: 0,
      longestWait: 2,
      worstDay: -1,
    })
  })

  test('with automatic selling off everything stays', () => {
    expect(backtest(swinging, { ...EXAMPLE, autoSell: false }, 'kind')).toMatchObject({ sells: 0, net: 0 })
  })
})

describe('bars', () => {
  test('days without a trade are left out', () => {
    const bars = days([70_000, 70_000, 70_000, 70_000], [0, 0, 0, 70_000], [69_000, 69_000, 69_000, 69_000])
    expect([bars.length, bars.days, [...bars.source]]).toEqual([2, ['20260914', '20260916'], [0, 2]])
  })

  test('of minutes, the first of a day opens it and those from 15:20 on are its closing auction', () => {
    const times = ['090000', '151900', '152000', '153000', '090000']
    const flat = times.map((): Prices => [70_000, 70_000, 70_000, 70_000])
    const bars = barsOf(columns(['20260914', '20260914', '20260914', '20260914', '20260915'], flat, times), ISSUE)
    expect([...bars.flags]).toEqual([BAR.opensDay, 0, BAR.auction, BAR.auction, BAR.opensDay])
  })

  test('on the day of the entrance examination everything is an hour later', () => {
    const times = ['100000', '152000', '161900', '162000']
    const flat = times.map((): Prices => [70_000, 70_000, 70_000, 70_000])
    const bars = barsOf(
      columns(
        times.map(() => '20251113'),
        flat,
        times,
      ),
      ISSUE,
    )
    expect([...bars.flags]).toEqual([BAR.opensDay, 0, 0, BAR.auction])
  })

  test('the tax is of the day of the sale', () => {
    const flat: Prices = [70_000, 70_000, 70_000, 70_000]
    const bars = barsOf(columns(['20241226', '20250102', '20260102'], [flat, flat, flat]), {
      kind: 'stock',
      market: 'KOSDAQ',
    })
    expect([...bars.taxRates]).toEqual([180, 150, 200])
  })

  test.each([
    ['different lengths', { ...columns(['20260914'], [[1, 1, 1, 1]]), close: [] }],
    [
      'out of order',
      columns(
        ['20260915', '20260914'],
        [
          [1, 1, 1, 1],
          [1, 1, 1, 1],
        ],
      ),
    ],
    [
      'the same day twice',
      columns(
        ['20260915', '20260915'],
        [
          [1, 1, 1, 1],
          [1, 1, 1, 1],
        ],
      ),
    ],
    ['a high below the open', columns(['20260915'], [[5, 4, 3, 3]])],
    ['a close below the low', columns(['20260915'], [[5, 6, 4, 3]])],
  ])('refuses %s', (_, given) => {
    expect(() => barsOf(given, ISSUE)).toThrow(RangeError)
  })
})
