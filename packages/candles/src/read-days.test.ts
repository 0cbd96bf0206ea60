import { describe, expect, test } from 'vitest'
import { type Bar, dayNumber } from './bar.ts'
import { callsFor, compare, readBoth } from './read-days.ts'

const FIRST = dayNumber('20261102')
const bars = (closes: readonly number[], first = FIRST): Bar[] =>
  closes.map((close, n) => ({ at: first + n, open: close, high: close, low: close, close, volume: 9, traded: close }))
const STORED = bars([1_000, 1_010, 1_020, 1_030])

describe('days that are read again', () => {
  test.each<[string, Bar[], boolean, number]>([
    ['are as they were', STORED, false, 0],
    ['and new ones', [...STORED, ...bars([1_040, 1_050], FIRST + 4)], false, 2],
    ['one of them corrected', bars([1_000, 1_010, 1_020, 1_031, 1_040]), false, 2],
    ['two of four corrected', bars([1_000, 1_010, 1_021, 1_031]), false, 2],
    ['at a fifth: a split', bars([200, 202, 204, 206, 208]), true, 5],
    ['at a fifth but for the day of the split', bars([200, 202, 204, 1_030]), true, 3],
    ['others only', bars([1_040], FIRST + 9), false, 1],
    ['none', [], false, 0],
  ])('%s', (_name, again, isAdjusted, news) => {
    const found = compare(STORED, again)
    expect([found.isAdjusted, found.news.length]).toEqual([isAdjusted, news])
  })

  test('with other counts alone are the same: what is traded late adds to them', () =>
    expect(
      compare(
        STORED,
        STORED.map((bar) => ({ ...bar, volume: 10 })),
      ).news,
    ).toEqual([]))
})

const candle = (day: string, close: number) => ({
  day,
  time: null,
  open: close,
  high: close,
  low: close,
  close,
  volume: 1,
})

describe('days with both prices', () => {
  const kis = {
    dayCandles: async (_code: string, _from: string, _to: string, prices: 'adjusted' | 'original' = 'adjusted') =>
      prices === 'adjusted'
        ? [candle('20180502', 53_000), candle('20180503', 53_100)]
        : [candle('20180502', 2_650_000)],
  }
  test('have the close as it was traded, or their own where the other chart lacks the day', async () => {
    const waited: number[] = []
    const found = await readBoth(
      kis,
      '005930',
      { from: '20180101', to: '20181231' },
      async (calls) => void waited.push(calls),
    )
    expect(found.map(({ close, traded }) => [close, traded])).toEqual([
      [53_000, 2_650_000],
      [53_100, 53_100],
    ])
    expect(waited).toEqual([4, 4])
  })
  test('of a year without any are asked for once', async () => {
    const waited: number[] = []
    const none = { dayCandles: async () => [] }
    expect(
      await readBoth(none, '005930', { from: '20180101', to: '20181231' }, async (calls) => void waited.push(calls)),
    ).toEqual([])
    expect(waited).toEqual([4])
  })
})

test.each([
  ['20261120', '20261120', 2],
  ['20261030', '20261120', 2],
  ['20260801', '20261231', 3],
  ['20260101', '20261231', 4],
])('%s to %s may take %i calls', (from, to, calls) => expect(callsFor({ from, to })).toBe(calls))
