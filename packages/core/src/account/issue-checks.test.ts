import { expect, test } from 'vitest'
import { CODE, Desk } from '../../test/desk.ts'
import type { IssueStatus } from '../krx/issue-status.ts'
import { outlook } from './outlook.ts'

const BARRED = ['warning', 'risk', 'administrative', 'liquidation'] as const
const reasonsOf = (desk: Desk) =>
  outlook(desk.account, desk.ctx, CODE)
    .reasons.filter(({ side }) => side === 'buy')
    .map(({ code, text }) => [code, text])

/** Whether the price of the next buy leads to an order. */
const buysAt = (desk: Desk, statuses: readonly IssueStatus[] | undefined): boolean => {
  desk.price(desk.stock.nextBuyPrice ?? 0, { statuses }).cash(100)
  return desk.live.some((text) => text.includes('buy'))
}

test.each(BARRED)(
  '%s: nothing is bought by itself, the card says why above the next buy too, and it ends',
  (status) => {
    const desk = new Desk({ autoSell: false })
    expect(buysAt(desk, [status])).toBe(false)
    desk.price(90_000, { statuses: [status] })
    const [[code, text] = []] = reasonsOf(desk)
    expect(code).toBe('designated')
    expect(text).toContain('자동으로 사지 않습니다')
    expect(buysAt(desk, ['caution'])).toBe(true)
  },
)

test.each([[['caution']], [['overheated']], [['interrupted']], [['unknown']], [[]], [undefined]] as const)(
  '%j: bought as ever',
  (statuses) => expect(buysAt(new Desk({ autoSell: false }), statuses)).toBe(true),
)

test('without automatic buying the card says nothing of it', () => {
  const desk = new Desk({ autoBuy: false }).price(60_000, { statuses: ['warning'] })
  expect(reasonsOf(desk).map(([code]) => code)).not.toContain('designated')
})

test('a buy that rests when its stock is designated is cancelled, and not made again; a person’s stays', () => {
  const desk = new Desk({ autoSell: false })
  expect(buysAt(desk, [])).toBe(true)
  desk.accept(1).wait(1_000)
  desk.price(desk.order(1).price, { statuses: ['warning'] }).timer()
  expect(desk.cancels).toEqual([1])

  const other = new Desk({ autoBuy: false, autoSell: false, maxBuyPrice: null }).quote(70_000)
  other.ask({ kind: 'marketBuy', code: CODE, amount: 140_000, cash: 10_000_000, askedAt: other.now })
  other
    .accept(1)
    .wait(1_000)
    .quote(70_000, { statuses: ['liquidation'] })
    .timer()
  expect(other.cancels).toEqual([])
})

test('what is held goes on being sold at its target', () => {
  const desk = new Desk({ autoBuy: false })
    .hold([1, 2, 69_000])
    .quote(69_500, { statuses: ['administrative'] })
    .timer()
  expect(desk.live).toHaveLength(1)
  expect(desk.live[0]).toContain('sell')
})
