import { describe, expect, test } from 'vitest'
import { CODE, DAY, Desk } from '../../test/desk.ts'
import { asLoaded } from './as-loaded.ts'
import { emptyBook, evolve } from './evolve.ts'
import type { Fact } from './facts.ts'
import type { AccountCommand } from './step-types.ts'
import { newAccount } from './view.ts'

/** A buy at 70,000 that has just left. */
const bought = (): Desk => new Desk({ autoSell: false }).buyAt(70_000)
/** The sale of two shares, accepted. */
const selling = (): Desk => new Desk({ autoBuy: false }).hold([1, 2, 70_000]).timer().accept(1).wait(2_000)

/** Killed: only the journal is left, and whoever reads it has the broker some seconds later. */
function restart(desk: Desk): Desk {
  const facts: Fact[] = JSON.parse(JSON.stringify(desk.journal))
  desk.account = newAccount(asLoaded(facts.reduce(evolve, emptyBook(DAY))))
  desk.do({ kind: 'restarted', lateMs: 40_000 }).wait(3_000)
  return desk.do({ kind: 'authorised', authorised: true })
}
const all = { kind: 'cancelOrders', code: CODE } as const
const wantedFacts = (desk: Desk): number => desk.journal.filter(({ kind }) => kind === 'cancelWanted').length

describe('a cancel that was answered is sent after a restart', () => {
  test.each<[string, AccountCommand]>([
    ['all of a stock', all],
    ['all', { kind: 'cancelOrders', code: null }],
    ['one by its number', { kind: 'cancelOrder', id: 1 }],
  ])('of an order that had not left: %s', (_name, command) => {
    const desk = bought()
    expect(desk.ask(command)).toMatchObject({ ok: true })
    restart(desk).wait(40_000)
    expect(desk.cancels).toEqual([])
    desk.read([desk.row(1)])
    expect([desk.order(1).status, desk.cancels]).toEqual(['cancelling', [1]])
  })

  test('of an order whose reply was lost', () => {
    const desk = bought().lose(1)
    expect(desk.ask(all)).toMatchObject({ ok: true })
    restart(desk).wait(40_000)
    expect(desk.read([desk.row(1)]).cancels).toEqual([1])
  })

  test('of an order that the broker did not cancel the first time', () => {
    const desk = bought().accept(1)
    expect(desk.ask(all)).toMatchObject({ ok: true })
    desk.do({ kind: 'cancelFailed', orderId: 1, text: '잠시 뒤 다시' })
    expect(restart(desk).cancels).toEqual([1])
  })

  test('of one pressed again while it waits for its next try', () => {
    const desk = bought().accept(1)
    desk.ask(all)
    desk.do({ kind: 'cancelFailed', orderId: 1, text: '잠시 뒤 다시' }).wait(1_000)
    expect(desk.ask(all)).toMatchObject({ ok: false, code: 'BUSY' })
    expect(restart(desk).cancels).toEqual([1])
  })

  test('without a connection: not called done, and sent all the same', () => {
    const desk = bought().accept(1).do({ kind: 'authorised', authorised: false })
    expect(desk.ask(all)).toMatchObject({ ok: false, code: 'CONFLICT' })
    expect(restart(desk).cancels).toEqual([1])
  })

  test('of sells whose shares their person now keeps', () => {
    const desk = selling().do({ kind: 'authorised', authorised: false })
    expect(desk.ask({ kind: 'keepShares', code: CODE, count: 1 })).toMatchObject({ ok: true })
    expect(restart(desk).cancels).toEqual([1])
  })

  test('of a sale half done that new settings end', () => {
    const desk = new Desk({ autoBuy: false, autoSellWithAvgPrice: true }).hold([1, 2, 70_000], [2, 3, 70_000])
    desk.timer().accept(1).wait(2_000)
    desk.read([desk.row(1, { filledCount: 2, remainingCount: 3 })])
    desk.do({ kind: 'authorised', authorised: false })
    desk.settings({ sellPercent: 0.5 })
    expect(restart(desk).cancels).toEqual([1])
  })

  test('and again by whoever comes after that one', () => {
    const desk = bought()
    desk.ask(all)
    restart(desk).wait(40_000)
    expect(desk.read([desk.row(1)]).cancels).toEqual([1])
    expect(restart(desk).cancels).toEqual([1])
    desk.read([desk.row(1, { cancelled: true, remainingCount: 0 })])
    expect([restart(desk).cancels, desk.order(1).status]).toEqual([[], 'cancelled'])
  })

  test('also of an order that was given up and shows up in the list after all', () => {
    const desk = bought()
    desk.ask(all)
    restart(desk).wait(40_000).read([]).wait(2_000).read([])
    expect(desk.order(1).status).toBe('notPlaced')
    expect(desk.wait(5_000).read([desk.row(1)]).cancels).toEqual([1])
  })
})

test('however often it is pressed, an order has the wish once', () => {
  const desk = bought()
  for (const command of [all, all, { kind: 'cancelOrder', id: 1 } as const]) desk.ask(command)
  expect([wantedFacts(desk), wantedFacts(restart(desk))]).toEqual([1, 1])
  desk.wait(40_000).read([desk.row(1)])
  desk.ask(all)
  expect(wantedFacts(desk)).toBe(1)
})

test('whose cancel by the rules was on its way is decided anew after a restart, and asked again', () => {
  const desk = bought().accept(1).wait(30_000).timer()
  expect([desk.order(1).status, wantedFacts(desk)]).toEqual(['cancelling', 0])
  expect([restart(desk).timer().cancels, wantedFacts(desk)]).toEqual([[1], 0])
})

const held = (desk: Desk): string[] => [...restart(desk).account.view.stocks.heldBuys]

describe('a buy that a person took back is not made again after a restart', () => {
  test('once it was cancelled', () => {
    const desk = bought().accept(1)
    desk.ask(all)
    desk.read([desk.row(1, { cancelled: true, remainingCount: 0 })])
    expect([desk.order(1).status, held(desk)]).toEqual(['cancelled', [CODE]])
  })

  test('while it is still to be cancelled', () => {
    const desk = bought()
    desk.ask(all)
    expect(held(desk)).toEqual([CODE])
  })

  test('but one that the rules took back is', () => {
    const desk = bought().accept(1).wait(30_000).timer()
    expect(held(desk)).toEqual([])
    desk.timer().read([desk.row(1, { cancelled: true, remainingCount: 0 })])
    expect([desk.order(1).status, held(desk)]).toEqual(['cancelled', []])
  })
})

test('a person’s cancel holds also where the rules had asked for it and the broker did not do it', () => {
  const desk = bought().accept(1).wait(30_000).timer()
  expect(desk.cancels).toEqual([1])
  expect([wantedFacts(desk), desk.ask({ kind: 'cancelOrder', id: 1 }), wantedFacts(desk)]).toMatchObject([
    0,
    { ok: true },
    1,
  ])
  expect(desk.cancels).toEqual([])
})

test('a wish is no news of the order: one whose call never reports is given up as early as without it', () => {
  const desk = bought().wait(100_000)
  desk.ask(all)
  expect(desk.wait(20_000).timer().order(1).status).toBe('unknown')
})

test('orders of a journal from before the wish was kept are wanted by nobody', () => {
  const { cancelWanted: _none, ...order } = bought().order(1)
  const facts: Fact[] = JSON.parse(JSON.stringify([{ kind: 'orderIntended', order, at: 0 }]))
  expect(facts.reduce(evolve, emptyBook(DAY)).orders.get(1)?.cancelWanted).toBe(false)
})
