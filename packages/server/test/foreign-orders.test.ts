import type { Order } from '@digger/contract'
import type { Stranger } from '@digger/core'
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

const ORDERS = '/api/user/kis/order'
const get = async (url: string, cookie = owner.cookie) => (await fixture.call('GET', url, { cookie })).json<Order[]>()
const shown = (orders: Order[]): string[] =>
  orders.map(({ orderId, name, orderType, foreign }) => `${orderId} ${name} ${orderType}${foreign ? ' foreign' : ''}`)

const byPhone = (over: Partial<Stranger> = {}): Stranger => ({
  day: '20261120',
  code: '005930',
  name: '삼성전자보통주',
  odno: '0000000900',
  side: 'buy',
  venue: 'SOR',
  price: 69_000,
  count: 3,
  orderedAt: fixture.clock.now(),
  filledCount: 1,
  remainingCount: 2,
  replaces: null,
  ...over,
})

test('an order made by phone is in the list, marked, with all a person needs to find it in the broker’s app', async () => {
  fixture.accounts.showStrangers(owner.userId, byPhone())
  const orders = await get(ORDERS)
  expect(shown(orders)).toEqual(['0000004321 삼성전자 SELL', '0000000900 삼성전자 BUY foreign'])
  expect(orders[1]).toEqual({
    orderId: '0000000900',
    code: '005930',
    name: '삼성전자',
    orderType: 'BUY',
    qty: 3,
    filledQty: 1,
    price: 69_000,
    orderDateTime: expect.stringContaining('+09:00'),
    exchangeCode: 'SOR',
    auto: false,
    foreign: true,
  })
})

test('of a stock that is not in the list it has the broker’s name, or the code; without a time it has none', async () => {
  fixture.accounts.showStrangers(
    owner.userId,
    byPhone({ code: '035720', name: '카카오', orderedAt: null }),
    byPhone({ code: '000660', name: '', odno: '0000000901' }),
  )
  const [, first, second] = await get(ORDERS)
  expect([first?.name, first?.orderDateTime, second?.name]).toEqual(['카카오', null, '000660'])
})

test('the filters of the list hold for them, too', async () => {
  fixture.accounts.showStrangers(owner.userId, byPhone(), byPhone({ odno: '0000000901', code: '035720', side: 'sell' }))
  expect(shown(await get(`${ORDERS}?orderType=BUY`))).toEqual(['0000000900 삼성전자 BUY foreign'])
  expect(shown(await get(`${ORDERS}?code=035720`))).toEqual(['0000000901 삼성전자보통주 SELL foreign'])
})

test('an administrator sees them as their owner does, and nobody else', async () => {
  fixture.accounts.showStrangers(owner.userId, byPhone())
  const boss = await fixture.addPerson('boss', true)
  const other = await fixture.addPerson('other')
  expect(await get(`/api/admin/8017/user/${owner.userId}/order`, boss.cookie)).toEqual(await get(ORDERS))
  expect(await get(ORDERS, other.cookie)).toEqual([])
  expect((await fixture.call('GET', `/api/${owner.userId}/kis/order`, { cookie: other.cookie })).statusCode).toBe(403)
})

test('who watches the page is told when one comes or goes', async () => {
  const events: string[] = []
  const { leave } = fixture.services.live.join(owner.userId, {
    write: (text) => Boolean(events.push(text)),
    end: () => undefined,
  })
  fixture.accounts.showStrangers(owner.userId, byPhone())
  fixture.clock.advance(1_000)
  expect(events.join('')).toContain('event: orders')
  leave()
})
