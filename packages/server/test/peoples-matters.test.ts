import { CODE, Exchange } from '@digger/engine/testing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ServerFixture } from './server-fixture.ts'
import { startFixture } from './shared-fixture.ts'

/** What stops until a person settles it is on /health and /metrics, and makes neither bad: a supervisor could not mend it. */
let market: Exchange
let fixture: ServerFixture

beforeEach(async () => {
  market = await Exchange.open()
  const probe = () => ({ ...market.engine.health.vitals(), broker: market.engine.health.broker })
  fixture = await startFixture({ parts: { probe } })
})
afterEach(async () => {
  await fixture[Symbol.asyncDispose]()
  await market.close()
})

const health = async () => {
  const reply = await fixture.call('GET', '/health')
  return { status: reply.statusCode, ...reply.json<{ ok: boolean; forPeople: { code: string }[] }>() }
}
const metric = async (name: string): Promise<number | null> => {
  const { body } = await fixture.call('GET', '/metrics')
  const line = body.split('\n').find((one) => one.startsWith(`digger_${name} `))
  return line === undefined ? null : Number(line.split(' ')[1])
}
const expectQuiet = async (): Promise<void> => {
  expect(await health()).toMatchObject({ status: 200, ok: true, forPeople: [] })
  for (const cause of ['mismatch', 'rejects', 'ambiguous', 'frozen'])
    expect(await metric(`stocks_stopped{cause="${cause}"}`)).toBe(0)
  for (const name of ['accounts_asking', 'accounts_not_armed_in_session', 'limits_reached'])
    expect([name, await metric(name)]).toEqual([name, 0])
}

async function settled(command: Parameters<Exchange['ask']>[0]): Promise<void> {
  await market.ask(command)
  await market.wait(1_000)
  await expectQuiet()
}

describe('trading', () => {
  beforeEach(() => market.watch({ maxBuyPrice: 157_000 }))

  test('a stock whose orders the broker refuses, until its person starts it again', async () => {
    await expectQuiet()
    const refused = { code: 'APBK0919', text: '주문이 잘못되었습니다.' }
    market.sim.faults.add({ kind: 'refuse', endpoint: 'orderBuy', ...refused, times: 3 })
    for (let price = 156_900; price > 156_500 && market.stock?.blocked == null; price -= 100) {
      await market.price(price)
      await market.wait(10_000)
    }
    expect(market.stock?.blocked).toMatchObject({ code: 'rejects' })
    const matter = { code: 'rejects', accounts: 1, stocks: 1, text: expect.stringMatching(/^계좌 1개의 종목 1개: /) }
    expect(await health()).toMatchObject({ status: 200, ok: true, troubles: [], forPeople: [matter] })
    expect(await metric('stocks_stopped{cause="rejects"}')).toBe(1)
    expect(await metric('stocks_stopped{cause="mismatch"}')).toBe(0)
    await settled({ kind: 'setStop', level: 'stock', code: CODE, stop: 'active' })
  }, 60_000)

  test('an account that asks because another Digger may trade it, until its person goes on', async () => {
    await market.price(156_900)
    await market.wait(3_000)
    const sale = market.orders.find(({ side, status }) => side === 'sell' && status === 'open')
    if (sale === undefined) throw new Error('nothing rests')
    const { sim, account } = market
    sim.setHolding(account, CODE, 10, 156_900)
    const made = { trigger: 0, original: null, change: null, division: '00', venue: 'KRX', routed: 'KRX' } as const
    const { count, price } = sale
    const order = { ...made, account, code: CODE, side: 'sell', count, price, reservedPrice: price } as const
    sim.broker.ledger.accept(sim.clock.now(), order)
    await market.wait(20_000)
    const asking = { code: 'otherServer', accounts: 1, stocks: 0, text: expect.stringMatching(/^계좌 1개: /) }
    expect(await health()).toMatchObject({
      status: 200,
      ok: true,
      troubles: [],
      forPeople: expect.arrayContaining([asking]),
    })
    expect(await metric('accounts_asking')).toBe(1)
    await market.engine.ask(market.userId, { kind: 'dismissOtherServer' })
    await market.wait(1_000)
    expect(await metric('accounts_asking')).toBe(0)
    expect((await health()).forPeople.map(({ code }) => code)).not.toContain('otherServer')
  }, 60_000)

  test('a limit that was reached, until its person lets go', async () => {
    await market.ask({ kind: 'setLimits', change: { positionAmount: 300_000 } })
    await market.price(156_900)
    await market.wait(1_000)
    const reached = { code: 'positionAmount', accounts: 1, stocks: 0 }
    expect(await health()).toMatchObject({ status: 200, ok: true, forPeople: [reached] })
    expect(await metric('limits_reached')).toBe(1)
    // Where the price asks for the same buy, letting go would reach it again.
    await market.price(158_000)
    await settled({ kind: 'setStop', level: 'user', code: null, stop: 'active' })
  }, 60_000)

  test('an account whose key is not open while the exchange trades', async () => {
    await market.engine.lock(market.userId)
    expect(await health()).toMatchObject({ status: 200, ok: true, forPeople: [{ code: 'noKey', accounts: 1 }] })
    expect(await metric('accounts_not_armed_in_session')).toBe(1)
    await market.restart()
    await expectQuiet()
  }, 60_000)
})

test('an account that trades nothing by itself is missed by nobody', async () => {
  await market.watch({ autoBuy: false, autoSell: false })
  await market.engine.lock(market.userId)
  expect(market.engine.health.vitals()).toMatchObject({ opened: 0, armed: 0 })
  await expectQuiet()
}, 60_000)
