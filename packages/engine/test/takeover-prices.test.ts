import { afterEach, beforeEach, expect, test } from 'vitest'
import { CODE, Exchange } from './exchange.ts'

/** The broker keeps the session of an owner that died for so long, and refuses another one with OPSP8996, ms. */
const KEPT_MS = 100_000

let market: Exchange
let price = 0

beforeEach(async () => {
  market = await Exchange.open({}, { assumptions: { socketReleaseMs: KEPT_MS } })
  price = market.sim.price(CODE)
  await market.watch({ lastBuyPrice: price, maxBuyPrice: price * 2 })
})
afterEach(() => market.close())

/** The market trades at a price, once a second. */
async function trade(at: number, seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second += 1) {
    await market.price(at)
    await market.wait(1_000)
  }
}

test('after a takeover a stock is bought within seconds of its fall, while the broker still refuses the socket', async () => {
  await expect(market.restart()).rejects.toThrow(/같은 앱키/)
  // Volume grows while the price stands: from now on a trade is known by it.
  await trade(price, 4)
  expect(market.taken('buy')).toEqual([])
  await trade(Math.floor((price * 0.97) / 100) * 100, 3)
  const { connected } = market.engine.socket(market.userId)
  expect([connected, market.taken('buy').map(({ code }) => code)]).toEqual([false, [CODE]])
})
