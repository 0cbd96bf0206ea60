import type { LiveEvent, Reply } from '@digger/contract'
import { verifyAccount } from '@digger/storage'
import { CODE, Exchange } from '@digger/engine/testing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { liveEventsOf, stopsView } from '@digger/screens'
import { problemIn } from './request.ts'
import type { Person, ServerFixture } from './server-fixture.ts'
import { startFixture } from './shared-fixture.ts'

describe('against a broker', () => {
  let market: Exchange
  let events: LiveEvent[]

  beforeEach(async () => {
    market = await Exchange.open()
    events = []
    market.engine.observe({
      accountChanged: (change) => events.push(...liveEventsOf(market.engine, change, market.sim.clock.now())),
    })
    await market.watch({ maxBuyPrice: 157_000 })
  })
  afterEach(() => market.close())

  const suspected = () => stopsView(market.engine.book(market.userId), 'active', null).otherServer
  const resting = () => market.orders.filter(({ side, status }) => side === 'sell' && status === 'open')

  /** An order that reached the broker by another way. */
  function byAnother(order: { readonly side: 'buy' | 'sell'; readonly count: number; readonly price: number }): void {
    const { sim, account } = market
    const made = { trigger: 0, original: null, change: null, division: '00', venue: 'KRX', routed: 'KRX' } as const
    sim.broker.ledger.accept(sim.clock.now(), { ...made, ...order, account, code: CODE, reservedPrice: order.price })
  }

  test('an order like a resting one stops the account over a restart, until its person goes on', async () => {
    await market.price(156_900)
    await market.wait(3_000)
    const [sale] = resting()
    if (sale === undefined) throw new Error('nothing rests')
    // More shares, so that the broker takes the second sale.
    market.sim.setHolding(market.account, CODE, 10, 156_900)
    byAnother(sale)
    await market.wait(20_000)
    expect(suspected()?.text).toContain(`${sale.count}주를 ${sale.price.toLocaleString('ko')}원에 파는`)
    expect(events.findLast((event) => event.kind === 'stop')).toMatchObject({
      stops: { user: 'active', otherServer: {} },
    })
    await market.restart()
    await market.wait(2_000)
    expect(suspected()).not.toBe(null)
    // What the rules would buy does not leave.
    const before = market.taken('buy').length
    await market.price(150_000)
    await market.wait(2_000)
    expect(market.taken('buy')).toHaveLength(before)
    expect(market.engine.outlook(market.userId, CODE).reasons.map(({ code }) => code)).toContain('otherServer')
    await expect(market.engine.ask(market.userId, { kind: 'sellAtMarket', code: CODE })).rejects.toThrow('계속하기')
    await market.engine.ask(market.userId, { kind: 'dismissOtherServer' })
    await market.wait(60_000)
    expect(suspected()).toBe(null)
    await market.restart()
    await market.wait(20_000)
    expect(suspected()).toBe(null)
    expect((await verifyAccount(market.database.db, market.userId)).differences).toEqual([])
  }, 60_000)

  test('an order unlike any of ours stops nothing', async () => {
    await market.price(156_900)
    await market.wait(3_000)
    market.sim.setHolding(market.account, CODE, 10, 156_900)
    byAnother({ side: 'sell', count: 1, price: 190_000 })
    await market.wait(20_000)
    expect(suspected()).toBe(null)
    expect(market.engine.strangers(market.userId)).toMatchObject([{ side: 'sell', count: 1, price: 190_000 }])
  }, 60_000)
})

describe('over HTTP', () => {
  let fixture: ServerFixture
  let owner: Person

  beforeEach(async () => {
    fixture = await startFixture()
    owner = await fixture.addPerson('owner')
    fixture.giveStock(owner.userId)
    const at = fixture.clock.now()
    fixture.accounts.happen(owner.userId, { at, kind: 'otherServerSuspected', signs: ['key'], text: '앱키' })
  })
  afterEach(() => fixture[Symbol.asyncDispose]())

  const call = (method: 'GET' | 'POST', url: string, cookie = owner.cookie) => fixture.call(method, url, { cookie })
  const DISMISS = '/api/user/other-server/dismiss'

  test('it is among the stops, beside what the person has set', async () => {
    const stops = (await call('GET', '/api/user/stop')).json<Reply<'stop'>>()
    expect(stops).toMatchObject({
      user: 'active',
      otherServer: { text: '앱키', at: expect.stringContaining('+09:00') },
    })
  })

  test('its owner lets it go on, with what was asked in the log, also without the key', async () => {
    await fixture.vault.remove(owner.userId)
    await fixture.accounts.lock(owner.userId)
    expect((await call('POST', DISMISS)).json()).toMatchObject({ otherServer: null })
    expect(fixture.accounts.commands.at(-1)?.command).toEqual({ kind: 'dismissOtherServer' })
    const [line] = (await call('GET', '/api/user/audit')).json<{ action: string; detail: string }[]>()
    expect(line).toMatchObject({ action: '다른 Digger가 없는지 확인하고 계속하기', detail: '앱키' })
  })

  test('nobody else does, but an administrator', async () => {
    const other = await fixture.addPerson('other')
    const url = `/api/${owner.userId}/other-server/dismiss`
    expect(problemIn(await call('POST', url, other.cookie))).toBe('FORBIDDEN')
    const boss = await fixture.addPerson('boss', true)
    expect((await call('POST', url, boss.cookie)).json()).toMatchObject({ otherServer: null })
  })
})
