import { describe, expect, test } from 'vitest'
import { CODE, Desk } from '../../test/desk.ts'
import { asLoaded } from './as-loaded.ts'
import { newAccount } from './view.ts'

const keep = (desk: Desk, count: number) => desk.ask({ kind: 'keepShares', code: CODE, count })
/** Ten shares in the book, whose sale the settings ask for. */
const seller = () => new Desk({ autoBuy: false }).hold([1, 4, 70_000], [2, 6, 70_000]).quote(70_000)
/** Only the book is left of what the process knew. */
function restart(desk: Desk): Desk {
  desk.account = newAccount(asLoaded(desk.account.book))
  return desk.do({ kind: 'restarted', lateMs: 0 })
}
const resting = (desk: Desk) => desk.live.filter((text) => text.endsWith(' open'))

describe('sells of shares that become the person’s own', () => {
  test('are taken back also when the broker has not answered yet', () => {
    const desk = seller().timer()
    keep(desk, 5)
    desk.wait(300).accept(1, 2)
    expect([1, 2].map((id) => desk.order(id).cancelWanted)).toEqual([true, true])
    expect(resting(desk)).toEqual([])
  })

  test('are taken back also when their reply was lost and the list brings them', () => {
    const desk = seller().timer().accept(2).lose(1)
    keep(desk, 5)
    desk.wait(25_000).read([desk.row(1), desk.row(2)])
    expect(resting(desk)).toEqual([])
  })

  test('are taken back also when the first cancel fails', () => {
    const desk = seller().timer().accept(1, 2)
    keep(desk, 5)
    for (const orderId of [1, 2]) desk.do({ kind: 'cancelFailed', orderId, text: '잠시 뒤 다시' })
    desk.wait(10_000).timer()
    expect(desk.cancels).toEqual([1, 2])
  })

  test('are taken back also once the account is connected again', () => {
    const desk = seller().timer().accept(1, 2)
    desk.do({ kind: 'authorised', authorised: false })
    keep(desk, 5)
    expect(desk.cancels).toEqual([])
    desk.wait(1_000).do({ kind: 'authorised', authorised: true })
    expect(resting(desk.wait(1_000).timer())).toEqual([])
  })

  test('do not go out again while a fill of a moment ago keeps book and broker from being compared', () => {
    const desk = seller().timer().accept(1, 2).wait(1_000).fill(1)
    expect(desk.lots).toEqual(['2: 6 @ 70000'])
    keep(desk, 5)
    desk.wait(1_000).read([desk.row(2, { cancelled: true, remainingCount: 0 })])
    expect(desk.live).toEqual([])
    desk.wait(1_000).read([], [[6, 70_000]])
    expect(desk.timer().live).toEqual([])
    // Of six at the broker five are the person's: the book has five too many.
    desk.wait(12_000).read([], [[6, 70_000]])
    expect(desk.timer().live).toEqual([])
    desk.wait(12_000).read([], [[6, 70_000]])
    expect(desk.timer().live).toEqual([])
    expect(desk.stock.blocked).toMatchObject({ code: 'mismatch', short: true })
  })

  test('do not rest on after a restart, however far taking them back had come', () => {
    const desk = seller().timer().accept(2).lose(1)
    keep(desk, 5)
    restart(desk).wait(1_000).do({ kind: 'authorised', authorised: true })
    desk.wait(25_000).read([desk.row(1), desk.row(2)], [[10, 70_000]])
    desk.wait(12_000).read([desk.row(1), desk.row(2)], [[10, 70_000]])
    desk.wait(12_000).read([desk.row(1), desk.row(2)], [[10, 70_000]])
    desk.wait(12_000).read([desk.row(1), desk.row(2)], [[10, 70_000]])
    expect(desk.stock.blocked).toMatchObject({ code: 'mismatch', short: true })
    expect(resting(desk.timer())).toEqual([])
  })

  test('are taken back when the person sells of their own by phone: what is left is less than they keep', () => {
    const desk = seller()
    keep(desk, 100)
    desk.wait(12_000).read([], [[110, 70_000]])
    desk.timer().accept(1, 2).wait(1_000)
    desk.wait(12_000).read([desk.row(1), desk.row(2)], [[105, 70_000]])
    desk.wait(12_000).read([desk.row(1), desk.row(2)], [[105, 70_000]])
    expect(desk.stock.blocked).toMatchObject({ short: true })
    expect(resting(desk.timer())).toEqual([])
  })
})
