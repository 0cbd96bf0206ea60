import { kstInstant } from '@digger/core'
import { afterEach, describe, expect, test } from 'vitest'
import { CODE, Exchange } from './exchange.ts'

/** From the exchange's designation over the wire to the order that is not made, against a broker. */
let market: Exchange
afterEach(() => market.close())

const MORNING = kstInstant('20261120', 100_000)
const TODAY = '20261120'
const shown = () => market.engine.statuses(CODE).statuses
const reasons = () => market.engine.outlook(market.userId, CODE).reasons.map(({ code }) => code)

async function fallTo(price: number): Promise<number> {
  await market.price(price)
  await market.wait(3_000)
  return market.taken('buy').length
}

describe.each(['codes', 'blank', 'newCode'] as const)('where the broker writes others as %s', (statusShown) => {
  test.each(['warning', 'risk', 'administrative', 'liquidation'] as const)(
    '%s: none is bought, and the card says why',
    async (as) => {
      const happenings = [{ kind: 'warned', code: CODE, day: TODAY, as }] as const
      market = await Exchange.open({}, { start: MORNING, assumptions: { statusShown }, happenings })
      await market.watch({ maxBuyPrice: 170_000, autoSell: false })
      expect(await fallTo(155_000)).toBe(0)
      expect(shown()).toEqual([as])
      expect(reasons()).toContain('designated')
    },
  )

  test.each([null, 'caution'] as const)('%s: bought as ever', async (as) => {
    market = await Exchange.open(
      {},
      { start: MORNING, assumptions: { statusShown }, happenings: [{ kind: 'warned', code: CODE, day: TODAY, as }] },
    )
    await market.watch({ maxBuyPrice: 170_000, autoSell: false })
    expect(await fallTo(155_000)).toBe(1)
    expect(shown()).toEqual([as ?? (statusShown === 'newCode' ? 'unknown' : [])].flat())
  })
})

test('what is held of a warned stock is sold at its target, and a person may still buy and is quoted what is sent', async () => {
  market = await Exchange.open({}, { start: MORNING })
  await market.watch({ autoBuy: false, maxBuyPrice: null })
  market.sim.setWarning(CODE, 'warning')
  await market.price(156_000)
  await market.ask({ kind: 'marketBuy', code: CODE, amount: 1_000_000 })
  const quote = market.engine.buyQuote(market.userId, { code: CODE, amount: 500_000 })
  expect(quote?.order).toMatchObject({ count: 3, type: 'market' })
  const { orders = [] } = await market.ask({
    kind: 'marketBuy',
    code: CODE,
    amount: 500_000,
    seen: { price: 156_000, worst: quote?.order?.reservedPrice ?? 0 },
  })
  expect(orders).toMatchObject([{ ...quote?.order, venue: quote?.venue }])
  await market.wait(3_000)
  expect(market.sim.liveOrders(market.account).filter(({ side }) => side === 'sell')).not.toEqual([])
})

test('an interruption is seen by the expected prices while it lasts, and over with the next trade', async () => {
  market = await Exchange.open({}, { start: MORNING })
  await market.watch({ autoBuy: false })
  const published: string[] = []
  market.engine.observe({ statusesChanged: (code) => void published.push(code) })
  market.sim.interrupt(CODE, 60_000)
  await market.price(157_000)
  expect(shown()).toEqual(['interrupted'])
  await market.wait(61_000)
  await market.price(157_500)
  expect(shown()).toEqual([])
  expect(published).toEqual([CODE, CODE])
})
