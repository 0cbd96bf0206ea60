import { expect, test } from 'vitest'
import { CODE, Desk } from '../../test/desk.ts'

/** Takes every order the last step sent. */
const acceptAll = (desk: Desk): Desk => desk.accept(...desk.sent)

test('the worked example, from tick to trade', () => {
  const desk = new Desk()

  desk.buy(70_000)
  expect(desk.lots).toEqual(['1: 2 @ 70000'])
  expect(desk.stock.nextBuyPrice).toBe(69_300)
  expect(desk.live).toEqual(['2 sell 2 @ 70900 of 1 intended'])
  acceptAll(desk).wait(2_000)

  desk.price(69_400)
  expect(desk.sent).toEqual([])
  desk.buy(69_300)
  expect(desk.stock.nextBuyPrice).toBe(68_600)
  acceptAll(desk).wait(2_000)

  desk.buy(68_600)
  expect(desk.lots).toEqual(
    ['1: 2 @ 70000', '3: 2 @ 69300', '5: 2 @ 68600'].map((text, i) => `${i + 1}${text.slice(1)}`),
  )
  expect(desk.stock.nextBuyPrice).toBe(67_900)
  expect(desk.live).toEqual([
    '2 sell 2 @ 70900 of 1 open',
    '4 sell 2 @ 70200 of 2 open',
    '6 sell 2 @ 69500 of 3 intended',
  ])
  acceptAll(desk).wait(2_000)

  // The third lot sells at 69,500: +1,800, and the reference goes back to 69,300.
  desk.fill(6)
  expect(desk.lots).toEqual(['1: 2 @ 70000', '2: 2 @ 69300'])
  expect(desk.stock.accGainAmount).toBe(1_800)
  expect(desk.stock.settings.lastBuyPrice).toBe(69_300)
  expect(desk.stock.nextBuyPrice).toBe(68_600)
})

test('a gap to 66,000 buys once, and the reference moves to that fill', () => {
  const desk = new Desk().buy(70_000).wait(2_000)
  desk.buyAt(66_000)
  expect(desk.live.filter((text) => text.includes('buy'))).toEqual(['3 buy 3 @ 66000 of 2 intended'])
  desk.price(66_000)
  expect(desk.sent).toEqual([])
  desk.accept(3).fill(3)
  expect(desk.stock.settings.lastBuyPrice).toBe(66_000)
})

test('average mode at three lots: one sale of six shares at 70,200', () => {
  const desk = new Desk().hold([1, 2, 70_000], [2, 2, 69_300], [3, 2, 68_600]).timer()
  acceptAll(desk)
  desk.settings({ autoSellWithAvgPrice: true })
  expect(desk.cancels).toEqual([1, 2, 3])
  expect(desk.sent).toEqual([])
  desk.wait(2_000).read([1, 2, 3].map((id) => desk.row(id, { cancelled: true, remainingCount: 0 })))
  expect(desk.live).toEqual(['4 sell 6 @ 70200 of 3+2+1 intended'])
  expect(desk.account.book.stocks.get(CODE)?.settings.autoSellWithAvgPrice).toBe(true)
})
