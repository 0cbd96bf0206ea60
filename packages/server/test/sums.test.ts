import type { Balance } from '@digger/contract'
import { kstIso } from '@digger/core'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Person, ServerFixture } from './server-fixture.ts'
import { startFixture } from './shared-fixture.ts'

const DAY = '20261120'
const CODE = '005930'

let fixture: ServerFixture
let owner: Person

beforeEach(async () => {
  fixture = await startFixture()
  owner = await fixture.addPerson('owner')
  fixture.giveStock(owner.userId)
})
afterEach(() => fixture[Symbol.asyncDispose]())

const balance = async (query = ''): Promise<Balance> =>
  (await fixture.call('GET', `/api/user/balance${query}`, { cookie: owner.cookie })).json()
const sale = (code: string, sellPrice: number | null, day = DAY) => ({
  id: 90,
  code,
  count: 2,
  buyPrice: 70_000,
  buyAmount: 140_000,
  boughtAt: 0,
  sellPrice,
  sellAmount: sellPrice === null ? null : sellPrice * 2,
  soldAt: 0,
  day,
  fee: 42,
  tax: 284,
})
const sell = (code: string, sellPrice: number | null, day = DAY) =>
  fixture.accounts.happen(owner.userId, { kind: 'lotSold', at: 0, lotId: 99, trade: sale(code, sellPrice, day) })

test('the balance sums what is held, today’s gain, and past gain also of stocks that are sold out', async () => {
  fixture.accounts.bases.set(CODE, 70_000)
  const issue = { code: '000660', kind: 'stock', market: 'KOSPI', nxt: true } as const
  const { settings } = fixture.accounts.book(owner.userId).stocks.get(CODE) ?? {}
  if (settings === undefined) throw new Error('no stock')
  fixture.accounts.happen(owner.userId, {
    kind: 'stockAdded',
    at: 0,
    code: '000660',
    name: 'SK하이닉스',
    issue,
    settings,
  })
  sell('000660', 71_000)
  sell('000660', 60_000, '20261119')
  const shown = await balance()
  expect(shown).toMatchObject({
    stockValueAmount: 4 * 70_500,
    totalAmount: (shown.depositAmount ?? Number.NaN) + 4 * 70_500,
    today: { realised: 2_000, realisedNet: 1_674, open: 4 * 500 },
    accGainAmount: 2_000 - 20_000,
    list: [{ basePrice: 70_000, today: { realised: 0, realisedNet: 0, open: 2_000, heldBefore: 4, boughtAmount: 0 } }],
  })
  expect((await balance('?withSavedGain=false')).accGainAmount).toBe(0)
})

test.each<[string, () => void, Partial<Balance>]>([
  ['a price', () => fixture.accounts.prices.clear(), { stockValueAmount: null, totalAmount: null }],
  ['the base of the day', () => fixture.accounts.bases.clear(), { stockValueAmount: 4 * 70_500 }],
  ['what became of the share', () => fixture.freezeStock(owner.userId), { stockValueAmount: 4 * 70_500 }],
])('the balance is null where it is not known, never wrong: without %s', async (_, lose, over) => {
  fixture.accounts.bases.set(CODE, 70_000)
  lose()
  expect(await balance()).toMatchObject({ ...over, today: { realised: 0, realisedNet: 0, open: null } })
})

test('a stock says how much of its cap is used, and since when an order is due', async () => {
  const since = fixture.clock.now()
  const [order] = fixture.accounts.book(owner.userId).orders.values()
  if (order === undefined) throw new Error('no order')
  const buy = { ...order, id: 7, side: 'buy', price: 69_000, reservedPrice: 69_000, count: 3, lots: [] } as const
  fixture.accounts.happen(
    owner.userId,
    { kind: 'orderIntended', at: since, order: buy },
    { kind: 'sharesExpected', at: since, code: CODE, expected: { count: 1, amount: 1_000 } },
  )
  fixture.accounts.setDue(owner.userId, CODE, { side: 'buy', since })
  const stock = await fixture.call('GET', `/api/user/stock/${CODE}`, { cookie: owner.cookie })
  expect(stock.json()).toMatchObject({
    usedAmount: 278_600 + 1_000 + 207_000,
    buyingAmount: 207_000,
    due: { side: 'buy', since: kstIso(since) },
  })
})

const listed = async (cookie: string) => {
  const users = (await fixture.call('GET', '/api/admin/8017/user', { cookie })).json<
    { email: string; summary: unknown }[]
  >()
  return users.find(({ email }) => email === owner.email)?.summary
}

test('the administrators’ list says of each account what is known of it without asking the broker', async () => {
  const boss = await fixture.addPerson('boss', true)
  fixture.accounts.bases.set(CODE, 70_000)
  const summary = {
    totalAmount: expect.any(Number),
    realisedNet: 0,
    openGain: 2_000,
    openOrders: 1,
    lastOrderAt: expect.stringMatching(/^2026-11-20T/),
    differences: 0,
    stop: 'active',
  }
  expect(await listed(boss.cookie)).toEqual(summary)
  let asked = 0
  fixture.accounts.kisOf = () => {
    asked += 1
    throw new Error('asked')
  }
  fixture.freezeStock(owner.userId)
  fixture.accounts.happen(owner.userId, { kind: 'userStopped', at: 0, stop: 'halt' })
  fixture.accounts.prices.clear()
  const worse = { ...summary, totalAmount: null, openGain: null, differences: 1, stop: 'halt' }
  expect([await listed(boss.cookie), asked]).toEqual([worse, 0])
})
