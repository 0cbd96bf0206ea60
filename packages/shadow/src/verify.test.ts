import type { AccountCommand, Fact } from '@digger/core'
import * as fc from 'fast-check'
import { beforeEach, expect, test } from 'vitest'
import { CODE, Stage } from '../test/stage.ts'
import { verifyRows } from './verify.ts'

const DAY_MS = 86_400_000

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

test('a single row that is lost is missed, but for one that no other speaks of', async () => {
  const unseen: (string | undefined)[] = []
  for (const [place, fact] of journal.entries()) {
    const { problems } = await verify(journal.toSpliced(place, 1))
    if (problems.length === 0) unseen.push('why' in fact ? `${fact.kind}: ${fact.why}` : fact.kind)
  }
  expect(unseen).toEqual(['referenceMoved: 매도 뒤 기준가 되돌림'])
})

test.each<[string, () => Fact[], RegExp]>([
  ['a kind that nobody knows', () => changed('orderFilled', { kind: 'orderFiled' }), /row \d+, orderFiled: nobody/],
  ['a kind that objects have by themselves', () => changed('orderFilled', { kind: 'toString' }), /toString: nobody/],
  ['an instant that is none', () => changed('dayOpened', { at: 'noon' }), /dayOpened: it happened at noon/],
  ['an order without its lots', () => changed('orderIntended', { order: { id: 9, code: CODE } }), /after row \d+: /],
  ['a stock that was never added', () => without('stockAdded'), new RegExp(`orderIntended: ${CODE} is not there`)],
  ['a stock that is added twice', () => twice('stockAdded'), new RegExp(`stockAdded: ${CODE} is there already`)],
  ['an order that was never made', () => without('orderIntended'), /orderAccepted: order 1 is not there/],
  ['an order of a day that was never opened', () => without('dayOpened'), /orderIntended: 20261116 was not opened/],
  ['an order that was never accepted', () => without('orderAccepted', 1), /before row \d+: order 2 was left intended/],
  ['a fill of one that never was', () => without('orderAccepted'), /orderFilled: order 1 is intended already/],
  ['a filled order that did not end', () => without('orderEnded', 1), /before row \d+: order 3 is filled and did not/],
  ['one that did not end at last', () => without('orderEnded', 2), /^order 4 is filled and did not end/m],
  ['a ladder that stands still', () => without('referenceMoved'), /before row \d+: order 1 has moved no reference/],
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
  const taken = { kind: 'orderAccepted', orderId: 99, odno: 'S99', orgno: 'shadow', at: fact?.at ?? 0 } as const
  const { problems } = await verify(journal.concat(fact ?? [], taken))
  expect(problems).toEqual([expect.stringMatching(/orderIntended: order 99 stands beside order 2/)])
})

const ORDERS: ((now: number) => AccountCommand)[] = [
  () => ({ kind: 'sellAtMarket', code: CODE }),
  () => ({ kind: 'sellStock', code: CODE }),
  (askedAt) => ({ kind: 'marketBuy', code: CODE, amount: 150_000, cash: 10_000_000, askedAt }),
  () => ({ kind: 'cancelOrders', code: null }),
]
type Act = (stage: Stage) => unknown
const trade = (hundreds: number): Act => {
  return (stage) => stage.price(hundreds * 100)
}
const wait = (ms: number): Act => {
  return (stage) => stage.timer(ms)
}
const order = (commandAt: (now: number) => AccountCommand): Act => {
  return (stage) => stage.do({ kind: 'command', ticket: 1, command: commandAt(stage.now) })
}
const restart: Act = (stage) => stage.do({ kind: 'restarted', lateMs: 0 })
const acts = fc.oneof(
  { weight: 12, arbitrary: fc.integer({ min: 670, max: 710 }).map(trade) },
  { weight: 2, arbitrary: fc.constantFrom(10_000, 40_000).map(wait) },
  { weight: 2, arbitrary: fc.constantFrom(...ORDERS).map(order) },
  { weight: 1, arbitrary: fc.constantFrom(restart, wait(DAY_MS)) },
)

test('nothing is missed in what a rehearsal wrote, whatever the prices and whatever a person orders', () =>
  fc.assert(
    fc.asyncProperty(fc.array(acts, { maxLength: 100, size: 'max' }), async (all) => {
      const stage = new Stage()
      for (const act of all) act(stage)
      expect(await verify(stage.journal)).toEqual({ facts: stage.journal.length, problems: [] })
    }),
    { numRuns: 60 },
  ))
