import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PASSWORD, type ServerFixture } from '@digger/server/testing'
import { startFixture } from '@digger/server/testing/vitest'
import { lockFolder } from '@digger/database'
import { expect, onTestFinished, test } from 'vitest'
import { AdminError } from '../../src/admin/admin.ts'
import { operate } from '../operator.ts'
import { run } from './run.ts'

const rowOf = ({ database }: ServerFixture, userId: string) =>
  database.db.selectFrom('vault').selectAll().where('user_id', '=', userId).executeTakeFirstOrThrow()
const sharesFor = ({ database }: ServerFixture, adminId: string) =>
  database.db.selectFrom('vault_share').selectAll().where('admin_id', '=', adminId).execute()

test('lists, grants and revokes', async () => {
  await using fixture = await startFixture()
  await fixture.addUser('owner')
  expect(await run(fixture, ['grant', 'OWNER@digger.test'])).toMatch(/관리자로/)
  expect(await run(fixture, ['list'])).toMatch(/owner@digger\.test .*\*{4}\d{4} {2}관리자/)
  await run(fixture, ['revoke', 'owner@digger.test'])
  expect(await run(fixture, ['list'])).not.toMatch(/관리자/)
  await expect(run(fixture, ['grant', 'nobody@digger.test'])).rejects.toThrow(AdminError)
  await expect(run(fixture, ['dance'])).rejects.toThrow(/쓰는 법/)
})

test('after a revoke the rows are gone at once, the keys are new at each user’s next log-in', async () => {
  await using fixture = await startFixture()
  const boss = await fixture.addPerson('boss', true)
  const { userId, email } = await fixture.addPerson('owner')
  expect(await sharesFor(fixture, boss.userId)).toHaveLength(2)
  await run(fixture, ['revoke', boss.email])
  expect(await sharesFor(fixture, boss.userId)).toEqual([])
  expect(await fixture.database.db.selectFrom('admin_key').selectAll().execute()).toEqual([])
  // Still thought an administrator by a session of seconds ago.
  await fixture.vault.prepareAdmin(boss.userId, PASSWORD)
  expect(await fixture.database.db.selectFrom('admin_key').selectAll().execute()).toEqual([])
  const before = await rowOf(fixture, userId)
  expect(before.rotation_due).toBe(true)
  expect(await fixture.vault.credentials(userId)).toMatchObject({ htsId: 'hts-owner' })
  await fixture.logIn(email)
  expect(await rowOf(fixture, userId)).toMatchObject({ key_version: before.key_version + 1, rotation_due: false })
  expect(await fixture.vault.credentials(userId)).toMatchObject({ htsId: 'hts-owner' })
})

test('beside a server on the embedded database nothing is done, and it is said what to do', async () => {
  const DATA_DIR = mkdtempSync(join(tmpdir(), 'digger-in-use-'))
  onTestFinished(() => rmSync(DATA_DIR, { recursive: true }))
  const unlock = await lockFolder(DATA_DIR, 0)
  const { code, output } = await operate({ DATA_DIR }, 'grant', 'boss@digger.test')
  await unlock()
  expect([code, output]).toEqual([1, expect.stringMatching(/다른 Digger가 쓰고 있습니다.*서버를 끈 뒤/s)])
})

const server = process.env['DIGGER_TEST_POSTGRES']
test.runIf(server !== undefined)('a revoke beside a running server ends the stream of another’s account', async () => {
  await using fixture = await startFixture()
  const owner = await fixture.addPerson('owner')
  const admin = await fixture.addPerson('boss', true)
  const base = await fixture.app.listen({ host: '127.0.0.1', port: 0 })
  const reply = await fetch(`${base}/api/${owner.userId}/events`, { headers: { cookie: admin.cookie } })
  const reader = reply.body?.pipeThrough(new TextDecoderStream()).getReader()
  let streamed = ''
  while (!streamed.includes('retry')) streamed += (await reader?.read())?.value ?? ''
  const { rows } = await fixture.database.pool.query<{ name: string }>('select current_database() as name')
  const place = { DATABASE_URL: server?.replace(/[^/]*$/, rows[0]?.name ?? '') }
  expect((await operate(place, 'revoke', admin.email)).output).toContain('관리자에서 뺐습니다')
  fixture.clock.advance(10_000)
  let piece = await reader?.read()
  while (piece?.done === false) piece = await reader?.read()
  expect(piece?.done).toBe(true)
})
