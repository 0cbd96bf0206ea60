import { describe, expect, test } from 'vitest'
import { CODE, DAY, Desk } from '../../test/desk.ts'
import type { Execution } from './types.ts'

/** A buy whose reply was lost, while the list of all does not come. */
const lost = (): Desk => new Desk({ autoSell: false }).buyAt(70_000).lose(1)

const asked = (desk: Desk): unknown[] => desk.effects.filter(({ kind }) => kind === 'readStock')
const show = (desk: Desk, executions: readonly Execution[], over: object = {}): Desk =>
  desk.do({ kind: 'stockList', code: CODE, list: { askedAt: desk.now, from: DAY, to: DAY, executions, ...over } })
const fail = (desk: Desk): Desk => desk.do({ kind: 'stockList', code: CODE, list: null })

/** Another order of the stock that has a number since long ago, beside the one that was lost. */
const withAnother = (): Desk => {
  const desk = new Desk().buy(70_000)
  desk
    .accept(2)
    .wait(60_000)
    .read([desk.row(1, FILLED), desk.row(2)])
  return desk.buyAt(69_300).lose(3).wait(20_000)
}
const FILLED = { filledCount: 2, remainingCount: 0 }

const rows = (desk: Desk): Execution[] => [desk.row(1, FILLED), desk.row(2)]

describe('when the list of a stock is asked for', () => {
  test('past the listing lag, while the list of all is late', () => {
    const desk = lost()
    for (const ms of [8_000, 11_999]) expect(asked(desk.wait(ms).timer())).toEqual([])
    expect(asked(desk.wait(1).timer())).toEqual([{ kind: 'readStock', code: CODE, from: DAY, to: DAY }])
  })

  test('not where the list of all came just now', () => {
    const desk = lost().wait(20_000).read([])
    expect(asked(desk.wait(7_999).timer())).toEqual([])
    expect(asked(desk.wait(1).timer())).toHaveLength(1)
  })

  test('not for an order with a number, nor for one with a verdict', () => {
    const desk = new Desk({ autoSell: false }).buyAt(70_000).accept(1)
    expect(asked(desk.wait(30_000).timer())).toEqual([])
  })

  test('not without the permission to use the broker', () => {
    const desk = lost().do({ kind: 'authorised', authorised: false })
    expect(asked(desk.wait(30_000).timer())).toEqual([])
  })

  test('one at a time, two seconds apart, and again when no answer comes for a minute', () => {
    const desk = withAnother().timer()
    expect(asked(desk.wait(10_000).timer())).toEqual([])
    expect(asked(show(desk, rows(desk)))).toHaveLength(1)
    expect(asked(show(desk.wait(1_999), rows(desk), { askedAt: desk.now - 1_999 }))).toEqual([])
    expect(asked(desk.wait(1).timer())).toHaveLength(1)
    expect(asked(desk.wait(59_999).timer())).toEqual([])
    expect(asked(desk.wait(1).timer())).toHaveLength(1)
  })

  test('ten seconds after one that failed', () => {
    const desk = withAnother().timer()
    expect(asked(fail(desk.wait(5_000)))).toEqual([])
    expect(asked(desk.wait(9_999).timer())).toEqual([])
    expect(asked(desk.wait(1).timer())).toHaveLength(1)
  })

  test('seldom while the order may still arrive, and often from the time when its absence counts', () => {
    const desk = new Desk().buy(70_000)
    desk.accept(2).wait(60_000)
    desk.read([desk.row(1, FILLED), desk.row(2)])
    desk.buyAt(69_300).do({ kind: 'restarted', lateMs: 60_000 })
    expect(asked(desk.wait(20_000).timer())).toHaveLength(1)
    show(desk, rows(desk))
    expect(asked(desk.wait(14_999).timer())).toEqual([])
    expect(asked(desk.wait(1).timer())).toHaveLength(1)
    show(desk, rows(desk))
    expect(asked(desk.wait(15_000).timer())).toHaveLength(1)
    show(desk, rows(desk))
    expect(asked(desk.wait(9_999).timer())).toEqual([])
    expect(asked(desk.wait(1).timer())).toHaveLength(1)
    expect(show(desk, rows(desk)).order(3).status).toBe('unknown')
    expect(asked(desk.wait(2_000).timer())).toHaveLength(1)
    expect(show(desk, rows(desk)).order(3).status).toBe('notPlaced')
  })

  test('seldom, too, where it could prove nothing: no other order of the stock was ever listed', () => {
    const desk = lost().wait(20_000).timer()
    show(desk, [])
    expect(asked(desk.wait(14_999).timer())).toEqual([])
    expect(asked(desk.wait(1).timer())).toHaveLength(1)
  })

  test('not where a person has to decide, and again when they have', () => {
    const desk = lost().wait(20_000).timer()
    show(desk, [desk.row(1, { odno: '0000000321' }), desk.row(1, { odno: '0000000322' })])
    expect(desk.stock.blocked?.code).toBe('ambiguous')
    expect(asked(desk.wait(60_000).timer())).toEqual([])
    desk.ask({ kind: 'applyOrder', code: CODE })
    expect(asked(desk)).toHaveLength(1)
  })

  test('from the day of the order on', () => {
    const desk = lost()
      .wait(24 * 3_600_000)
      .timer()
    expect(asked(desk)).toEqual([{ kind: 'readStock', code: CODE, from: DAY, to: '20261117' }])
  })
})

describe('what the list of a stock settles', () => {
  test('an order that it shows gets its number, and its fills', () => {
    const desk = lost().wait(20_000)
    show(desk, [desk.row(1, { odno: '0000000321', filledCount: 1 })])
    expect(desk.order(1)).toMatchObject({ status: 'open', odno: '0000000321', filledCount: 1 })
  })

  test('one that two lists lack was not placed, and either may be that of all', () => {
    const desk = withAnother()
    expect(show(desk, rows(desk)).order(3).status).toBe('unknown')
    expect(show(desk.wait(1_999), rows(desk)).order(3).status).toBe('unknown')
    expect(show(desk.wait(1), rows(desk)).order(3).status).toBe('notPlaced')
    const mixed = withAnother()
    mixed.read(rows(mixed)).wait(2_000)
    expect(show(mixed, rows(mixed)).order(3).status).toBe('notPlaced')
  })

  // The broker's filter by stock was seen by nobody: it may find nothing at all.
  test('nothing by an empty list, where the broker has listed no other order of the stock', () => {
    const desk = lost().wait(20_000).read([])
    for (let n = 0; n < 3; n++) expect(show(desk.wait(3_000), []).order(1).status).toBe('unknown')
    expect(desk.read([]).order(1).status).toBe('notPlaced')
  })

  test('nothing before the listing lag, of other days, or asked before the clock was set back', () => {
    const desk = lost().wait(19_999)
    expect(show(desk, [desk.row(1)]).order(1).status).toBe('unknown')
    for (let n = 0; n < 3; n++) show(desk.wait(3_000), [], { from: '20261117', to: '20261117' })
    for (let n = 0; n < 3; n++) show(desk.wait(3_000), [], { askedAt: desk.now + 3_001 })
    expect(desk.order(1).status).toBe('unknown')
  })

  test('nor is an order absent from whole lists that were asked before the clock was set back', () => {
    const desk = withAnother()
    for (let n = 0; n < 3; n++) show(desk.wait(3_000), rows(desk), { askedAt: desk.now + 3_001 })
    expect(desk.order(3).status).toBe('unknown')
  })

  test('nothing of another stock: neither its rows nor its silence', () => {
    const desk = lost().wait(20_000)
    for (let n = 0; n < 3; n++)
      desk.do({
        kind: 'stockList',
        code: '000660',
        list: { askedAt: desk.wait(3_000).now, from: DAY, to: DAY, executions: [desk.row(1)] },
      })
    expect(desk.order(1).status).toBe('unknown')
    // A broker that takes no notice of the stock it was asked for.
    const other = withAnother()
    const shown = [...rows(other), other.row(3, { code: '000660', odno: '0000000077' })]
    for (let n = 0; n < 2; n++) show(other.wait(2_000), shown)
    expect(other.order(3).status).toBe('notPlaced')
  })

  test('nothing when it failed', () => {
    const desk = lost().wait(20_000)
    for (let n = 0; n < 3; n++) fail(desk.wait(3_000))
    expect(desk.order(1).status).toBe('unknown')
  })
})

describe('a list that lacks what the broker had listed', () => {
  test('is no whole list: nothing is absent from it', () => {
    const desk = withAnother()
    for (let n = 0; n < 3; n++) show(desk.wait(3_000), [desk.row(1, FILLED)])
    expect(desk.order(3).status).toBe('unknown')
    for (let n = 0; n < 2; n++) show(desk.wait(3_000), [desk.row(1, FILLED), desk.row(2)])
    expect(desk.order(3).status).toBe('notPlaced')
  })

  test('but an order of just now may be missing, and one that no list ever showed', () => {
    const desk = new Desk().buy(70_000)
    desk.accept(2).wait(60_000)
    desk.read([desk.row(1, FILLED), desk.row(2)])
    desk.buyAt(69_300).accept(3).fill(3).accept(4)
    desk.buyAt(68_600).lose(5).wait(20_000)
    for (let n = 0; n < 2; n++) show(desk.wait(2_000), [desk.row(1, FILLED), desk.row(2)])
    expect(desk.order(5).status).toBe('notPlaced')
    const never = new Desk().buy(70_000)
    never.accept(2).wait(60_000)
    for (let n = 0; n < 2; n++) never.wait(3_000).read([never.row(1, FILLED)])
    never.buyAt(69_300).lose(3).wait(20_000)
    show(never, [never.row(1, FILLED)])
    expect(show(never.wait(2_000), [never.row(1, FILLED)]).order(3).status).toBe('notPlaced')
  })

  test('what it does show is booked all the same', () => {
    const desk = withAnother()
    show(desk, [desk.row(2, { filledCount: 2, remainingCount: 0 })])
    expect([desk.order(2).status, desk.lots]).toEqual(['filled', []])
  })
})
