import { beforeAll, describe, expect, test } from 'vitest'
import { emptyBook, isLive, type Account, type Fact, type HeldLot, type Stock } from '../src/index.ts'
import { Agreed } from './simulate/agreed.ts'
import { checkCauses } from './simulate/causes.ts'
import { Kept } from './simulate/kept.ts'
import { checkRest } from './simulate/resting.ts'
import { heal } from './simulate/settle.ts'
import { Simulation } from './simulate/simulation.ts'
import { CODE, DAY, Desk, heldLot } from './desk.ts'

/** A wrong product is noticed: each check of the simulation is held against what it must not let pass. */
const TIMER = { kind: 'timer' } as const
const bought = (lot: Partial<HeldLot>): Fact => ({
  kind: 'lotBought',
  code: CODE,
  lot: { ...heldLot(1, 5, 70_000), ...lot },
  at: 0,
})

/** The automatic sale of lot 1. */
const order = () => new Desk({ autoBuy: false }).hold([1, 5, 70_000]).quote(70_000).timer().order(1)

describe('lots that may be sold automatically', () => {
  const empty = emptyBook(DAY)

  test('those of a buy, also what is split off them', () => {
    const agreed = new Agreed()
    agreed.learn([bought({ buyOrderId: 3 })], TIMER, empty)
    expect(agreed.has(order())).toBe(true)
    agreed.learn([{ kind: 'lotSplit', code: CODE, lotId: 1, newLotId: 2, count: 2, at: 0 }], TIMER, empty)
    expect(agreed.has({ ...order(), lots: [{ lotId: 2, count: 2 }] })).toBe(true)
  })

  test('not those that were taken over, before their person lets them go', () => {
    const agreed = new Agreed()
    agreed.learn([bought({ takenOver: true })], TIMER, empty)
    expect(agreed.has(order())).toBe(false)
    const command = { kind: 'releaseLots', code: CODE, lotIds: [1] } as const
    agreed.learn([], { kind: 'command', ticket: 1, command }, empty)
    expect(agreed.has(order())).toBe(false)
    const released: Fact = { kind: 'lotsReleased', code: CODE, lotIds: [1], at: 0 }
    agreed.learn([released], { kind: 'command', ticket: 2, command }, empty)
    expect(agreed.has(order())).toBe(true)
  })

  test('new shares only as many as were credited', () => {
    const agreed = new Agreed()
    agreed.credited(CODE, 5)
    agreed.learn([bought({})], TIMER, empty)
    expect(() => agreed.learn([bought({ id: 2, count: 1 })], TIMER, empty)).toThrow('from nowhere')
  })
})

let simulation: Simulation
let healed: Account

/** A run that has come to rest, of a seed whose account holds lots for sale. */
beforeAll(() => {
  simulation = new Simulation(3, false)
  simulation.playDay()
  heal(simulation)
  healed = simulation.shell.account
})

const sale = () => {
  const found = [...healed.book.orders.values()].find((one) => one.side === 'sell' && isLive(one.status))
  if (found === undefined) throw new Error('something is for sale')
  return found
}

/** The run with one stock of the book otherwise. */
const withStock = (over: Partial<Stock>) => {
  const stock = healed.book.stocks.get(sale().code)
  if (stock === undefined) throw new Error('the stock of a sale is in the book')
  const stocks = new Map(healed.book.stocks).set(stock.issue.code, { ...stock, ...over })
  simulation.shell.account = { ...healed, book: { ...healed.book, stocks } }
  return simulation
}
const blocked = (code: 'mismatch' | 'rejects' | 'ambiguous') => ({
  blocked: { code, short: false, text: 'stands still', at: 0 },
})

describe('what stands still after the last fault', () => {
  test('does so for nothing in a run that has come to rest', () => {
    expect(() => checkCauses(withStock({}))).not.toThrow()
  })

  test.each<[string, Partial<Stock>]>([
    ['a difference that is none', blocked('mismatch')],
    ['three refusals that nobody gave', blocked('rejects')],
    ['a base that has not moved', { frozen: { day: DAY, close: 70_000, base: 35_000 } }],
  ])('%s is no cause', (_name, over) => {
    simulation.broker.faulty.clear()
    expect(() => checkCauses(withStock(over))).toThrow('I14 cause')
  })
})

test('a lot that should rest and does not is noticed', () => {
  const { id } = sale()
  const orders = new Map(healed.book.orders)
  expect(() => checkRest(withStock({}))).not.toThrow()
  orders.delete(id)
  simulation.shell.account = { ...healed, book: { ...healed.book, orders } }
  expect(() => checkRest(simulation)).toThrow('does not rest')
})

test('sells that would take what a person keeps are noticed, and no others', () => {
  const { code, count } = sale()
  const { held } = simulation.broker
  const before = held.get(code) ?? 0
  const kept = new Kept(simulation.broker)
  const command = { kind: 'keepShares', code, count: 2 } as const
  const fact: Fact = { kind: 'sharesKept', code, count: 2, at: 0 }
  kept.learn([fact], { kind: 'command', ticket: 1, command })
  held.set(code, count + 2)
  const offered = [...healed.book.orders.values()].filter((one) => one.code === code && isLive(one.status)).length
  expect([offered > 0, kept.endangered(code, onlySale())]).toEqual([true, 0])
  held.set(code, count + 1)
  expect(kept.endangered(code, onlySale())).toBe(1)
  held.set(code, before)
})

const onlySale = () => ({ ...healed.book, orders: new Map([[sale().id, sale()]]) })
