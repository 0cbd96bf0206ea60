import { ALL_SHARDS } from '@digger/database/testing'
import { makeStopLink } from '@digger/identity'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startFixture } from './shared-fixture.ts'
import type { Person, ServerFixture } from './server-fixture.ts'

// What whoever presses a stop from outside is answered, where it cannot be done at once or not whole.
const SOON = { timeout: 20_000 }
const HOUR_MS = 3_600_000

let fixture: ServerFixture
let owner: Person
let loaded: readonly number[]

beforeEach(async () => {
  loaded = ALL_SHARDS
  fixture = await startFixture({ parts: { loadedShards: () => loaded } })
  owner = await fixture.addPerson('owner')
  fixture.giveStock(owner.userId)
})
afterEach(() => fixture[Symbol.asyncDispose]())

const press = async (): Promise<readonly [status: number, message: string]> => {
  const token = await makeStopLink(fixture.database.db, owner.userId, fixture.clock.now())
  const reply = await fixture.call('POST', '/api/stop-link', { payload: { token } })
  return [reply.statusCode, reply.json<{ message: string }>().message]
}
const begin = () => fixture.services.jobs.begin('stopAll', { userId: owner.userId, email: '멈춤 링크' }, [owner.userId])
const item = () => fixture.database.db.selectFrom('job_item').select(['state', 'attempts']).executeTakeFirstOrThrow()
const published = async (): Promise<string[]> => {
  const rows = await fixture.database.db
    .selectFrom('notification')
    .select('text')
    .where('kind', '=', 'stopPressed')
    .execute()
  return rows.map(({ text }) => text)
}
const stops = () => fixture.accounts.commands.filter(({ command }) => command.kind === 'stopAll').length

test('with the key open, what still rests is said to be cancelled again', async () => {
  expect(await press()).toEqual([
    200,
    expect.stringContaining('주문 1건은 아직 남아 있어 끝날 때까지 취소를 다시 보냅니다.'),
  ])
})

test('with the key closed no cancel is claimed to be under way: the broker is the place to cancel', async () => {
  await fixture.accounts.lock(owner.userId)
  const [status, message] = await press()
  expect(status).toBe(200)
  expect(message).not.toContain('취소를 다시 보냅니다')
  expect(message).toContain('주문 1건은 키가 열려 있지 않아 취소하지 못했습니다.')
  expect(message).toContain('증권사 앱에서 취소')
  const [text] = await published()
  expect(text).toContain('취소하지 못했습니다.')
})

test('one that nobody could take for hours is not dropped: whoever has the account next stops it', async () => {
  loaded = []
  const jobId = await begin()
  fixture.clock.advance(14 * HOUR_MS)
  loaded = ALL_SHARDS
  fixture.services.jobs.changed(jobId)
  await expect.poll(async () => (await item()).state, SOON).toBe('done')
  expect([stops(), (await published()).length]).toEqual([1, 1])
})

test('that nobody could be informed of it does not make the stop look undone', async () => {
  const { notifications } = fixture.services
  if (notifications === undefined) throw new Error('nobody tells')
  notifications.stopPressed = () => Promise.reject(new Error('no outbox'))
  expect(await press()).toEqual([200, expect.stringMatching(/^모두 멈췄습니다\./)])
  expect(fixture.log.join('')).toContain('no outbox')
})

test('done again, as nobody knew whether it was, it is reported once', async () => {
  // The account goes while it is worked on, so that the next process does it again.
  const ask = fixture.accounts.ask.bind(fixture.accounts)
  fixture.accounts.ask = async (...args) => {
    loaded = []
    fixture.accounts.ask = ask
    return ask(...args)
  }
  const jobId = await begin()
  await expect.poll(item, SOON).toMatchObject({ state: 'waiting', attempts: 1 })
  loaded = ALL_SHARDS
  fixture.services.jobs.changed(jobId)
  await expect.poll(item, SOON).toMatchObject({ state: 'done', attempts: 2 })
  expect([stops(), (await published()).length]).toEqual([2, 1])
})

test('done by another process, it is answered as soon as that has ended', async () => {
  loaded = []
  const pressed = press()
  await expect
    .poll(async () => (await fixture.database.db.selectFrom('job_item').select('state').execute()).length, SOON)
    .toBe(1)
  const now = fixture.clock.now()
  const result = '모두 멈췄습니다.'
  await fixture.database.db.updateTable('job_item').set({ state: 'done', result, finished_at: now }).execute()
  await fixture.database.db.updateTable('job').set({ finished_at: now }).execute()
  let answer: unknown = null
  void pressed.then((came) => (answer = came))
  const start = fixture.clock.now()
  await expect
    .poll(() => {
      if (fixture.clock.now() < start + 5_000) fixture.clock.advance(1_000)
      return answer
    }, SOON)
    .toEqual([200, result])
})

test('an administrator gets nobody else a secret, nor makes theirs void by it', async () => {
  const admin = await fixture.addPerson('boss', true)
  const token = await makeStopLink(fixture.database.db, owner.userId, fixture.clock.now())
  const path = `/api/${owner.userId}/stop/link`
  const made = await fixture.call('POST', path, { cookie: admin.cookie, payload: {} })
  expect([made.statusCode, made.body.includes('/halt#')]).toEqual([403, false])
  expect((await fixture.call('POST', '/api/stop-link', { payload: { token } })).statusCode).toBe(200)
  expect((await fixture.call('DELETE', path, { cookie: admin.cookie })).statusCode).toBe(200)
  expect((await fixture.call('POST', '/api/stop-link', { payload: { token } })).statusCode).toBe(404)
})
