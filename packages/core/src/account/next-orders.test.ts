import { expect, test } from 'vitest'
import { CODE, Desk } from '../../test/desk.ts'
import { nextOrders } from './next-orders.ts'
import type { Blocked, Settings } from './types.ts'

const shown = (desk: Desk): string[] =>
  nextOrders(desk.account.book, desk.serverStop).map(
    ({ side, price, count, isOut }) => `${side} ${count} @ ${price}${isOut ? ' out' : ''}`,
  )
const waiting = (settings: Partial<Settings> = {}): Desk =>
  new Desk({ lastBuyPrice: 70_000, ...settings }).hold([1, 2, 70_000], [2, 3, 71_000])
const BLOCKED: Blocked = { code: 'mismatch', short: false, text: '달라요', at: 0 }
const block = (desk: Desk, over: Partial<Blocked>): Desk =>
  desk.putFacts({ kind: 'stockBlocked', code: CODE, blocked: { ...BLOCKED, ...over }, at: desk.now })

test('the next buy and the nearest sale that would go out', () => {
  const [buy, sale] = nextOrders(waiting().account.book, 'active')
  expect([buy?.price, sale]).toEqual([
    waiting().stock.nextBuyPrice,
    { code: CODE, side: 'sell', price: expect.any(Number), count: 2, isOut: false },
  ])
})

test('what is out stands for its side, at the price that fills first', () => {
  const desk = waiting().quote(70_500).timer()
  const sales = [...desk.account.book.orders.values()]
  expect(sales).toHaveLength(2)
  expect(shown(desk)[1]).toBe(`sell 2 @ ${Math.min(...sales.map(({ price }) => price))} out`)
})

test.each<[string, (desk: Desk) => unknown, ('buy' | 'sell')[]]>([
  ['nothing holds it up', () => undefined, ['buy', 'sell']],
  ['buys are off', (desk) => desk.settings({ autoBuy: false }), ['sell']],
  ['the cap is used up', (desk) => desk.settings({ maxBuyAmount: 360_000 }), ['sell']],
  ['the server is stopped', (desk) => (desk.serverStop = 'halt'), []],
  [
    'its person buys no more',
    (desk) => desk.ask({ kind: 'setStop', level: 'user', stop: 'reduce', code: null }),
    ['sell'],
  ],
  ['the broker has more', (desk) => block(desk, {}), ['sell']],
  ['the broker has fewer', (desk) => block(desk, { short: true }), []],
  ['its orders were rejected', (desk) => block(desk, { code: 'rejects' }), []],
  ['only its buys were rejected', (desk) => block(desk, { code: 'rejects', buysOnly: true }), ['sell']],
  ['it is only rehearsed', (desk) => desk.putFacts({ kind: 'stockShadowed', code: CODE, shadow: true, at: 0 }), []],
  [
    'another share',
    (desk) => desk.putFacts({ kind: 'stockFrozen', code: CODE, move: { day: '1', close: 2, base: 1 }, at: 0 }),
    [],
  ],
])('%s', (_, change, sides) => {
  const desk = waiting()
  // Nothing is out yet: a sale that rests would stand there whatever holds the next one up.
  change(desk)
  const next = nextOrders({ ...desk.account.book, orders: new Map() }, desk.serverStop)
  expect(next.map(({ side }) => side)).toEqual(sides)
})

test('where the whole server only rehearses nothing is to come, and what is out stays until it is gone', () => {
  const desk = waiting()
  const { book } = desk.account
  expect([nextOrders(book, 'active'), nextOrders(book, 'active', { shadow: true })]).toMatchObject([{ length: 2 }, []])
  desk.quote(70_500).timer()
  expect(nextOrders(desk.account.book, 'active', { shadow: true })).toMatchObject([{ side: 'sell', isOut: true }])
})

test('a position that sells at its average sells whole', () => {
  const desk = waiting({ autoSellWithAvgPrice: true })
  expect(nextOrders(desk.account.book, 'active')[1]).toMatchObject({ side: 'sell', count: 5 })
})
