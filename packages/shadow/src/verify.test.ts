import type { Fact } from '@digger/core'
import { beforeEach, expect, test } from 'vitest'
import { CODE, Stage } from '../test/stage.ts'
import { verifyRows } from './verify.ts'

/** Two buys, one of them sold again, one sale that rests. */
let journal: readonly Fact[]
let ends: readonly (string | undefined)[]
beforeEach(() => {
  const stage = new Stage()
  for (const price of [70_000, 69_900, 69_300, 69_200, 70_200]) stage.price(price)
  ends = stage.orders.map((order) => order.split(' ').at(-1))
  journal = stage.journal
})

async function* rowsOf(facts: readonly Fact[]) {
  for (const [place, fact] of facts.entries()) yield { seq: place + 1, fact }
}
const verify = (facts: readonly Fact[]) => verifyRows(rowsOf(facts))

const placeOf = (kind: Fact['kind'], nth = 0): number =>
  journal.flatMap((fact, place) => (fact.kind === kind ? [place] : []))[nth] ?? -1
const without = (kind: Fact['kind'], nth = 0) => journal.toSpliced(placeOf(kind, nth), 1)
const twice = (kind: Fact['kind'], nth = 0) => journal.toSpliced(placeOf(kind, nth), 0, ...at(kind, nth))
const at = (kind: Fact['kind'], nth = 0): Fact[] => journal.slice(placeOf(kind, nth), placeOf(kind, nth) + 1)
/** As a hand in the table would change it: no type holds it back. */
const changed = (kind: Fact['kind'], change: object, nth = 0) =>
  journal.map((fact, place) => (place === placeOf(kind, nth) ? Object.assign({}, fact, change) : fact))

const soldMore = (): Fact[] =>
  journal.map((fact) => (fact.kind === 'lotSold' ? { ...fact, trade: { ...fact.trade, count: 3 } } : fact))

test('what a rehearsal wrote is read again, and each row follows from those before it', async () => {
  expect(ends).toEqual(['filled', 'open', 'filled', 'filled'])
  expect(await verify(journal)).toEqual({ facts: journal.length, problems: [] })
  expect(await verify([])).toEqual({ facts: 0, problems: [] })
})

test.each<[string, () => Fact[], RegExp]>([
  ['a kind that nobody knows', () => changed('orderFilled', { kind: 'orderFiled' }), /row \d+, orderFiled: nobody/],
  ['a kind that objects have by themselves', () => changed('orderFilled', { kind: 'toString' }), /toString: nobody/],
  ['an instant that is none', () => changed('dayOpened', { at: 'noon' }), /dayOpened: it happened at noon/],
  ['an order without its lots', () => changed('orderIntended', { order: { id: 9, code: CODE } }), /after row \d+: /],
  ['a stock that was never added', () => without('stockAdded'), new RegExp(`orderIntended: ${CODE} is not there`)],
  ['a stock that is added twice', () => twice('stockAdded'), new RegExp(`stockAdded: ${CODE} is there already`)],
  ['an order that was never made', () => without('orderIntended'), /orderAccepted: order 1 is not there/],
  ['an order that is made twice', () => twice('orderIntended'), /orderIntended: number 1 was given before/],
  ['an order that is accepted twice', () => twice('orderAccepted'), /orderAccepted: order 1 is open already/],
  ['an order that ends twice', () => twice('orderEnded'), /orderEnded: order 1 is filled already/],
  ['a fill that is booked twice', () => twice('orderFilled'), /orderFilled: 2 of 2 shares of order 1 .* after 2/],
  ['more filled than ordered', () => changed('orderFilled', { count: 3 }), /orderFilled: 3 of 2 shares of order 1/],
  ['a fill that is in no lot', () => without('lotBought'), /2 shares were filled and are in no lot/],
  ['a lot that no fill brought', () => without('orderFilled'), /-2 shares were filled/],
  ['a lot that is sold twice', () => twice('lotSold'), /lotSold: lot \d+ is not there/],
  ['a sale of more than the lot has', soldMore, /lotSold: 3 shares of lot \d+, which has 2/],
  [
    'a lot that comes a second time',
    () => journal.concat(at('lotBought')),
    /lotBought: lot 1000000001 is there already/,
  ],
])('%s is named', async (_name, damage, found) => {
  const { problems } = await verify(damage())
  expect(problems.join('\n')).toMatch(found)
})

test('two orders that the real tables would refuse beside each other', async () => {
  const [fact] = journal.flatMap((one) =>
    one.kind === 'orderIntended' && one.order.side === 'sell' ? [{ ...one, order: { ...one.order, id: 99 } }] : [],
  )
  const { problems } = await verify(journal.concat(fact ?? []))
  expect(problems).toEqual([expect.stringMatching(/orderIntended: order 99 stands beside order 2/)])
})
