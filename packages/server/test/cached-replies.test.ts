import * as fc from 'fast-check'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { request } from 'undici'
import { execution, fakeKis } from '@digger/engine/testing'
import { startFixture } from './shared-fixture.ts'
import { PASSWORD, type Person, ServerFixture } from './server-fixture.ts'

let fixture: ServerFixture
let owner: Person
let base: string

beforeEach(async () => {
  fixture = await startFixture()
  owner = await fixture.addPerson('owner')
  fixture.giveStock(owner.userId)
  base = await fixture.app.listen({ host: '127.0.0.1', port: 0 })
})
afterEach(() => fixture[Symbol.asyncDispose]())

/** Over a real connection: only there a kept reply leaves before the framework. */
async function get(path: string, headers: Record<string, string> = {}) {
  const reply = await request(base + path, { headers: { cookie: owner.cookie, ...headers } })
  return { status: reply.statusCode, headers: reply.headers, body: Buffer.from(await reply.body.arrayBuffer()) }
}

/** How many replies were sent again as they were. */
async function repeated(): Promise<number> {
  const { body } = await get('/metrics')
  return Number(/^digger_http_repeated (\d+)/m.exec(body.toString())?.[1])
}

const LIST = '/api/user/stock'
const gain = async () => JSON.parse((await get('/api/user/balance/gain')).body.toString())
const priceOf = async (path = LIST) => JSON.parse((await get(path)).body.toString())[0].price

describe('a list asked again', () => {
  test('is the same to the last header, and was not made anew', async () => {
    const [first, second, third] = [await get(LIST), await get(LIST), await get(LIST)]
    const plain = ({ headers, body }: typeof first) => ({ headers: { ...headers, date: '' }, body: body.toString() })
    expect(plain(second)).toEqual(plain(first))
    expect(plain(third)).toEqual(plain(first))
    expect(first.headers).toMatchObject({ 'cache-control': 'no-store', 'x-frame-options': 'DENY' })
    expect(await repeated()).toBe(2)
  })

  test('shows a price, a setting, a stop and the end of a second at once', async () => {
    expect(await priceOf()).toBe(70_500)
    fixture.accounts.prices.set('005930', { price: 71_000, at: fixture.clock.now() })
    expect(await priceOf()).toBe(71_000)
    fixture.accounts.happen(owner.userId, { at: 1, kind: 'stockStopped', code: '005930', stop: 'halt' })
    expect(JSON.parse((await get(LIST)).body.toString())[0].stop).toBe('halt')
    let second = 0
    fixture.accounts.outlook = () => ({ nextBuyPrice: ++second, nextSellPrice: null, due: null, reasons: [] })
    fixture.clock.advance(1_000)
    expect(JSON.parse((await get(LIST)).body.toString())[0].nextBuyPrice).toBe(1)
  })

  test('is 304 for who has it, and not for who has an older one', async () => {
    const { headers } = await get(LIST)
    const etag = String(headers['etag'])
    const again = await get(LIST, { 'if-none-match': etag })
    expect([again.status, again.body.length]).toEqual([304, 0])
    fixture.accounts.prices.set('005930', { price: 71_000, at: fixture.clock.now() })
    expect((await get(LIST, { 'if-none-match': etag })).status).toBe(200)
  })

  test.each([
    ['br, gzip', 'br', brotliDecompressSync],
    ['gzip, deflate', 'gzip', gunzipSync],
    ['gzip, br;q=0', 'gzip', gunzipSync],
    ['deflate', undefined, (body: Buffer) => body],
    ['br;q=0.0', undefined, (body: Buffer) => body],
  ])('for a browser that takes %s', async (accepted, encoding, open) => {
    for (const code of ['000660', '035420', '005380']) fixture.giveStock(owner.userId, code)
    const plain = await get(LIST)
    for (let times = 0; times < 3; times++) {
      const { headers, body } = await get(LIST, { 'accept-encoding': accepted })
      expect(headers['content-encoding']).toBe(encoding)
      expect(Number(headers['content-length'])).toBe(body.length)
      expect(open(body).toString()).toBe(plain.body.toString())
    }
  })
})

describe('nobody gets what was cached for another', () => {
  test('not the one who logged out, nor the one whose password was changed', async () => {
    const second = await fixture.logIn(owner.email)
    for (const cookie of [owner.cookie, second]) for (let n = 0; n < 3; n++) await get(LIST, { cookie })
    await fixture.call('DELETE', '/api/login', { cookie: second })
    expect((await get(LIST, { cookie: second })).status).toBe(401)
    expect((await get(LIST)).status).toBe(200)
    const payload = { oldPassword: PASSWORD, newPassword: '새 비밀번호 5678' }
    await fixture.call('PUT', '/api/user/user', { cookie: owner.cookie, payload })
    expect((await get(LIST)).status).toBe(401)
  })

  test('not another user, by the path `user` or by an id; an administrator sees whose it is', async () => {
    const other = await fixture.addPerson('mate')
    const admin = await fixture.addPerson('boss', true)
    for (let n = 0; n < 3; n++) {
      expect((await get(LIST)).body.toString()).toContain(owner.userId)
      expect((await get(LIST, { cookie: other.cookie })).body.toString()).toBe('[]')
      expect((await get(`/api/${owner.userId}/stock`, { cookie: other.cookie })).status).toBe(403)
      const seen = await get(`/api/admin/8017/user/${owner.userId}/stock`, { cookie: admin.cookie })
      expect(seen.body.toString()).toContain(owner.userId)
    }
  })

  test('not another site: what the development page may read is not handed to others, nor the other way round', async () => {
    const origin = 'http://localhost:5173'
    for (let n = 0; n < 3; n++) {
      expect((await get(LIST)).headers).not.toHaveProperty('access-control-allow-origin')
      expect((await get(LIST, { origin })).headers['access-control-allow-origin']).toBe(origin)
    }
  })
})

test('past trades and gain follow the book, and names follow an import', async () => {
  const insert = (id: number, code: string) =>
    fixture.database.pool.query(
      `insert into trade values ($1, $2, $3, 2, 70000, 140000, $4, null, false, true, 71000, 142000, $4, '20261120', 40, 280, false, false, 0)`,
      [owner.userId, id, code, fixture.clock.now()],
    )
  await fixture.database.pool.query(`insert into account values ($1, '20261120', 'active', 1, 1, 0)`, [owner.userId])
  await insert(1, '000660')
  expect(await gain()).toMatchObject([{ gain: { gainAmount: 2_000 }, stockGainList: [{ name: '000660' }] }])
  const bought = {
    id: 9,
    count: 1,
    buyPrice: 1,
    buyAmount: 1,
    boughtAt: 1,
    buyOrderId: null,
    heldBack: false,
    takenOver: false,
  }
  await insert(2, '000660')
  fixture.accounts.happen(owner.userId, { at: 1, kind: 'lotBought', code: '005930', lot: bought })
  expect(await gain()).toMatchObject([{ gain: { gainAmount: 4_000 } }])
  fixture.accounts.kisOf = () =>
    fakeKis({ executions: async () => [execution({ code: '000660', name: 'SK하이닉스' })] })
  const admin = await fixture.addPerson('boss', true)
  await fixture.call('POST', `/api/${owner.userId}/kis/ordered?code=000660`, { cookie: admin.cookie })
  expect(await gain()).toMatchObject([{ stockGainList: [{ name: 'SK하이닉스' }] }])
})

test('whatever happens in whatever order, a reply is the one of a server without a cache', async () => {
  const forgetful = new ServerFixture(fixture.database, { parts: { wall: fixture.clock, accounts: fixture.accounts } })
  forgetful.accounts.prices.set('005930', { price: 1, at: 1 })
  const { accounts, clock } = fixture
  const { userId, cookie } = owner
  const paths = [LIST, `${LIST}?withSavedGain=false`, `${LIST}/005930`, `${LIST}/005930/trade`, '/api/user/kis/order']
  const happenings: readonly (() => unknown)[] = [
    () => accounts.prices.set('005930', { price: 70_000 + (clock.now() % 7) * 100, at: clock.now() }),
    () => accounts.happen(userId, { at: clock.now(), kind: 'subscribed', code: '005930', subscribed: true }),
    () => accounts.happen(userId, { at: clock.now(), kind: 'subscribed', code: '005930', subscribed: false }),
    () => accounts.happen(userId, { at: clock.now(), kind: 'stockChecked', code: '005930' }),
    () => clock.advance(701),
    () => clock.advance(3_600_001),
  ]
  const step = fc.oneof(fc.constantFrom(...happenings), fc.constantFrom(...paths))
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 20 }), async (steps) => {
      const differing: string[] = []
      for (const one of steps) {
        if (typeof one === 'string') {
          const kept = await get(one)
          // A query nobody reads makes it another address: nothing is kept under it yet.
          const unread = `${one}${one.includes('?') ? '&' : '?'}nobody=${Math.random()}`
          const fresh = await forgetful.call('GET', unread, { cookie })
          if (kept.body.toString() !== fresh.body) differing.push(one)
        } else one()
      }
      expect(differing).toEqual([])
    }),
    { numRuns: 30 },
  )
  await forgetful.app.close()
})
