import type { Reply } from '@digger/contract'
import { kstInstant, type MorningItem } from '@digger/core'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Person, ServerFixture } from './server-fixture.ts'
import { startFixture } from './shared-fixture.ts'

let fixture: ServerFixture
let owner: Person

beforeEach(async () => {
  fixture = await startFixture()
  owner = await fixture.addPerson('owner')
  fixture.giveStock(owner.userId)
})
afterEach(() => fixture[Symbol.asyncDispose]())

const get = (cookie: string, of = 'user') => fixture.call('GET', `/api/${of}/morning`, { cookie })
const item = (over: Partial<MorningItem>): MorningItem => ({
  item: 'key',
  state: 'ok',
  since: null,
  text: '키가 열려 있습니다.',
  codes: [],
  ...over,
})

test('the check, with stocks by their names and the worst of all items', async () => {
  fixture.accounts.mornings = [
    item({ since: kstInstant('20261120', '083000') }),
    item({ item: 'limits', state: 'red', codes: ['005930', '999999'] }),
  ]
  expect((await get(owner.cookie)).json<Reply<'morning'>>()).toMatchObject({
    state: 'red',
    items: [
      { item: 'key', since: '2026-11-20T08:30:00.000+09:00', stocks: [] },
      // One that was removed meanwhile.
      { item: 'limits', stocks: [{ code: '005930', name: '삼성전자' }, { name: '999999' }] },
    ],
  })
  fixture.accounts.mornings = [item({}), item({ item: 'cash', state: 'notApplicable', since: 0 })]
  expect((await get(owner.cookie)).json<Reply<'morning'>>()).toMatchObject({
    state: 'ok',
    items: [{}, { since: null }],
  })
})

test('that all is there, and nothing leaves: stopped, or only rehearsed', async () => {
  fixture.accounts.mornings = [item({})]
  const idle = async () => (await get(owner.cookie)).json<Reply<'morning'>>().idle
  expect(await idle()).toBeUndefined()
  fixture.accounts.happen(owner.userId, { kind: 'stockShadowed', code: '005930', shadow: true, at: 0 })
  expect(await idle()).toBe('shadow')
  await fixture.accounts.setServerStop('halt')
  expect(await idle()).toBe('halt')
})

test('its own person and administrators see it, nobody else', async () => {
  const [other, boss] = [await fixture.addPerson('other'), await fixture.addPerson('boss', true)]
  const status = async ({ cookie }: Person) => (await get(cookie, owner.userId)).statusCode
  expect([await status(owner), await status(boss), await status(other)]).toEqual([200, 200, 403])
})

test('the administrators’ list says who is not ready, and why, without a call of the broker', async () => {
  const boss = await fixture.addPerson('boss', true)
  const of = async () => {
    const users = (await fixture.call('GET', '/api/admin/8017/user', { cookie: boss.cookie })).json<
      Reply<'adminUsers'>
    >()
    return users.find(({ userId }) => userId === owner.userId)?.morning
  }
  fixture.accounts.kisOf = () => {
    throw new Error('the broker was asked')
  }
  fixture.accounts.mornings = [
    item({}),
    item({ item: 'limits', state: 'red', text: '상한가를 읽지 못했습니다.', codes: ['005930'] }),
    item({ item: 'cash', state: 'red', text: '살 수 있는 금액을 알지 못합니다.' }),
  ]
  expect(await of()).toEqual({ state: 'red', red: 2, text: '상한가를 읽지 못했습니다.' })
  fixture.accounts.mornings = [item({}), item({ item: 'cash', state: 'waiting' })]
  expect(await of()).toEqual({ state: 'waiting', red: 0, text: null })
  // All is there, and nothing automatic leaves all the same.
  fixture.accounts.mornings = [item({})]
  fixture.accounts.rehearsesAll = () => true
  expect(await of()).toEqual({ state: 'ok', idle: 'shadow', red: 0, text: null })
  // An account that could not be loaded: nothing is known of it.
  fixture.accounts.has = (userId) => userId !== owner.userId
  expect(await of()).toBeNull()
})

test('the first days are asked for with whole numbers only, and the log has who changed them', async () => {
  const set = (payload: object) =>
    fixture.call('POST', '/api/user/limits/first-days', { cookie: owner.cookie, payload })
  expect((await set({ on: true, days: '1.5', amount: '1000' })).statusCode).toBe(400)
  expect((await set({ on: true, days: '5' })).statusCode).toBe(400)
  expect((await set({ on: true, days: '', amount: '1,000,000' })).statusCode).toBe(200)
  expect(fixture.accounts.commands.at(-1)?.command).toEqual({
    kind: 'setFirstDays',
    rule: { on: true, days: null, amount: 1_000_000 },
  })
  const audit = await fixture.call('GET', '/api/user/audit', { cookie: owner.cookie })
  expect(audit.json()[0]).toMatchObject({ detail: expect.stringContaining('켬 풀 때까지 1000000원') })
})
