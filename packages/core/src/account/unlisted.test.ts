import { expect, test } from 'vitest'
import { CODE, Desk } from '../../test/desk.ts'
import { outlook } from './outlook.ts'

const codes = (desk: Desk): string[] => outlook(desk.account, desk.ctx, CODE).reasons.map((reason) => reason.code)

test('an order the broker took and does not list is on the card within a minute, and ends when a person has looked', () => {
  const desk = new Desk({ autoSell: false }).buyAt(70_000).accept(1)
  const began = desk.now
  while (!codes(desk).includes('unlisted') && desk.now - began < 90_000) {
    desk.wait(1_000).timer()
    const { cancels } = desk
    if (desk.reads > 0) desk.read([])
    // What is not there cannot be cancelled either.
    if (cancels.length > 0) desk.do({ kind: 'cancelFailed', orderId: 1, text: '취소할 주문이 없습니다.' })
    if (desk.reads > 0) desk.read([])
  }
  expect(desk.now - began).toBeLessThanOrEqual(60_000)
  desk.ask({ kind: 'applyOrder', code: CODE })
  expect(desk.order(1).status).toBe('cancelled')
  // Should it have been there after all, nothing is lost.
  desk.wait(2_000).fill(1)
  expect(desk.lots).toEqual(['1: 2 @ 70000'])
})

test.each([
  ['sooner than forty seconds after it was made', [30_000, 9_999], false],
  ['once only', [40_000], false],
  ['twice within two seconds', [40_000, 1_999], false],
  ['twice', [40_000, 2_000], true],
])(
  'an order that lists lack %s, after waits of %j ms, is shown as missing and a person may end it: %s',
  (_name, waits, isOver) => {
    const desk = new Desk({ autoSell: false }).buyAt(70_000).accept(1)
    for (const ms of waits) desk.wait(ms).read([])
    expect(codes(desk).includes('unlisted')).toBe(isOver)
    desk.ask({ kind: 'applyOrder', code: CODE })
    expect(desk.order(1).status === 'cancelled').toBe(isOver)
  },
)

test('an order that shows up in time is not reported', () => {
  const desk = new Desk({ autoSell: false }).buyAt(70_000).accept(1).wait(45_000).read([]).wait(1_000)
  desk.read([desk.row(1)])
  expect(desk.account.view.orders.unlisted.size).toBe(0)
})
