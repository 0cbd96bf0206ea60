import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { TestClock } from '../../test/clock.ts'
import { embeddedDatabase } from '../../test/database.ts'
import { startUpkeep } from './upkeep.ts'

const HOUR_MS = 3_600_000
const stepMs = 300_000

test('an hour of failing checkpoints is reported, each hour once, and not after a good one', async () => {
  const reports: string[] = []
  const clock = new TestClock()
  let refusal: Error | null = new Error('no room')
  const query = async () => {
    if (refusal !== null) throw refusal
    return { rows: [] }
  }
  const stop = startUpkeep(Object.assign(Object.create(null), { query }), clock, (line) => void reports.push(line))
  const wait = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += stepMs) {
      clock.advance(stepMs)
      await turn()
    }
  }
  await wait(HOUR_MS - stepMs)
  expect(reports).toEqual([])
  await wait(HOUR_MS + stepMs)
  expect(reports).toEqual([expect.stringMatching(/60분째.*no room/), expect.stringMatching(/120분째/)])
  refusal = null
  await wait(stepMs)
  refusal = new Error('no room')
  await wait(HOUR_MS - stepMs)
  expect(reports).toHaveLength(2)
  stop()
  await wait(2 * HOUR_MS)
  expect(reports).toHaveLength(2)
})

test('a day’s cleaning asks table by table, and the engine takes each of them', { timeout: 180_000 }, async () => {
  await using database = await embeddedDatabase()
  const clock = new TestClock()
  const asked: string[] = []
  const reports: string[] = []
  const query = (sql: string) => {
    asked.push(sql)
    if (sql === 'checkpoint') return Promise.resolve({ rows: [] })
    return database.pool.query(sql)
  }
  const stop = startUpkeep(Object.assign(Object.create(null), { query }), clock, (line) => void reports.push(line))
  clock.advance(24 * HOUR_MS)
  await expect.poll(() => asked.includes('vacuum (analyze) public.vault'), { timeout: 120_000 }).toBe(true)
  stop()
  expect(asked).toContain('vacuum (analyze) public.journal')
  expect(reports).toEqual([])
})
