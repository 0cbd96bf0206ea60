import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { restoreBackup, takeBackup } from '@digger/backup'
import { openDatabase } from '@digger/database'
import { testDatabase, testPlace } from '@digger/database/testing'
import { type Arrived, LoopProcess, TestAccount } from '@digger/notifications/testing'
import { expect, test, vi } from 'vitest'

const SOON = { timeout: 30_000, interval: 20 }
const texts = (arrived: readonly Arrived[]): string[] => arrived.map(({ text }) => text.split('\n')[0] ?? '')

test('a copy sends again no message that was made before the backup, and tells once of what no message was made of', async () => {
  const home = mkdtempSync(join(tmpdir(), 'digger-told-'))
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
  const source = { pool: original.pool, kind: 'embedded', takenAt: Date.now() } as const
  const { folder } = await takeBackup(source, home)

  await using elsewhere = await testPlace({ empty: true })
  const place = { dataDir: elsewhere.config.DATA_DIR, databaseUrl: elsewhere.config.DATABASE_URL }
  await restoreBackup(folder, place)
  const copy = await openDatabase(place)
  const after = new LoopProcess(copy, account.shards, before.clock)
  after.run.start()
  await vi.waitFor(() => expect(texts(after.arrived)).toEqual(['삼성전자 3주를 샀습니다']), SOON)
  // What was to reach a channel is in no dump: its server may have got it through since. It is on the page of its person.
  const there = await TestAccount.find(copy.db, account.id)
  expect((await there.texts()).slice(0, 3)).toEqual([1, 2, 3].map((count) => `삼성전자 ${count}주를 샀습니다`))
  await after.fills(there, 4)
  await vi.waitFor(() => expect(after.arrived).toHaveLength(2), SOON)
  expect(texts(after.arrived)).toEqual(['삼성전자 3주를 샀습니다', '삼성전자 4주를 샀습니다'])
  expect([await there.states(), after.problems]).toEqual(['2 sent', []])
  await after.run.stop()
  await copy.close()
  rmSync(home, { recursive: true, force: true })
}, 120_000)
