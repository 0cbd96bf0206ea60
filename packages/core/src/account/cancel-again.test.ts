import { expect, test } from 'vitest'
import { CODE, Desk } from '../../test/desk.ts'

/** A buy at 70,000, accepted. */
const bought = (): Desk => new Desk({ autoSell: false }).buyAt(70_000).accept(1).wait(2_000)

test('a cancel the broker took but never did is asked again', () => {
  const desk = new Desk({ autoBuy: false }).hold([1, 2, 70_000]).timer().accept(1).wait(2_000)
  desk.settings({ sellPercent: 2 })
  expect(desk.cancels).toEqual([1])
  desk
    .do({ kind: 'cancelDone', orderId: 1 })
    .wait(19_999)
    .read([desk.row(1)])
  expect([desk.order(1).status, desk.cancels]).toEqual(['cancelling', []])
  desk.wait(1_000).read([desk.row(1)])
  expect(desk.cancels).toEqual([1])
})

test('a cancel that still waits in our own queue is not asked again', () => {
  const desk = bought()
  desk.ask({ kind: 'cancelOrders', code: CODE })
  expect(desk.cancels).toEqual([1])
  // Calls go out one after the other: thirty cancels before a slow broker take longer than the listing lag.
  for (let looks = 0; looks < 4; looks++) {
    desk.wait(21_000).read([desk.row(1)])
    expect([desk.order(1).status, desk.cancels]).toEqual(['cancelling', []])
  }
  desk
    .do({ kind: 'cancelDone', orderId: 1 })
    .wait(1_000)
    .read([desk.row(1)])
  expect(desk.cancels).toEqual([1])
})

test('a cancel of which nothing is ever heard is asked again after two minutes', () => {
  const desk = bought()
  desk.ask({ kind: 'cancelOrders', code: CODE })
  desk.wait(119_999).read([desk.row(1)])
  expect(desk.cancels).toEqual([])
  desk.wait(1).read([desk.row(1)])
  expect(desk.cancels).toEqual([1])
})

test.each([
  ['all of the stock', { kind: 'cancelOrders', code: CODE }],
  ['the one', { kind: 'cancelOrder', id: 1 }],
] as const)(
  'pressed again right after a cancel was refused, %s: not called done, and asked again by itself',
  (_name, again) => {
    const desk = bought()
    expect(desk.ask({ kind: 'cancelOrders', code: CODE })).toMatchObject({ ok: true })
    desk.do({ kind: 'cancelFailed', orderId: 1, text: '장종료' }).wait(1_000)
    expect(desk.ask(again)).toEqual({
      ok: false,
      code: 'BUSY',
      text: '조금 전의 취소가 되지 않아 아직 다시 보내지 않았습니다: 장종료 주문이 남아 있으면 곧 다시 취소합니다.',
    })
    expect(desk.cancels).toEqual([])
    desk.wait(4_000).timer()
    expect(desk.cancels).toEqual([1])
  },
)
