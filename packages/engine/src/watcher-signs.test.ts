import { afterAll, beforeAll, expect, test } from 'vitest'
import { testDatabase, type TestDatabase } from '@digger/database/testing'
import { WatcherSigns } from './watcher-signs.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database[Symbol.asyncDispose]())

test('a watcher that was there and looks no more is missed after two minutes, and what it cannot do is shown', async () => {
  const { db } = database
  let now = 1_000_000
  const signs = new WatcherSigns(db, () => now)
  const after = async (ms: number): Promise<readonly string[]> => {
    now += ms
    await signs.look()
    return signs.troubles.map(({ text }) => text)
  }
  expect(await after(0)).toEqual([])
  expect(await after(600_000), 'nobody ever watched').toEqual([])

  await db.insertInto('watcher').values({ id: 1, looks: 1, trouble: null }).execute()
  expect(await after(1_000)).toEqual([])
  expect(await after(120_000)).toEqual([])
  expect(await after(1)).toEqual([expect.stringContaining('2분 넘게')])
  now += 5_000
  expect(signs.troubles, 'also while nothing can be read').toHaveLength(1)

  await db.updateTable('watcher').set({ looks: 2, trouble: '읽지 못합니다.' }).execute()
  expect(await after(1_000)).toEqual(['읽지 못합니다.'])
  await db.deleteFrom('watcher').execute()
  expect(await after(1_000), 'it went on purpose').toEqual([])
})
