import { expect, test } from 'vitest'
import { cashFor, CODE, Desk } from '../../test/desk.ts'
import { outlook } from './outlook.ts'

/** An automatic buy of two at 70,000, accepted and then taken back by a person. */
function takenBack(): Desk {
  const desk = new Desk({ autoSell: false }).buyAt(70_000).accept(1)
  desk.ask({ kind: 'cancelOrders', code: CODE })
  return desk.read([desk.row(1, { cancelled: true, remainingCount: 0 })]).wait(1_000)
}

const buys = (desk: Desk): string[] => desk.live.filter((text) => text.includes('buy'))

test('an automatic buy that a person cancelled is not bought again by the next price, and the reason is shown', () => {
  const desk = takenBack().buyAt(69_900)
  expect(buys(desk)).toEqual([])
  expect(outlook(desk.account, desk.ctx, CODE).reasons.map((reason) => reason.code)).toContain('heldBack')
})

test.each<[string, (desk: Desk) => void]>([
  ['주문 적용', (desk) => desk.ask({ kind: 'applyOrder', code: CODE })],
  ['new settings', (desk) => desk.settings({ buyPercent: -2 })],
  ['the next day', (desk) => desk.wait(86_400_000).timer().read([], [])],
])('%s lets it buy again', (_name, free) => {
  const desk = takenBack()
  free(desk)
  desk.wait(2_000).buyAt(69_900)
  expect(buys(desk)).toEqual(['2 buy 2 @ 69900 of 2 intended'])
})

test('a person who cancels a purchase of their own holds nothing back', () => {
  const desk = new Desk({ autoSell: false }).quote(70_000)
  desk.ask({ kind: 'marketBuy', code: CODE, amount: 140_000, cash: cashFor(20), askedAt: desk.now })
  desk.accept(1).ask({ kind: 'cancelOrders', code: CODE })
  desk
    .read([desk.row(1, { cancelled: true, remainingCount: 0 })])
    .wait(1_000)
    .buyAt(69_900)
  expect(buys(desk)).toEqual(['2 buy 2 @ 69900 of 2 intended'])
})

test('the engine’s own cancel after thirty seconds holds nothing back', () => {
  const desk = new Desk({ autoSell: false }).buyAt(70_000).accept(1).wait(30_000).timer()
  expect(desk.cancels).toEqual([1])
  desk
    .read([desk.row(1, { cancelled: true, remainingCount: 0 })])
    .wait(1_000)
    .buyAt(69_900)
  expect(buys(desk)).toEqual(['2 buy 2 @ 69900 of 2 intended'])
})
