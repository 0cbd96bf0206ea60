import { kstInstant, type VenueChoices } from '@digger/core'
import { afterEach, expect, test } from 'vitest'
import { CODE, Exchange } from './exchange.ts'

const DAY = '20261120'
const NONE: VenueChoices = { sor: false, preMarket: false, afterMarket: false }

let exchange: Exchange
afterEach(() => exchange.close())

/** A stock that waits for a price of 160,000, on a day of both venues. */
async function waiting(time: number, use: Partial<VenueChoices>): Promise<void> {
  exchange = await Exchange.open({}, { start: kstInstant(DAY, time), assumptions: { venuePrices: 'own' } })
  await exchange.ask({ kind: 'setVenues', venues: { ...NONE, ...use } })
  await exchange.watch()
  await exchange.wait(10_000)
}

/** Trades on one venue alone. */
async function trade(venue: 'KRX' | 'NXT', ...prices: readonly number[]): Promise<void> {
  for (const price of prices) {
    exchange.sim.setPrice(CODE, price, { venue })
    await exchange.settle()
    await exchange.wait(1_000)
  }
}

const bought = (): string[] => exchange.taken('buy').map(({ venue }) => venue)

test.each<[string, number, Partial<VenueChoices>, string[]]>([
  ['by day, with smart routing', 100_000, { sor: true }, ['SOR']],
  ['by day, for KRX alone', 100_000, { afterMarket: true, preMarket: true }, []],
  ['in the morning, where it was chosen', 80_500, { preMarket: true }, ['NXT']],
  ['in the morning, with smart routing only', 80_500, { sor: true }, []],
  ['in the evening, where it was chosen', 170_000, { afterMarket: true }, ['NXT']],
  ['in the evening, with smart routing only', 170_000, { sor: true }, []],
])('a price of NXT alone, %s', async (_name, time, use, expected) => {
  await waiting(time, use)
  await trade('NXT', 159_900, 159_800)
  expect(bought()).toEqual(expected)
})

test('at half past three the line follows the hour', async () => {
  await waiting(152_930, { afterMarket: true })
  const channels = (): string[] =>
    exchange.sim.registered(exchange.credentials.appKey).filter((one) => one.endsWith(CODE))
  expect(channels()).toEqual([`H0STCNT0 ${CODE}`])
  await exchange.wait(60_000)
  expect(channels()).toEqual([`H0NXCNT0 ${CODE}`])
})

test('a stock that NXT stops trading during the day is bought by what KRX trades', async () => {
  await waiting(100_000, { sor: true })
  const now = exchange.sim.clock.now()
  exchange.sim.happen({ kind: 'nxtSuspended', code: CODE, from: now, until: now + 86_400_000 })
  await exchange.wait(90_000)
  for (let n = 0; n < 40; n += 1) await trade('KRX', 159_900, 159_900)
  expect(bought()).toHaveLength(1)
})

test('an order by hand is quoted by the price that decides it, and not by the latest of another venue', async () => {
  await waiting(100_000, {})
  await exchange.watch({ autoBuy: false, maxBuyPrice: null, maxBuyAmount: null })
  await trade('KRX', 160_000, 160_000)
  await exchange.ask({ kind: 'setVenues', venues: { ...NONE, sor: true } })
  await exchange.wait(3_000)
  await trade('NXT', 166_000, 166_000)
  await exchange.ask({ kind: 'setVenues', venues: NONE })
  const { engine, userId } = exchange
  const quote = engine.buyQuote(userId, { code: CODE, amount: 1_000_000 })
  expect([engine.lastPrice(CODE)?.price, quote?.last?.price]).toEqual([166_000, 160_000])
  expect(engine.saleQuote(userId, { kind: 'sellAtMarket', code: CODE })?.last).toEqual(quote?.last)
  const buy = (price: number) =>
    exchange.ask({
      kind: 'marketBuy',
      code: CODE,
      amount: 1_000_000,
      seen: { price, worst: quote?.order?.reservedPrice },
    })
  await expect(buy(166_000)).rejects.toThrow('다시 눌러 주세요')
  await buy(quote?.last?.price ?? 0)
  expect(bought()).toEqual(['KRX'])
})
