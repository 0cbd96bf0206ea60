import { readConfig } from '@digger/config'
import { Exchange } from '@digger/engine/testing'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { notifyingOf } from '../src/notifying.ts'
import type { BackupState } from '../src/services.ts'

test('administrators are told of a daily backup that fails, and once that one went well', async () => {
  const market = await Exchange.open()
  onTestFinished(() => market.close())
  const { database, clock, engine } = market
  await database.db.updateTable('users').set({ digger_admin: true }).execute()
  const DATA_DIR = mkdtempSync(join(tmpdir(), 'digger-notified-'))
  onTestFinished(() => rmSync(DATA_DIR, { recursive: true, force: true }))
  const state: { failure: string | null } & Pick<BackupState, 'newestAt'> = { failure: null, newestAt: null }
  const problems: unknown[] = []
  const notifying = await notifyingOf(
    { config: readConfig({ DATA_DIR, PUBLIC_URL: 'https://digger.example.com' }) },
    {
      database,
      clock,
      wall: clock,
      key: randomBytes(32),
      engine,
      timetable: () => ({ hours: 'always', closed: new Set(), special: new Map() }),
      // Of the services it asks for these only.
      services: () => Object.assign(Object.create(null), { keys: { troubles: [] }, backup: () => state }),
      problem: (_userId, error) => problems.push(error),
    },
  )
  notifying.start()
  onTestFinished(() => notifying.stop())
  const texts = async (): Promise<string[]> =>
    (await database.db.selectFrom('notification').select('text').orderBy('id').execute()).map(({ text }) => text)
  /** Time passes until the last text is this one: what is told is looked at beside it. */
  const comes = (text: string): Promise<void> =>
    vi.waitFor(
      async () => {
        await market.wait(5_000)
        expect((await texts()).at(-1)).toBe(text)
      },
      { timeout: 30_000, interval: 10 },
    )
  state.failure = '디스크에 자리가 없습니다.'
  await comes('서버: 매일 하는 백업이 되지 않았습니다: 디스크에 자리가 없습니다.')
  state.failure = null
  await comes('서버: 알려 드린 문제가 해결되었습니다.')
  expect(await texts()).toHaveLength(2)
  expect(problems).toEqual([])
}, 90_000)
