import { describe, expect, test } from 'vitest'
import { CODE, DAY, Desk, ISSUE } from '../../test/desk.ts'
import { kstInstant } from '../krx/kst.ts'
import type { Execution } from './types.ts'

type Shown = Partial<Execution>
const REJECTED: Shown = { rejectedCount: 10, remainingCount: 0 }

/** Two sells of NXT's pre-market. */
function inPreMarket(): Desk {
  const desk = new Desk({ autoBuy: false })
  desk.env = 'real'
  desk.now = kstInstant(DAY, 83_000)
  desk.putFacts({ kind: 'issueChanged', code: CODE, name: '삼성전자', issue: { ...ISSUE, nxt: true }, at: desk.now })
  desk.choose({ preMarket: true, sor: true }).hold([1, 10, 70_000], [2, 10, 69_300]).quote(69_000).timer()
  expect(desk.sent.map((id) => desk.order(id).session)).toEqual(['pre', 'pre'])
  return desk.accept(...desk.sent)
}
const ORDERED: Shown = { remainingCount: 10 }
/** A list that was asked for and taken at these times, KST. */
function read(desk: Desk, asked: number, taken: number, shown: Shown): void {
  const executions = [desk.row(1, shown), desk.row(2, shown)]
  desk.now = kstInstant(DAY, taken)
  desk.do({ kind: 'snapshot', snapshot: { ...desk.snapshot(executions, null), askedAt: kstInstant(DAY, asked) } })
}
const heldBack = (desk: Desk): boolean[] => desk.stock.lots.map((lot) => lot.heldBack)

describe('a list from about the end of a session', () => {
  test.each([
    ['asked before, answered after', 84_958, 85_001],
    ['by a clock three seconds behind the broker’s', 84_957, 84_958],
  ])('%s: the pre-market’s orders have expired, and their shares are offered by day', (_name, asked, taken) => {
    const desk = inPreMarket()
    read(desk, asked, taken, REJECTED)
    expect([desk.order(1).status, desk.order(2).status, heldBack(desk)]).toEqual(['expired', 'expired', [false, false]])
    desk.now = kstInstant(DAY, 90_100)
    const sent = desk.quote(69_000).timer().live
    expect(sent).toHaveLength(2)
  })

  test('what is gone well before the end was taken back', () => {
    const desk = inPreMarket()
    read(desk, 84_950, 84_951, REJECTED)
    expect(heldBack(desk)).toEqual([true, true])
  })

  test('and what rests, rests', () => {
    const desk = inPreMarket()
    read(desk, 84_958, 85_001, ORDERED)
    expect([desk.order(1).status, desk.order(2).status]).toEqual(['open', 'open'])
  })
})
