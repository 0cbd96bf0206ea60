import type { Book } from '@digger/core'
import { beforeEach, expect, test } from 'vitest'
import { codeOf, FeedFixture, quote } from '../test/feed-fixture.ts'

let fixture: FeedFixture
beforeEach(() => {
  fixture = new FeedFixture(20)
})

/** What each stock would be bought at next. */
function buyAt(prices: Readonly<Record<string, number | null>>): Book {
  const stocks = [...fixture.book.stocks].map(([code, stock]) => {
    const nextBuyPrice = prices[code] ?? null
    return [code, { ...stock, nextBuyPrice, priceSubscribed: true }] as const
  })
  return { ...fixture.book, stocks: new Map(stocks) }
}

test('while the socket does not come the stocks nearest to their next buy are read each second, the others in turn', async () => {
  fixture.book = buyAt({ [codeOf(7)]: 69_000, [codeOf(9)]: 69_500, [codeOf(3)]: 20_000 })
  await fixture.seconds(30)
  fixture.socket.isWanted = true
  const asked = await fixture.seconds(18)
  const count = (n: number): number => asked.filter((code) => code === codeOf(n)).length
  expect([count(7), count(9), asked.length]).toEqual([18, 18, 54])
  // Eighteen others, each once.
  expect([count(3), count(1), count(20)]).toEqual([1, 1, 1])
})

test('a fall is known after one trade that begins anew and one that counts', async () => {
  fixture.book = buyAt({ [codeOf(7)]: 69_000 })
  let woken = 0
  fixture.prices.setTrigger({ wake: () => void (woken += 1) }, codeOf(7), 69_000)
  await fixture.seconds(10)
  fixture.socket.isWanted = true
  for (const [volume, price] of [
    [100, 70_000],
    [200, 68_000],
    [300, 68_000],
  ] as const) {
    expect(woken).toBe(0)
    fixture.answers.set(codeOf(7), quote(codeOf(7), { volume, price }))
    await fixture.seconds(1)
  }
  expect(woken).toBe(1)
})

test('nothing is read instead of a socket that nobody wants', async () => {
  fixture.book = buyAt({ [codeOf(7)]: 69_000 })
  await fixture.seconds(30)
  expect(await fixture.seconds(10)).toEqual([])
})
