import { KEY_HEADER, LostAnswer } from '@digger/contract'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { ServerFixture } from './server-fixture.ts'
import { startFixture } from './shared-fixture.ts'

const KEY = { [KEY_HEADER]: 'press-0123456789' }
const CODE = '/api/user/stock/005930'

let fixture: ServerFixture
let userId = ''
let cookie = ''
const call = (method: 'POST' | 'DELETE', url: string, payload?: object, headers: Record<string, string> = KEY) =>
  fixture.call(method, url, { cookie, headers, ...(payload && { payload }) })

beforeAll(async () => {
  fixture = await startFixture()
  // An administrator may buy by hand.
  ;({ userId, cookie } = await fixture.addPerson('minji', true))
  fixture.giveStock(userId)
})
beforeEach(() => {
  fixture.accounts.commands.length = 0
  fixture.accounts.done.clear()
  fixture.accounts.answer = {}
})

test('a key stands for the call with its input, whichever name of the account its path has', async () => {
  const first = await call('POST', `${CODE}/order/buy`, { amount: '100' })
  expect(first.json()).toEqual({ orders: [] })
  await call('POST', `/api/${userId}/stock/005930/order/buy`, { amount: 100 }, { [KEY_HEADER]: '"press-9876543210"' })
  await call('POST', `${CODE}/order/buy`, { amount: 101 }, { [KEY_HEADER]: 'press-other-amount' })
  await call('POST', `${CODE}/order/buy`, { amount: 102 }, {})
  const keys = fixture.accounts.commands.map(({ key }) => key)
  expect(keys.map((key) => key?.key)).toEqual(['press-0123456789', 'press-9876543210', 'press-other-amount', undefined])
  expect([keys[0]?.call === keys[1]?.call, keys[0]?.call === keys[2]?.call]).toEqual([true, false])
})

test.each(['short', 'with a space in it', 'x'.repeat(65), '한글로된열쇠는받지않습니다아아아'])(
  '%s is no key',
  async (key) => {
    const sent = { [KEY_HEADER]: Buffer.from(key).toString('latin1') }
    const reply = await call('POST', `${CODE}/sell`, undefined, sent)
    expect([reply.statusCode, reply.json(), fixture.accounts.commands]).toMatchObject([400, { code: 'INVALID' }, []])
  },
)

test('a switch that is pressed once and comes twice is not turned back', async () => {
  const replies = [await call('POST', `${CODE}/subscribed`), await call('POST', `${CODE}/subscribed`)]
  expect(replies.map((reply) => reply.json())).toEqual([{ subscribed: false }, { subscribed: false }])
  expect(fixture.accounts.commands).toHaveLength(1)
})

test('a lost answer is told to programs by a header', async () => {
  fixture.accounts.answer = new LostAnswer('모릅니다', 'BUSY')
  const reply = await call('POST', `${CODE}/sell`)
  expect([reply.statusCode, reply.headers['x-digger-lost-answer']]).toEqual([429, '1'])
})

test('the documentation says how a call is named, for the calls that can be', async () => {
  await fixture.app.ready()
  const { paths }: { paths?: Record<string, Record<string, { parameters?: { in: string; name: string }[] }>> } =
    JSON.parse(JSON.stringify(fixture.app.swagger()))
  const named = (path: string, method: string) =>
    paths?.[path]?.[method]?.parameters?.some(({ in: place, name }) => place === 'header' && name === KEY_HEADER) ===
    true
  expect(named('/api/{userId}/stock/{code}/order/buy', 'post')).toBe(true)
  expect(named('/api/{userId}/stock', 'get')).toBe(false)
})

test('what is asked again says so in the log of the account, and needs no user key', async () => {
  await call('POST', `${CODE}/sell`)
  fixture.vault.forget(userId)
  const again = await call('POST', `${CODE}/sell`)
  const audit = await fixture.call('GET', '/api/user/audit', { cookie })
  const [newest, before] = audit.json<{ detail: string }[]>()
  expect([again.statusCode, newest?.detail, before?.detail]).toEqual([
    200,
    expect.stringContaining('다시 받은 같은 요청'),
    expect.not.stringContaining('다시'),
  ])
})

test('a stock that was deleted is deleted, however often that is asked under its key', async () => {
  const replies = [await call('DELETE', CODE), await call('DELETE', CODE)]
  expect(replies.map(({ statusCode }) => statusCode)).toEqual([200, 200])
})
