import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { restoreBackup, takeBackup } from '@digger/backup'
import { emptyBook } from '@digger/core'
import { type Database, openDatabase } from '@digger/database'
import { testDatabase, testPlace } from '@digger/database/testing'
import { type Arrived, LoopProcess, TestAccount } from '@digger/notifications/testing'
import { expect, test, vi } from 'vitest'

const SOON = { timeout: 30_000, interval: 20 }
const texts = (arrived: readonly Arrived[]): string[] => arrived.map(({ text }) => text.split('\n')[0] ?? '')

async function copyOf(original: Database): Promise<Pick<Database, 'db' | 'owned'> & AsyncDisposable> {
  const home = mkdtempSync(join(tmpdir(), 'digger-told-'))
  const { folder } = await takeBackup({ pool: original.pool, kind: original.kind, takenAt: Date.now() }, home)
  const elsewhere = await testPlace({ empty: true })
  const place = { dataDir: elsewhere.config.DATA_DIR, databaseUrl: elsewhere.config.DATABASE_URL }
  await restoreBackup(folder, place)
  const copy = await openDatabase(place)
  return {
    db: copy.db,
    owned: copy.owned,
    [Symbol.asyncDispose]: async () => {
      await copy.close()
      await elsewhere[Symbol.asyncDispose]()
      rmSync(home, { recursive: true, force: true })
    },
  }
}

test('a copy sends again no message that was made before the backup, and tells once of what no message was made of', async () => {
  await using original = await testDatabase()
  const account = await TestAccount.add(original.db)
  await account.stock()
  await account.channel()
  const before = new LoopProcess(original, account.shards)
  before.run.start()
  await before.fills(account, 1)
  await vi.waitFor(() => expect(before.arrived).toHaveLength(1), SOON)
  // The second one does not get through, and the third is in the journal only.
  const tried: Arrived[] = []
  before.answer = (arrived) => {
    tried.push(arrived)
    return { kind: 'again', why: '받지 않습니다.', afterMs: null }
  }
  await before.fills(account, 2)
  await vi.waitFor(async () => expect(await account.states()).toBe('1 sent, 1 waiting'), SOON)
  await vi.waitFor(() => expect(tried.length).toBeGreaterThan(0), SOON)
  await before.run.stop()
  await account.buy(3, 3)
  await using copy = await copyOf(original)
  const after = new LoopProcess(copy, account.shards, before.clock)
  after.run.start()
  await vi.waitFor(() => expect(texts(after.arrived)).toEqual(['삼성전자 3주를 샀습니다']), SOON)
  // What was to reach a channel is in no dump: its server may have got it through since. It is on the page of its person.
  const there = await TestAccount.find(copy.db, account.id)
  expect((await there.texts()).slice(0, 3)).toEqual([1, 2, 3].map((count) => `삼성전자 ${count}주를 샀습니다`))
  await after.fills(there, 4)
  await vi.waitFor(() => expect(after.arrived).toHaveLength(2), SOON)
  expect(texts(after.arrived)).toEqual(['삼성전자 3주를 샀습니다', '삼성전자 4주를 샀습니다'])
  // It is written down as sent after it has arrived.
  await vi.waitFor(async () => expect(await there.states()).toBe('2 sent'), SOON)
  expect(after.problems).toEqual([])
  await after.run.stop()
}, 120_000)

test('what lasts is called out by the copy, too: whom the alarm of before reached nobody knows', async () => {
  await using original = await testDatabase()
  const account = await TestAccount.add(original.db)
  await account.channel()
  const found = [{ kind: 'stockStopped', subject: '005930', code: '005930', forMs: 0, text: '멈췄습니다.' }] as const
  const attention = () => [{ userId: account.id, book: emptyBook('20261116'), found, endOf: () => '풀렸습니다.' }]
  const before = new LoopProcess(original, account.shards)
  Object.assign(before, { attention, answer: () => ({ kind: 'again', why: '받지 않습니다.', afterMs: null }) })
  before.run.start()
  await vi.waitFor(async () => expect(await account.states()).toBe('1 waiting'), SOON)
  await before.run.stop()

  await using copy = await copyOf(original)
  const after = new LoopProcess(copy, account.shards, before.clock)
  after.attention = attention
  after.run.start()
  await vi.waitFor(() => expect(texts(after.arrived)).toEqual(['멈췄습니다.']), SOON)
  await after.run.stop()
}, 120_000)
