import { text } from 'node:stream/consumers'
import { Refused, StockHistory } from '@digger/contract'
import { background } from '@digger/database'
import { testDatabase, TestClock } from '@digger/database/testing'
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { sql } from 'kysely'
import { Histories } from '../src/history.ts'
import { jsonStream } from '../src/json.ts'
import { type PartKey, partOf, writePart } from '../src/parts.ts'
import type { Bar } from '../src/bar.ts'
import { addAccount, daysFrom, ME, minutesFrom, OTHER } from './fixture.ts'

const CODE = '005930'
const database = await testDatabase()
const { db } = database
await addAccount(db, [CODE, '069500'])
await addAccount(db, [], OTHER)
const clock = new TestClock(Date.parse('2026-11-27T21:00:00+09:00'))
const histories = new Histories(db, clock)
afterAll(() => database[Symbol.asyncDispose]())

beforeEach(async () => {
  await db.deleteFrom('candle_part').execute()
  await db.deleteFrom('candle_series').execute()
})

interface Given extends Partial<PartKey> {
  readonly isAdjusted?: boolean
}
async function keep(day: string, bars: readonly Bar[], { isAdjusted = true, ...given }: Given = {}): Promise<void> {
  const unit = given.unit ?? 'day'
  const key: PartKey = { code: CODE, unit, source: 'broker', generation: 0, part: partOf(unit, day), ...given }
  await writePart(db, key, bars, isAdjusted)
}
const series = (change: object) =>
  db
    .insertInto('candle_series')
    .values({
      code: CODE,
      unit: 'day',
      from_day: null,
      to_day: null,
      adjusted_at: null,
      begun_at: null,
      note: null,
      taken_by: null,
      taken_until: null,
      ...change,
    })
    .execute()

const days = (query: { fromDate?: string; toDate?: string } = {}) =>
  histories.stock(ME, CODE, { unit: 'day', ...query })
const minutes = (query: { fromDate?: string; toDate?: string } = {}) =>
  histories.stock(ME, CODE, { unit: 'minute', ...query })

describe('days', () => {
  test('of which nothing is kept: empty columns, and what to expect', async () =>
    expect(await days()).toEqual({
      code: CODE,
      name: `종목 ${CODE}`,
      kind: 'stock',
      market: 'KOSPI',
      unit: 'day',
      source: null,
      isAdjusted: true,
      adjustedAt: null,
      corrections: [],
      days: [],
      open: [],
      high: [],
      low: [],
      close: [],
      volume: [],
      progress: {
        from: null,
        to: null,
        wantedFrom: '20161127',
        isComplete: false,
        note: expect.stringContaining('곧 모으기 시작합니다'),
      },
    }))

  test('of two years come in one, oldest first, and only those that are asked for', async () => {
    await keep('20260101', daysFrom('20260101', [102, 103, 104]))
    await keep('20251230', daysFrom('20251230', [100, 101]))
    const all = await days()
    expect(all.days).toEqual(['20251230', '20251231', '20260101', '20260102', '20260103'])
    expect(all).toMatchObject({ close: [100, 101, 102, 103, 104], source: 'broker', isAdjusted: true })
    expect(all.progress).toMatchObject({ from: '20251230', to: '20260103', isComplete: false })
    const some = await days({ fromDate: '20251231', toDate: '20260102' })
    expect(some.days).toEqual(['20251231', '20260101', '20260102'])
    expect(await days({ fromDate: '20270101' })).toMatchObject({ days: [], source: null })
  })

  test('of the broker are behind imported ones, and before those that only fill', async () => {
    await keep('20260101', daysFrom('20260102', [200, 201]))
    await keep('20260101', daysFrom('20260103', [999, 998]), { source: 'imported' })
    await keep('20260101', daysFrom('20260101', [10, 11, 12]), { source: 'fill' })
    const { days: at, close, source } = await days()
    expect(at).toEqual(['20260101', '20260102', '20260103', '20260104'])
    expect(close).toEqual([10, 200, 999, 998])
    expect(source).toBe('both')
  })

  test('that were imported as traded are adjusted as the broker’s word reaches, and said to be unadjusted beyond', async () => {
    const halved = daysFrom('20260102', [1_000, 1_000, 1_000, 1_000]).map((bar, n) => ({
      ...bar,
      traded: n < 2 ? 2_000 : 1_000,
    }))
    await keep('20260101', halved)
    await keep('20260101', daysFrom('20260103', [2_020]), { source: 'imported', isAdjusted: false })
    const adjusted = await days()
    expect(adjusted).toMatchObject({ close: [1_000, 1_010, 1_000, 1_000], isAdjusted: true })
    expect(adjusted.corrections).toEqual([{ day: '20260104', ratio: 0.5 }])
    await keep('20250101', daysFrom('20250102', [2_000]), { source: 'imported', isAdjusted: false })
    expect(await days()).toMatchObject({ close: [1_000, 1_000, 1_010, 1_000, 1_000], isAdjusted: false })
  })

  test('that are being read anew are not shown until all are there', async () => {
    await keep('20260101', daysFrom('20260101', [100]))
    await keep('20260101', daysFrom('20260101', [50]), { generation: 1 })
    await series({ generation: 1, is_complete: true, adjusted_at: Date.parse('2026-11-01T20:10:00+09:00') })
    const before = await days()
    expect(before).toMatchObject({ close: [100], adjustedAt: '2026-11-01T20:10:00.000+09:00' })
    expect(before.progress).toMatchObject({ isComplete: false, note: expect.stringContaining('다시 모으는 동안') })
    await db.updateTable('candle_series').set({ shown: 1 }).execute()
    expect(await days()).toMatchObject({ close: [50], progress: { isComplete: true, note: null } })
  })
})

describe('minutes', () => {
  test('come with their days and times, at prices of the share of today', async () => {
    await keep(
      '20260101',
      daysFrom('20260102', [1_000, 1_000, 1_000]).map((bar, n) => ({ ...bar, traded: n < 1 ? 5_000 : 1_000 })),
    )
    await keep('20260102', minutesFrom(540, [4_990, 5_000]), { unit: 'minute', isAdjusted: false })
    await keep('20260103', minutesFrom(540, [1_002]), { unit: 'minute', isAdjusted: false })
    expect(await minutes()).toMatchObject({
      unit: 'minute',
      days: ['20260102', '20260102', '20260103'],
      times: ['090000', '090100', '090000'],
      close: [998, 1_000, 1_002],
      volume: [7_700, 7_705, 1_540],
      isAdjusted: true,
      source: 'broker',
      progress: { from: '20260102', to: '20260103' },
    })
  })

  test('of a day that has no word of the broker are as they were given, and said to be', async () => {
    await keep('20260102', minutesFrom(540, [4_990]), { unit: 'minute', isAdjusted: false })
    expect(await minutes()).toMatchObject({ close: [4_990], isAdjusted: false })
  })

  test('of two sources never mix within a day', async () => {
    await keep('20260102', minutesFrom(540, [100, 101, 102]), { unit: 'minute' })
    await keep('20260102', minutesFrom(541, [900]), { unit: 'minute', source: 'imported' })
    await keep('20260105', minutesFrom(540, [103]), { unit: 'minute' })
    expect(await minutes()).toMatchObject({ times: ['090100', '090000'], close: [900, 103], source: 'both' })
  })

  test('are those of the last sixty days, a year of days at most', async () => {
    for (const [n, bar] of daysFrom(
      '20250101',
      Array.from({ length: 251 }, (_, i) => 100 + i),
    ).entries())
      await keep(partDay(n), [{ ...bar, at: 540 }], { unit: 'minute' })
    const last = await minutes()
    expect(last.days).toHaveLength(60)
    expect(last.days.at(-1)).toBe(partDay(250))
    expect((await minutes({ fromDate: partDay(1) })).days).toHaveLength(250)
    await expect(minutes({ fromDate: partDay(0) })).rejects.toThrow('기간을 나누어 주세요')
  })
})
const partDay = (n: number): string => {
  const date = new Date(Date.UTC(2025, 0, 1 + n))
  return date.toISOString().slice(0, 10).replaceAll('-', '')
}

const wave = (n: number): number => 70_000 + Math.round(Math.sin(n / 50) * 900) + ((n * 37) % 11) * 10

test('a year of minutes is read and written without keeping anything else waiting', async () => {
  const year = daysFrom(
    '20250101',
    Array.from({ length: 250 }, (_, n) => wave(n)),
  )
  await keep('20250101', year)
  for (let n = 0; n < 250; n += 1)
    await keep(
      partDay(n),
      minutesFrom(
        540,
        Array.from({ length: 381 }, (_, m) => wave(n * 381 + m)),
      ),
      { unit: 'minute' },
    )
  const own = vi.spyOn(background, 'own')
  const history = await minutes({ fromDate: partDay(0) })
  const read = own.mock.calls.length
  const body = await text(jsonStream(history))
  const written = own.mock.calls.length - read
  own.mockRestore()
  expect(history.days).toHaveLength(250 * 381)
  expect(StockHistory.parse(JSON.parse(body))).toEqual(history)
  // Each day is a piece of its own when it is read, and each few thousand values when they are written: how many of them a turn of
  // the event loop takes is the machine's matter.
  expect([read >= 250, written >= 150]).toEqual([true, true])
  const { rows } = await sql<{
    size: number
  }>`select sum(octet_length(bars)) as size from candle_part where unit = 'minute'`.execute(db)
  expect(Number(rows[0]?.size) / (250 * 381)).toBeLessThan(11)
})

describe('who may see what', () => {
  test('a stock that is not in the list has no history there', async () => {
    await expect(histories.stock(OTHER, CODE, { unit: 'day' })).rejects.toThrow(Refused)
    expect(await histories.overview(OTHER)).toEqual({ stocks: [] })
  })
  test('the overview has each stock of the account with both units', async () => {
    await keep('20260101', daysFrom('20260101', [100, 101]))
    await series({ unit: 'minute', note: '모의투자 서버는 지난 분봉을 주지 않습니다.' })
    const { stocks } = await histories.overview(ME)
    expect(stocks.map(({ code, kind }) => [code, kind])).toEqual([
      [CODE, 'stock'],
      ['069500', 'etf'],
    ])
    expect(stocks[0]?.day).toMatchObject({ from: '20260101', to: '20260102', wantedFrom: '20161127' })
    expect(stocks[0]?.minute).toMatchObject({ from: null, note: '모의투자 서버는 지난 분봉을 주지 않습니다.' })
    expect(stocks[1]?.day.note).toContain('곧 모으기 시작합니다')
  })
})
