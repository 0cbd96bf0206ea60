import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { verifyAccount } from '@digger/storage'
import { CODE, Exchange } from './exchange.ts'

let market: Exchange

beforeEach(async () => {
  market = await Exchange.open()
  market.sim.setPrice(CODE, 158_000)
})
afterEach(async () => {
  await market.close()
})

/** Book and broker hold the same, and the tables are what the journal says. */
async function expectAgreement(): Promise<void> {
  const book = (market.stock?.lots ?? []).reduce((sum, lot) => sum + lot.count, 0)
  const broker = market.sim.holdings(market.account).find((holding) => holding.code === CODE)?.count ?? 0
  expect(book).toBe(broker)
  expect((await verifyAccount(market.database.db, market.userId)).differences).toEqual([])
}

test('a price becomes a lot, and a higher one closes it with its gain', async () => {
  await market.watch({ maxBuyPrice: 157_000 })
  expect(market.taken('buy')).toEqual([])
  await market.price(156_900)
  await market.wait(1_000)
  const [lot] = market.stock?.lots ?? []
  expect(lot).toMatchObject({ count: 2, buyPrice: 156_900, buyAmount: 313_800 })
  expect(market.taken('sell')).toMatchObject([{ count: 2, price: 158_500 }])
  await market.price(158_500)
  await market.wait(1_000)
  expect(market.stock).toMatchObject({ lots: [], accGainAmount: 3_200 })
  // Nothing is held, so the reference is the sale; its next buy lies above the ceiling and waits for that.
  expect(market.stock?.settings.lastBuyPrice).toBe(158_500)
  const closed = await market.database.db.selectFrom('trade').selectAll().executeTakeFirstOrThrow()
  expect(closed).toMatchObject({ closed: true, count: 2, sell_price: 158_500, sell_amount: 317_000 })
  const { settled } = market.sim.cash(market.account)
  expect(settled).toBe(100_000_000 + 3_200 - Number(closed.fee) - Number(closed.tax))
  await expectAgreement()
})

test('a reply that is lost after the broker took the order never leads to a second one', async () => {
  await market.watch({ maxBuyPrice: 157_000 })
  market.sim.faults.add({ kind: 'loseReply', endpoint: 'orderBuy', times: 1 })
  await market.price(156_900)
  expect(market.orders).toMatchObject([{ side: 'buy', status: 'unknown' }])
  for (const price of [156_800, 156_700, 156_900]) await market.price(price)
  await market.wait(30_000)
  expect(market.taken('buy')).toHaveLength(1)
  expect(market.stock?.lots).toMatchObject([{ count: 2 }])
  await expectAgreement()
})

test('an order that never reached the broker is given up after the lag, and only then bought again', async () => {
  await market.watch({ maxBuyPrice: 157_000 })
  market.sim.faults.add({ kind: 'loseRequest', endpoint: 'orderBuy', times: 1 })
  await market.price(156_900)
  expect(market.orders).toMatchObject([{ status: 'unknown' }])
  await market.wait(15_000)
  await market.price(156_900)
  expect(market.taken('buy')).toEqual([])
  await market.wait(15_000)
  expect(market.orders).toMatchObject([{ status: 'notPlaced' }])
  await market.price(156_900)
  await market.wait(1_000)
  expect(market.taken('buy')).toHaveLength(1)
  await expectAgreement()
})

test('an order on its way when the server died is found again, not sent again', async () => {
  await market.watch({ maxBuyPrice: 157_000 })
  market.sim.faults.add({ kind: 'loseReply', endpoint: 'orderBuy', times: 1 })
  await market.price(156_900)
  await market.restart()
  await market.price(156_900)
  await market.wait(30_000)
  expect(market.taken('buy')).toHaveLength(1)
  expect(market.stock?.lots).toMatchObject([{ count: 2 }])
  await expectAgreement()
})

test('without notices the fills are found by the timer', async () => {
  await market.watch({ maxBuyPrice: 157_000 })
  market.sim.faults.add({ kind: 'dropNotice' })
  await market.price(156_900)
  await market.wait(1_000)
  await market.wait(16_000)
  expect(market.stock?.lots).toMatchObject([{ count: 2 }])
  await expectAgreement()
})

test('the broker’s own message reaches the person whose order it refused', async () => {
  await market.watch({ maxBuyPrice: 157_000, autoSell: false })
  await market.price(156_900)
  await market.wait(1_000)
  market.sim.faults.add({
    kind: 'refuse',
    code: 'APBK1943',
    text: '시장가호가불가로 주문이 불가합니다.',
    endpoint: 'orderSell',
    times: 1,
  })
  const sale = market.engine.ask(market.userId, { kind: 'sellAtMarket', code: CODE })
  await expect(sale).rejects.toMatchObject({ code: 'REJECTED', message: expect.stringContaining('시장가호가불가') })
  await expectAgreement()
})

test('the broker’s own message reaches the person whose cancel it refused, and the cancel is tried again', async () => {
  await market.watch({ maxBuyPrice: 157_000 })
  await market.price(156_900)
  await market.wait(1_000)
  const [resting] = market.sim.liveOrders(market.account)
  const text = '정정/취소 가능수량을 초과 하였습니다.'
  market.sim.faults.add({ kind: 'refuse', code: 'APBK0918', text, endpoint: 'orderRevise', times: 1 })
  await expect(market.ask({ kind: 'cancelOrder', odno: resting?.odno ?? '' })).rejects.toMatchObject({
    code: 'REJECTED',
    message: expect.stringContaining(text),
  })
  await market.wait(10_000)
  expect(market.sim.liveOrders(market.account)).toEqual([])
  await expectAgreement()
})

test('an order without a number is cancelled as soon as its number is known', async () => {
  await market.watch({ maxBuyPrice: 157_000, autoSell: false })
  await market.price(156_900)
  await market.wait(1_000)
  market.sim.faults.add({ kind: 'loseReply', endpoint: 'orderSell', times: 1 })
  const sale = market.ask({ kind: 'sellAtPrice', code: CODE, price: 170_000, slices: 1 })
  await expect(sale).rejects.toMatchObject({ code: 'BROKER_UNREACHABLE' })
  const lost = market.orders.find(({ side }) => side === 'sell')
  expect(lost).toMatchObject({ status: 'unknown', odno: null })
  expect(market.sim.liveOrders(market.account)).toHaveLength(1)
  await market.ask({ kind: 'cancelOrder', id: lost?.id ?? 0 })
  await market.wait(30_000)
  expect(market.sim.liveOrders(market.account)).toEqual([])
  expect(market.orders.find(({ id }) => id === lost?.id)?.status).toBe('cancelled')
  await expect(market.ask({ kind: 'cancelOrder', id: 999 })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await expectAgreement()
}, 60_000)

test('what an administrator asks of everyone may be asked twice: one sale, one cancel, one correction', async () => {
  await market.watch({ maxBuyPrice: 157_000 })
  await market.price(156_900)
  await market.wait(1_000)
  const sell = () => market.ask({ kind: 'sellStock', code: CODE })
  await sell()
  await sell()
  expect(market.sim.liveOrders(market.account)).toHaveLength(1)
  const before = market.sim.orders(market.account).length
  // The broker's balance may lag behind a fill: sooner nothing is corrected.
  await market.wait(15_000)
  for (const kind of ['checkBalance', 'fixBalance', 'checkBalance', 'fixBalance'] as const) {
    expect(await market.ask({ kind, code: null })).toMatchObject({ differences: [] })
  }
  expect(market.sim.orders(market.account)).toHaveLength(before)
  await market.ask({ kind: 'cancelOrders', code: null })
  await market.ask({ kind: 'cancelOrders', code: null })
  expect(market.sim.liveOrders(market.account)).toEqual([])
  expect(market.sim.orders(market.account).filter(({ change }) => change !== null)).toHaveLength(1)
  await expectAgreement()
}, 60_000)

test('a person sells the whole holding in slices, the resting sales step aside', async () => {
  await market.watch({ maxBuyPrice: 157_000 })
  await market.price(156_900)
  await market.wait(1_000)
  await market.ask({ kind: 'sellAtPrice', code: CODE, price: 159_000, slices: 2 })
  expect(market.sim.liveOrders(market.account)).toMatchObject([
    { side: 'sell', count: 1, price: 159_000 },
    { side: 'sell', count: 1, price: 159_000 },
  ])
  await market.price(159_000)
  await market.wait(1_000)
  expect(market.stock?.lots).toEqual([])
  await expectAgreement()
})

test('after halt not one order leaves, though prices call for it', async () => {
  await market.watch({ maxBuyPrice: 157_000 })
  await market.engine.ask(market.userId, { kind: 'setStop', level: 'user', code: null, stop: 'halt' })
  for (const price of [156_900, 156_000, 155_000]) await market.price(price)
  await market.wait(3_000)
  expect(market.sim.orders(market.account)).toEqual([])
  expect(market.engine.outlook(market.userId, CODE).reasons).toContainEqual(
    expect.objectContaining({ side: 'buy', ok: false, code: 'stop' }),
  )
})

test('a stop set in the turn in which an order is on its way to the wire keeps it from leaving', async () => {
  await market.watch({ maxBuyPrice: 157_000 })
  market.sim.setPrice(CODE, 156_900)
  // The moment the intent is made, before anything was sent.
  while (market.orders.length === 0) await new Promise((resolve) => setImmediate(resolve))
  await market.engine.setServerStop('halt')
  const takenAtStop = market.taken('buy').length
  await market.settle()
  expect(market.taken('buy').length).toBe(takenAtStop)
  await market.engine.setServerStop('active')
})

test('shares that somebody else sold stop the buying, with a message, until the book is corrected', async () => {
  await market.watch({ maxBuyPrice: 157_000 })
  await market.price(156_900)
  await market.wait(1_000)
  await market.engine.ask(market.userId, { kind: 'setStop', level: 'user', code: null, stop: 'halt' })
  await market.ask({ kind: 'cancelOrders', code: null })
  market.sim.outsideTrade(market.account, { code: CODE, side: 'sell', count: 1, price: 157_500 })
  // Compared every ten minutes; the second look, which believes it, follows soon after.
  await market.advance(600_000)
  await market.wait(30_000)
  expect(market.stock?.blocked).toMatchObject({ code: 'mismatch' })
  await market.ask({ kind: 'fixBalance', code: CODE })
  expect(market.stock?.blocked).toBeNull()
  await expectAgreement()
}, 60_000)

test('a broker whose lists cannot be read is distinguished from a quiet one', async () => {
  await market.watch({ maxBuyPrice: 157_000 })
  expect(market.engine.health.broker).toBe('ok')
  const fault = market.sim.faults.add({ kind: 'broken', body: 'empty', status: 500, endpoint: 'executions' })
  await market.price(156_900)
  await market.wait(20_000)
  expect(market.engine.health.broker).toBe('down')
  market.sim.faults.clear(fault)
  await market.wait(40_000)
  expect(market.engine.health.broker).toBe('ok')
  await expectAgreement()
}, 60_000)

test('a socket that dies is noticed, and buying waits until book and broker were compared', async () => {
  await market.watch({ maxBuyPrice: 157_000 })
  market.sim.sockets('cut')
  const isConnected = (): boolean => market.engine.socket(market.userId).connected
  await vi.waitFor(() => expect(isConnected()).toBe(false), { timeout: 20_000, interval: 1 })
  await market.engine.connect(market.userId)
  await market.wait(1_000)
  await market.price(156_900)
  expect(market.taken('buy')).toEqual([])
  await market.price(156_900)
  expect(market.taken('buy')).toHaveLength(1)
})

test('when the database refuses a commit nothing is sent, and the account goes on from what is durable', async () => {
  await market.watch({ maxBuyPrice: 157_000 })
  await market.database.pool.query(
    "create function broken() returns trigger language plpgsql as $$ begin raise exception 'disk trouble'; end $$",
  )
  await market.database.pool.query(
    'create trigger broken before insert on account_order for each statement execute function broken()',
  )
  await market.price(156_900)
  expect(market.sim.orders(market.account)).toEqual([])
  await market.database.pool.query('drop trigger broken on account_order')
  await market.wait(1_000)
  await market.price(156_900)
  await market.wait(1_000)
  await market.wait(2_000)
  expect(market.taken('buy')).toHaveLength(1)
  await expectAgreement()
})
