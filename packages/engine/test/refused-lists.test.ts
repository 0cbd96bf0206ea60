import { afterEach, expect, test } from 'vitest'
import { verifyAccount } from '@digger/storage'
import { CODE, Exchange } from './exchange.ts'

/** What the whole engine makes of the broker's lists where they are not as one would like them. */
const DAY = 86_400_000

let market: Exchange
afterEach(async () => {
  await market.close()
})

async function expectAgreement(): Promise<void> {
  const book = (market.stock?.lots ?? []).reduce((sum, lot) => sum + lot.count, 0)
  const broker = market.sim.holdings(market.account).find((holding) => holding.code === CODE)?.count ?? 0
  expect(book).toBe(broker)
  expect((await verifyAccount(market.database.db, market.userId)).differences).toEqual([])
}

/** Bought at 156,900, with its sale resting at the broker. */
async function holding(): Promise<void> {
  market.sim.setPrice(CODE, 158_000)
  await market.watch({ maxBuyPrice: 157_000 })
  await market.price(156_900)
  await market.wait(1_000)
  expect(market.orders).toMatchObject([{ status: 'filled' }, { side: 'sell', status: 'open' }])
}

const armed = (): number => market.engine.health.vitals().armed

test.each([
  ['the next day', 1],
  ['four days later', 4],
])(
  'a sale left over from a day before, started %s at a broker that lists no days together: armed, and sold again',
  async (_name, days) => {
    market = await Exchange.open({}, { assumptions: { dayRanges: 'refused' } })
    await holding()
    await market.restart(days * DAY)
    await market.wait(20_000)
    expect(armed()).toBe(1)
    const [, left, anew] = market.orders
    expect(left?.status).not.toBe('open')
    expect(anew).toMatchObject({ side: 'sell', status: 'open', day: '2026010' + (5 + days) })
    await expectAgreement()
    await market.price(anew?.price ?? 0)
    await market.wait(1_000)
    expect(market.stock?.lots).toEqual([])
    await expectAgreement()
  },
)

test.each(['checkBalance', 'fixBalance'] as const)('%s, over a week that is not listed together', async (kind) => {
  market = await Exchange.open({}, { assumptions: { dayRanges: 'refused' } })
  await holding()
  // A fill of just now may not be in the holdings yet, and nothing is corrected before it must be.
  await market.wait(15_000)
  expect(await market.ask({ kind, code: CODE })).toMatchObject({ differences: [] })
})

test.each([
  ['zero', false],
  ['paidPrice', false],
  ['paidPrice', true],
] as const)(
  'a market sale whose reply is lost, listed at %s, each order twice: %s',
  async (unpricedShownAt, rowsTwice) => {
    market = await Exchange.open({}, { assumptions: { unpricedShownAt, rowsTwice } })
    await holding()
    await market.ask({ kind: 'cancelOrders', code: CODE })
    market.sim.faults.add({ kind: 'loseReply', endpoint: 'orderSell', times: 1 })
    const sale = market.ask({ kind: 'sellAtMarket', code: CODE })
    await expect(sale).rejects.toMatchObject({ code: 'BROKER_UNREACHABLE' })
    await market.wait(40_000)
    expect(market.taken('sell')).toHaveLength(2)
    expect(market.orders.at(-1)).toMatchObject({ type: 'market', status: 'filled' })
    expect(market.stock).toMatchObject({ lots: [], blocked: null })
    await expectAgreement()
  },
)
