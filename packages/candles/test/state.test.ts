import type { CandleSeriesRow } from '@digger/database'
import { testDatabase, TestClock } from '@digger/database/testing'
import { sql, type Updateable } from 'kysely'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { Histories } from '../src/history.ts'
import { addSeries, claimSeries, releaseAll, writeStep } from '../src/series.ts'
import { addAccount, OTHER } from './fixture.ts'

const NOW = Date.parse('2026-11-27T21:00:00+09:00')
const database = await testDatabase()
const { db } = database
await addAccount(db, ['000660', '005930'])
await addAccount(db, ['005930', '035420'], OTHER)
const histories = new Histories(db, new TestClock(NOW))
afterAll(() => database[Symbol.asyncDispose]())
beforeEach(async () => {
  await db.deleteFrom('candle_series').execute()
  await addSeries(db)
})

const set = (code: string, unit: 'day' | 'minute', change: Updateable<CandleSeriesRow>) =>
  db
    .updateTable('candle_series')
    .set(change)
    .where((where) => where.and({ code, unit }))
    .execute()

const DUE = { last: '20261127', minutesFrom: '20260829', now: NOW }
const reader = (id: string, claimMs = 60_000) => ({ id, claimMs })
const COMPLETE = { from_day: '20161127', to_day: '20261127', is_complete: true }

describe('the state of the server', () => {
  test('counts each stock once, however many accounts have it', async () => {
    expect(await histories.state()).toMatchObject({
      stocks: 3,
      daysComplete: 0,
      minutesComplete: 0,
      reading: [],
      doneAt: null,
      notes: [],
    })
    await set('005930', 'day', COMPLETE)
    await set('005930', 'minute', COMPLETE)
    await set('000660', 'day', COMPLETE)
    expect(await histories.state()).toMatchObject({ stocks: 3, daysComplete: 2, minutesComplete: 1 })
  })

  test('says what is read just now, and when it will be done', async () => {
    const all = (await histories.state()).callsLeft
    expect(await claimSeries(db, reader('a'), DUE)).toMatchObject({ code: '000660', unit: 'day' })
    await set('000660', 'day', { from_day: '20210101', to_day: '20261127' })
    const { reading, doneAt, callsLeft } = await histories.state()
    expect(reading).toEqual([{ code: '000660', name: '종목 000660', unit: 'day', upTo: '20210101' }])
    expect(callsLeft).toBeLessThan(all)
    // At 120 calls a minute.
    expect(Date.parse(doneAt ?? '') - NOW).toBe(Math.round((callsLeft / 120) * 60_000))
    await set('000660', 'day', { taken_until: new Date(Date.now() - 3_600_000) })
    expect(await histories.state()).toMatchObject({ reading: [], doneAt: null })
  })

  test('names each trouble once, with how many stocks have it', async () => {
    for (const code of ['000660', '005930']) await set(code, 'minute', { note: '분봉이 없습니다.' })
    await set('035420', 'day', { note: '거절했습니다.' })
    expect((await histories.state()).notes).toEqual([
      { text: '분봉이 없습니다.', stocks: 2 },
      { text: '거절했습니다.', stocks: 1 },
    ])
  })
})

const take = async (id: string, claimMs?: number) => {
  const series = await claimSeries(db, reader(id, claimMs), DUE)
  return series === null ? null : `${series.unit} ${series.code}`
}
const full = () => Promise.reject(new Error('the disk is full'))

describe('claims', () => {
  test('give each series to one reader, days first, and minutes only once their days are there', async () => {
    expect([await take('a'), await take('b'), await take('a'), await take('b')]).toEqual([
      'day 000660',
      'day 005930',
      'day 035420',
      null,
    ])
    await set('005930', 'day', { from_day: '20260101', to_day: '20261127' })
    expect(await take('b')).toBe('minute 005930')
  })

  test('go to another reader once their time is over, and what the first one writes then is dropped', async () => {
    const late = reader('late', 0)
    const series = await claimSeries(db, late, DUE)
    expect(await take('next')).toBe('day 000660')
    const written: string[] = []
    const also = async () => void written.push('also')
    expect(series && (await writeStep(db, late, series, { change: { to_day: '20261127' }, also }))).toBe(false)
    expect(written).toEqual([])
    expect(series && (await writeStep(db, reader('next'), series, { change: { to_day: '20261126' }, also }))).toBe(true)
    expect(written).toEqual(['also'])
    const row = await db
      .selectFrom('candle_series')
      .select('to_day')
      .where('code', '=', '000660')
      .where('unit', '=', 'day')
      .executeTakeFirst()
    expect(row?.to_day).toBe('20261126')
  })

  test('what fails in the middle of a step leaves nothing of it', async () => {
    const mine = reader('a')
    const series = await claimSeries(db, mine, DUE)
    await expect(series && writeStep(db, mine, series, { change: { to_day: '20261127' }, also: full })).rejects.toThrow(
      'disk',
    )
    const { rows } = await sql<{
      days: number
    }>`select count(*) as days from candle_series where to_day is not null`.execute(db)
    expect(Number(rows[0]?.days)).toBe(0)
  })

  test('leave out what waits, what is complete, and what no account has any more', async () => {
    await set('000660', 'day', { next_at: NOW + 1 })
    await set('005930', 'day', COMPLETE)
    await db.insertInto('candle_series').values({ code: '999999', unit: 'day' }).execute()
    expect(await take('a')).toBe('day 035420')
    expect(await take('a')).toBe('minute 005930')
    expect(await take('a')).toBe(null)
    await releaseAll(db)
    expect(await take('b')).toBe('day 035420')
  })
})
