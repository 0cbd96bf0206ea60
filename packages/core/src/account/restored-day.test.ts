import { describe, expect, test } from 'vitest'
import { CODE, DAY, Desk } from '../../test/desk.ts'
import { restoredSign, restoredText } from './other-server-state.ts'
import type { Blocked, Execution } from './types.ts'

/*
 * A book that was put back and opens another day: the broker lists the orders of that day, so nothing shows what was sold and bought again
 * on the day of the backup.
 */

const DAY_MS = 24 * 3_600_000
const QUESTION = restoredText('2026-11-16 05:30')

type Held = readonly [count: number, averagePrice: number][]

/** Two shares at 70,000, to be sold at 70,900, in a book of so many days before; what the broker has. */
function restored(days: number, held: Held, blocked: Blocked | null = null, kept = 0): Desk {
  const desk = new Desk({ autoBuy: false, sellPercent: 1.2 }).hold([1, 2, 70_000])
  if (kept > 0) desk.putFacts({ kind: 'sharesKept', code: CODE, count: kept, at: desk.now })
  if (blocked !== null) desk.putFacts({ kind: 'stockBlocked', code: CODE, blocked, at: desk.now })
  desk.wait(days * DAY_MS)
  desk.putFacts({ kind: 'otherServerSuspected', at: desk.now, signs: [restoredSign(desk.now)], text: QUESTION })
  desk.do({ kind: 'linked' }).wait(2_000)
  return readTwice(desk, held)
}

const readTwice = (desk: Desk, held: Held): Desk => desk.read([], held).wait(11_000).read([], held)
const goOn = (desk: Desk) => desk.ask({ kind: 'dismissOtherServer', connected: true })
const fix = (desk: Desk, held: Held, code: string | null = CODE, rows: Execution[] = []) =>
  desk.ask({ kind: 'fixBalance', code, snapshot: desk.snapshot(rows, held) })
const SETTLED = { ok: true }
const DEARER = { ok: false, text: expect.stringContaining('평균 단가가 장부보다 높아') }
const STOPPED = (code: Blocked['code']): Blocked => ({ code, short: false, text: `${code}.`, at: 1 })

describe('as many shares at the broker', () => {
  test.each<[string, number, Held, boolean]>([
    ['of the same day', 0, [[2, 70_000]], false],
    ['of the day before', 1, [[2, 70_000]], true],
    ['of the day before, that cost more', 1, [[2, 71_500]], true],
    ['of the week before', 7, [[2, 70_000]], true],
    ['without a price', 1, [[2, 0]], true],
  ])('%s', (_, days, held, waits) => {
    const desk = restored(days, held)
    expect([desk.stock.blocked?.untilCorrected, desk.stock.blocked?.short]).toEqual(
      waits ? [true, true] : [undefined, undefined],
    )
    expect(goOn(desk)).toMatchObject({ ok: true })
    expect(desk.timer().live).toEqual(waits ? [] : ['1 sell 2 @ 70900 of 1 intended'])
    if (!waits) return
    // No agreement ends it, neither of that day nor of the next one.
    for (let looks = 0; looks < 4; looks += 1)
      expect(
        desk
          .wait(DAY_MS / 2)
          .read([], held)
          .timer().live,
      ).toEqual([])
    expect(fix(desk, held)).toMatchObject({ ok: true })
    expect(desk.stock.blocked).toBe(null)
    expect(desk.wait(2_000).timer().live).toEqual(['1 sell 2 @ 70900 of 1 intended'])
  })

  test('say beside each other what both know', () => {
    expect(restored(1, [[2, 71_500]]).stock.blocked?.text).toMatch(
      /수는 같지만 .*맞춰 주세요\. \(장부 2주 평균 70,000원, 증권사 2주 평균 71,500원\)$/,
    )
    expect(restored(1, [[3, 71_500]]).stock.blocked?.text).toMatch(
      /장부 2주, 증권사 3주로 서로 달라 매수와 자동 매도를 .*\(장부 2주 평균 70,000원, 증권사 3주 평균 71,500원\)$/,
    )
    expect(restored(1, []).stock.blocked?.text).toMatch(/증권사 0주로 서로 달라 매수와 자동 매도를 [^(]*$/)
  })

  test('a stock without shares waits where an order of it rested', () => {
    const desk = new Desk({ buyUnitPrice: 70_000 }).buyAt(65_000).accept(1).wait(DAY_MS)
    desk.putFacts({ kind: 'otherServerSuspected', at: desk.now, signs: [restoredSign(desk.now)], text: QUESTION })
    desk.timer()
    expect([desk.lots, desk.stock.blocked?.untilCorrected]).toEqual([[], true])
  })

  test('a stock without shares and orders goes on', () => {
    const desk = new Desk().wait(DAY_MS)
    desk.putFacts({ kind: 'otherServerSuspected', at: desk.now, signs: [restoredSign(desk.now)], text: QUESTION })
    readTwice(desk.do({ kind: 'linked' }).wait(2_000), [])
    expect(desk.stock.blocked).toBe(null)
  })

  test('a book that nobody put back opens its days as ever', () => {
    const desk = new Desk({ autoBuy: false, sellPercent: 1.2 }).hold([1, 2, 70_000]).wait(DAY_MS)
    readTwice(desk.do({ kind: 'linked' }).wait(2_000), [[2, 71_500]])
    expect([desk.stock.blocked, desk.timer().live]).toEqual([null, ['1 sell 2 @ 70900 of 1 intended']])
  })

  test('one that its person let go on before the day was over opens the next one as ever', () => {
    const desk = restored(0, [[2, 70_000]])
    expect(goOn(desk)).toMatchObject({ ok: true })
    desk
      .wait(DAY_MS)
      .timer()
      .read([], [[2, 70_000]])
    expect(desk.stock.blocked).toBe(null)
  })

  test('does not go on by a clock that nobody has held against the broker’s: which day it is nobody knows', () => {
    const desk = restored(0, [[2, 70_000]])
    desk.isTimeUnknown = true
    expect(goOn(desk)).toMatchObject({ ok: false, text: expect.stringContaining('아직 읽지 못했습니다') })
  })
})

describe('who corrects all stocks at one press', () => {
  test.each<[string, Held, number, boolean]>([
    ['settles those that cost what the book says', [[2, 70_000]], 0, true],
    ['and those that the broker has cheaper, as after a sale of the cheapest', [[2, 69_000]], 0, true],
    ['and those that differ by the fee', [[2, 70_060]], 0, true],
    ['not those that cost more', [[2, 70_080]], 0, false],
    ['but those among which are the person’s own', [[5, 90_000]], 3, true],
  ])('%s', (_, held, kept, settles) => {
    const desk = restored(1, held, null, kept)
    expect(fix(desk, held, null)).toMatchObject(settles ? SETTLED : DEARER)
    expect(desk.stock.blocked?.untilCorrected).toBe(settles ? undefined : true)
    expect(fix(desk, held)).toMatchObject({ ok: true })
    expect(desk.stock.blocked).toBe(null)
  })

  test('what was held only for its day is no evidence of a difference: that has to be seen twice', () => {
    const desk = restored(1, [[2, 70_000]]).wait(30_000)
    expect(fix(desk, [[1, 70_000]])).toMatchObject({ ok: false, text: expect.stringContaining('한 번 더 확인') })
    expect(desk.lots).toEqual(['1: 2 @ 70000'])
    expect(fix(desk.wait(11_000), [[1, 70_000]])).toMatchObject({ ok: true })
    expect(desk.lots).toEqual(['1: 1 @ 70000'])
  })
})

describe('a stock that had stopped for something else', () => {
  const HELD: Held = [[2, 70_000]]

  test('is asked about all the same once a person has ended that', () => {
    const desk = restored(1, HELD, STOPPED('ambiguous'))
    expect(desk.stock.blocked).toEqual({ ...STOPPED('ambiguous'), untilCorrected: true })
    desk.ask({ kind: 'applyOrder', code: CODE })
    expect(desk.stock.blocked).toMatchObject({ code: 'mismatch', short: true, untilCorrected: true })
    goOn(readTwice(desk.wait(2_000), HELD))
    expect(desk.timer().live).toEqual([])
    expect(fix(desk, HELD)).toMatchObject({ ok: true })
    expect(desk.stock.blocked).toBe(null)
  })

  test('stays stopped for that where the shares were corrected first', () => {
    const desk = restored(1, HELD, STOPPED('ambiguous'))
    expect(fix(desk, HELD)).toMatchObject({ ok: true })
    expect(desk.stock.blocked).toEqual(STOPPED('ambiguous'))
    desk.ask({ kind: 'applyOrder', code: CODE })
    expect(desk.stock.blocked).toBe(null)
  })

  // A Saturday lifts no stop.
  test.each([
    ['whole, which the day has lifted', 1, STOPPED('rejects')],
    ['of its buys, which it has not', 5, { ...STOPPED('rejects'), buysOnly: true }],
  ])('for refusals, %s, waits for the same correction', (_, days, blocked) => {
    const desk = restored(days, HELD, blocked)
    expect(desk.stock.blocked).toMatchObject({ code: 'mismatch', short: true, untilCorrected: true })
  })

  test('and one of which the broker says what cannot be is still to be corrected', () => {
    const desk = new Desk({ autoBuy: false, sellPercent: 1.2 }).hold([1, 2, 70_000])
    readTwice(desk.do({ kind: 'linked' }).wait(2_000), HELD)
    desk.timer().accept(1).wait(DAY_MS)
    desk.putFacts({ kind: 'otherServerSuspected', at: desk.now, signs: [restoredSign(desk.now)], text: QUESTION })
    desk.read([desk.row(1, { filledCount: 5, remainingCount: 0 })])
    expect(desk.stock.blocked).toMatchObject({ code: 'ambiguous', untilCorrected: true })
  })

  test('and so does one that stops afterwards, and which its person lets go on', () => {
    const desk = restored(5, HELD)
    const { blocked } = desk.stock
    desk.putFacts({
      kind: 'stockBlocked',
      code: CODE,
      at: desk.now,
      blocked: { ...STOPPED('rejects'), untilCorrected: true },
    })
    desk.ask({ kind: 'setStop', level: 'stock', code: CODE, stop: 'active' })
    expect(desk.stock.blocked).toMatchObject({ code: blocked?.code, short: true, untilCorrected: true })
    desk.putFacts({
      kind: 'stockBlocked',
      code: CODE,
      at: desk.now,
      blocked: { ...STOPPED('rejects'), untilCorrected: true },
    })
    desk.wait(2 * DAY_MS).timer()
    expect(desk.stock.blocked).toMatchObject({ code: 'mismatch', untilCorrected: true })
  })
})

test('what no reading has compared because of an order on its way is asked about when its person goes on', () => {
  const desk = new Desk({ autoBuy: false, sellPercent: 1.2 }).hold([1, 2, 70_000])
  desk
    .do({ kind: 'linked' })
    .wait(2_000)
    .read([], [[2, 70_000]])
    .timer()
  desk.lose(1)
  desk.putFacts({ kind: 'otherServerSuspected', at: desk.now, signs: [restoredSign(desk.now)], text: QUESTION })
  const other = (odno: string, side: 'buy' | 'sell', price: number): Execution => ({
    ...desk.row(1, { side, price, filledCount: 2, filledAmount: 2 * price, remainingCount: 0 }),
    odno,
    // Changed by phone: to which of the two a fill is counted nobody says.
    originalOdno: `${odno.slice(0, -1)}9`,
    orderedAt: desk.now - 1_200_000,
  })
  const rows = [other('0000000900', 'sell', 70_500), other('0000000901', 'buy', 72_000)]
  desk.do({ kind: 'linked' }).wait(2_000)
  desk.read(rows, [[2, 72_000]])
  expect(desk.account.book.day).toBe(DAY)
  expect([desk.order(1).status, desk.stock.blocked]).toEqual(['unknown', null])
  expect(goOn(desk)).toMatchObject({ ok: true })
  expect(desk.stock.blocked).toMatchObject({ code: 'mismatch', short: true, untilCorrected: true })
})
