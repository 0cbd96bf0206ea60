import { describe, expect, test } from 'vitest'
import { CODE, Desk } from '../../test/desk.ts'

/** A sale of Digger's own that rests, and a buy by hand beside it. */
function resting(): Desk {
  const desk = new Desk({ autoBuy: false }).hold([1, 2, 70_000]).timer().accept(1).wait(2_000)
  desk.quote(70_000)
  desk.ask({ kind: 'marketBuy', code: CODE, amount: 300_000, cash: 10_000_000, askedAt: desk.now })
  const [id] = desk.sent
  if (id === undefined) throw new Error('the buy by hand was not sent')
  return desk.accept(id).wait(2_000)
}
const origins = (desk: Desk) =>
  desk.live.map((text) => [desk.order(Number(text.split(' ')[0])).origin, text.split(' ').at(-1)])

describe('all cancelled and stopped', () => {
  test('what Digger ordered itself; what a person ordered stays', () => {
    const desk = resting()
    expect(origins(desk)).toEqual([
      ['auto', 'open'],
      ['person', 'open'],
    ])
    expect(desk.ask({ kind: 'stopAll', own: false })).toMatchObject({ ok: true })
    expect(desk.account.book.stop).toBe('halt')
    expect(desk.cancels).toEqual([1])
    expect(origins(desk)).toEqual([
      ['auto', 'cancelling'],
      ['person', 'open'],
    ])
  })

  test('all of it where the person wants that', () => {
    const desk = resting()
    desk.ask({ kind: 'stopAll', own: true })
    expect(desk.cancels).toHaveLength(2)
    expect(origins(desk).map(([, status]) => status)).toEqual(['cancelling', 'cancelling'])
  })

  test('nothing leaves afterwards, whatever the price; once let go the settings decide anew', () => {
    const desk = resting()
    desk.ask({ kind: 'stopAll', own: true })
    desk.read(desk.live.map((text) => desk.row(Number(text.split(' ')[0]), { cancelled: true, remainingCount: 0 })))
    for (const price of [69_000, 71_000, 68_000]) desk.buyAt(price).timer()
    expect([desk.live, desk.sent]).toEqual([[], []])
    desk.quote(70_000)
    desk.ask({ kind: 'setStop', level: 'user', code: null, stop: 'active' })
    desk.wait(2_000).timer()
    // No lot was held back by the cancel: its target rests again.
    expect(desk.live.filter((text) => text.includes('sell'))).toHaveLength(1)
  })

  test('an order that has no number yet is cancelled as soon as it has one', () => {
    const desk = new Desk({ autoSell: false }).buyAt(70_000)
    expect(desk.ask({ kind: 'stopAll', own: false })).toMatchObject({ ok: true })
    expect(desk.cancels).toEqual([])
    desk.accept(1)
    expect([desk.order(1).status, desk.cancels]).toEqual(['cancelling', [1]])
  })

  test('without the broker it stops all the same, and cancels when the broker is back', () => {
    const desk = resting()
    desk.do({ kind: 'authorised', authorised: false })
    expect(desk.ask({ kind: 'stopAll', own: true })).toMatchObject({ ok: true })
    expect([desk.account.book.stop, desk.cancels]).toEqual(['halt', []])
    desk.do({ kind: 'authorised', authorised: true })
    desk.wait(2_000).read(desk.live.map((text) => desk.row(Number(text.split(' ')[0]))))
    desk.wait(1_000).timer()
    expect(desk.live.every((text) => text.endsWith('cancelling'))).toBe(true)
  })
})
