import { CODE, Exchange, fakeKis } from '@digger/engine/testing'
import { afterEach, describe, expect, test } from 'vitest'
import type { ServerFixture } from './server-fixture.ts'
import { startFixture } from './shared-fixture.ts'

describe('the broker’s balance', () => {
  let fixture: ServerFixture
  afterEach(() => fixture[Symbol.asyncDispose]())

  test('has what may be ordered for beside the deposit, once the broker was asked, and asks nothing for it', async () => {
    fixture = await startFixture()
    const { userId, cookie } = await fixture.addPerson('owner')
    fixture.accounts.kisOf = () => fakeKis()
    const get = async () => (await fixture.call('GET', '/api/user/kis/balance', { cookie })).json()
    expect(await get()).toMatchObject({ availableAmount: 2_000_000, orderable: null })
    fixture.accounts.cash.set(userId, { amount: 600_000, at: Date.parse('2026-11-20T10:03:00+09:00') })
    expect(await get()).toMatchObject({
      availableAmount: 2_000_000,
      orderable: { amount: 600_000, at: '2026-11-20T10:03:00.000+09:00' },
    })
  })
})

describe('against a broker', () => {
  let market: Exchange
  afterEach(() => market.close())

  test('it is known from the morning on, and an open buy is taken off', async () => {
    market = await Exchange.open()
    await market.watch({ maxBuyPrice: 157_000, autoSell: false })
    const { deposit } = market.sim.cash(market.account)
    // The cash of the day is asked for once the account is armed, before a price waits for it.
    expect(market.engine.orderable(market.userId)?.amount).toBe(deposit)
    await market.price(156_900)
    await market.wait(3_000)
    const before = market.engine.orderable(market.userId)
    expect(before?.amount).toBeLessThanOrEqual(deposit)
    expect(market.stock?.lots).toHaveLength(1)
    await market.price(155_000)
    await market.wait(3_000)
    // Two more shares, for 155,000 won each, which no question has gone out for since.
    const after = market.engine.orderable(market.userId)
    expect(after?.amount).toBeLessThanOrEqual((before?.amount ?? 0) - 310_000)
    expect(market.stock?.issue.code).toBe(CODE)
  }, 60_000)
})
