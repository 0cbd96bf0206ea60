import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CODE, Desk } from '../../test/desk.ts'
import type { Settings } from '../ladder/types.ts'
import { isLive } from './order-status.ts'
import type { Execution } from './types.ts'

/** Its reference goes back with every sale; everything it holds is for sale. */
const ladder = (settings: Partial<Settings> = {}): Desk =>
  new Desk({
    autoBuy: false,
    autoSell: true,
    recoverLastBuyPrice: true,
    maxBuyPrice: null,
    maxBuyAmount: null,
    ...settings,
  })

const reference = (desk: Desk) => desk.stock.settings.lastBuyPrice

function accepted(desk: Desk): Desk {
  for (const { id, status } of desk.account.book.orders.values()) if (status === 'intended') desk.accept(id)
  return desk
}

/** A person buys one share by hand, which costs this much. */
function byHand(desk: Desk, price: number): Desk {
  desk.quote(price)
  desk.ask({ kind: 'marketBuy', code: CODE, amount: price, cash: 100_000_000, askedAt: desk.now })
  const id = desk.sent[0] ?? 0
  return desk.accept(id).wait(2_000).fill(id, price)
}

/** The order that offers a lot. */
function offering(desk: Desk, lotId: number): number {
  const order = [...desk.account.book.orders.values()].find(
    ({ status, side, lots }) => status === 'open' && side === 'sell' && lots.some((lot) => lot.lotId === lotId),
  )
  if (order === undefined) throw new Error(`lot ${lotId} is not for sale: ${desk.orders.join('; ')}`)
  return order.id
}

/** The automatic sale of a lot fills at this price. */
function sell(desk: Desk, lotId: number, price: number): Desk {
  accepted(desk.quote(price).wait(2_000).timer())
  const id = offering(desk, lotId)
  return accepted(desk.fill(id, desk.order(id).count * price))
}

const newest = (desk: Desk): number => desk.stock.lots.at(-1)?.id ?? 0

describe('what a person buys by hand at 70,000 beside a ladder that stands at 62,000', () => {
  test('does not lift it once the ladder has sold all its own', () => {
    const desk = byHand(ladder({ lastBuyPrice: 62_000 }).hold([1, 2, 62_000]), 70_000)
    expect(reference(desk)).toBe(62_000)
    expect(reference(sell(desk, 1, 62_800))).toBe(62_800)
  })

  test('nor when it is sold itself', () => {
    const desk = byHand(ladder({ lastBuyPrice: 62_000 }), 70_000)
    expect(reference(sell(desk, newest(desk), 70_900))).toBe(62_000)
  })

  test('nor from a reference that its person has put below the lots', () => {
    const desk = byHand(ladder({ lastBuyPrice: 55_000 }).hold([1, 2, 62_000]), 58_000)
    expect(reference(sell(desk, newest(desk), 58_800))).toBe(55_000)
  })

  test('and nothing of that changes when it fills or is sold in parts', () => {
    const desk = ladder({ lastBuyPrice: 62_000 }).hold([1, 2, 62_000]).quote(70_000)
    desk.ask({ kind: 'marketBuy', code: CODE, amount: 140_000, cash: 100_000_000, askedAt: desk.now })
    desk.accept(1).read([desk.row(1, { filledCount: 1, filledAmount: 70_000 })])
    accepted(desk.wait(2_000).fill(1, 140_000).timer())
    const id = offering(desk, newest(desk))
    desk.wait(2_000).read([desk.row(id, { filledCount: 1 })])
    expect(reference(desk)).toBe(62_000)
    expect(reference(sell(desk, 1, 62_800))).toBe(62_800)
    expect(reference(desk.wait(2_000).fill(id))).toBe(62_800)
  })
})

const below = () => byHand(ladder({ lastBuyPrice: 62_000 }).hold([1, 2, 62_000]), 60_000)

describe('what a person buys by hand below the ladder', () => {
  test('lowers it for as long as it is held', () => {
    expect(reference(below())).toBe(60_000)
    expect(reference(sell(below(), 1, 62_800))).toBe(60_000)
  })

  test('and then the ladder stands at its own lots again', () => {
    const desk = below()
    expect(reference(sell(desk, newest(desk), 60_800))).toBe(62_000)
  })

  test('without lots of its own it stays where it is', () => {
    const desk = byHand(ladder({ lastBuyPrice: 62_000 }), 60_000)
    expect(reference(sell(desk, newest(desk), 65_000))).toBe(60_000)
  })
})

test('a buy by hand that begins the ladder is its first step', () => {
  const desk = byHand(ladder({ lastBuyPrice: null }), 70_000)
  expect(reference(desk)).toBe(70_000)
  expect(reference(sell(desk, newest(desk), 70_900))).toBe(70_900)
})

test('so is what fills of it after its end', () => {
  const desk = ladder({ lastBuyPrice: null }).quote(70_000)
  desk.ask({ kind: 'marketBuy', code: CODE, amount: 140_000, cash: 100_000_000, askedAt: desk.now })
  const part = { filledCount: 1, filledAmount: 70_000, cancelled: true, remainingCount: 0 }
  desk
    .accept(1)
    .wait(2_000)
    .read([desk.row(1, part)])
  expect(reference(desk)).toBe(70_000)
  accepted(desk.wait(2_000).fill(1, 140_000))
  expect(reference(sell(sell(desk, 1, 70_900), newest(desk), 70_900))).toBe(70_900)
})

/** The person lets the newest lot be sold automatically. */
function release(desk: Desk): Desk {
  desk.ask({ kind: 'releaseLots', code: CODE, lotIds: [newest(desk)] })
  return accepted(desk)
}

/** Three shares that somebody bought in the broker's app at 70,000 come into the book beside two at 62,000. */
function byPhone(settings: Partial<Settings>): Desk {
  const desk = accepted(ladder(settings).hold([1, 2, 62_000]).quote(62_000).timer())
  const probe = new Desk({ autoSell: false }).buyAt(70_000).row(1)
  const row: Execution = {
    ...probe,
    odno: '0000000900',
    orderedAt: desk.now,
    count: 3,
    filledCount: 3,
    filledAmount: 210_000,
    remainingCount: 0,
  }
  const rows = () => [...[...desk.account.book.orders.keys()].map((id) => desk.row(id)), row]
  for (let times = 0; times < 3; times += 1) accepted(desk.wait(12_000).read(rows(), [[5, 66_800]]))
  desk.wait(12_000)
  const snapshot = desk.snapshot(rows(), [[5, 70_000]])
  expect(desk.ask({ kind: 'fixBalance', code: CODE, snapshot })).toMatchObject({ ok: true })
  return accepted(desk)
}

describe('what was bought in the broker’s app and came by a correction', () => {
  test('does not lift the ladder once its person has given it to be sold', () => {
    const desk = release(byPhone({ lastBuyPrice: 62_000 }))
    expect(desk.stock.lots.at(-1)).toMatchObject({ takenOver: false, buyPrice: 70_000 })
    expect(reference(sell(desk, 1, 62_800))).toBe(62_800)
    expect(reference(sell(desk, newest(desk), 70_900))).toBe(62_800)
  })

  test('nor when its person sells it by hand', () => {
    const desk = sell(byPhone({ lastBuyPrice: 62_000 }), 1, 62_800)
    desk.quote(70_500)
    expect(desk.ask({ kind: 'sellTrade', code: CODE, tradeId: newest(desk), how: 'current' })).toMatchObject({
      ok: true,
    })
    accepted(desk)
    expect(reference(sell(desk, newest(desk), 70_500))).toBe(62_800)
  })

  test('where the ladder has not begun a sale begins it, as ever', () => {
    const desk = release(byPhone({ lastBuyPrice: null }))
    expect(reference(sell(desk, 1, 62_800))).toBe(70_000)
  })
})

/** What the reference would be without the buys by hand: their fills and their sales left out. */
class LadderAlone {
  reference: number
  readonly steps = new Map<number, number>()

  constructor(reference: number) {
    this.reference = reference
  }

  buy(lotId: number, price: number): void {
    this.steps.set(lotId, price)
    this.reference = price
  }

  sell(lotId: number, price: number): void {
    if (!this.steps.delete(lotId)) return
    this.reference = this.steps.size === 0 ? price : Math.min(...this.steps.values())
  }
}

/** The ladder buys its next step: the lot, and what it cost. */
function step(desk: Desk): [lotId: number, price: number] {
  accepted(desk.quote((reference(desk) ?? 0) + 100)).settings({ autoBuy: true })
  const next = desk.stock.nextBuyPrice ?? 0
  accepted(desk).wait(2_000).buyAt(next)
  const id = [...desk.account.book.orders.values()].find(({ side, status }) => side === 'buy' && isLive(status))?.id
  accepted(desk).fill(id ?? 0)
  accepted(desk).settings({ autoBuy: false })
  accepted(desk)
  return [newest(desk), next]
}

test('no buys by hand and sales lift the ladder above where it would stand alone', () => {
  const act = fc.record({
    what: fc.constantFrom('step', 'own', 'own', 'sell', 'sell'),
    by: fc.integer({ min: 0, max: 60 }).map((hundreds) => hundreds * 100),
    at: fc.nat(9),
  })
  fc.assert(
    fc.property(fc.array(act, { maxLength: 14 }), (acts) => {
      const desk = ladder({ lastBuyPrice: 70_000, maxBuyPrice: 200_000, maxBuyAmount: 100_000_000, buyUnitPrice: 1 })
      const alone = new LadderAlone(70_000)
      for (const { what, by, at } of acts) {
        if (what === 'step') alone.buy(...step(desk))
        else if (what === 'own') {
          byHand(desk, (reference(desk) ?? 0) + by - 3_000)
        } else if (desk.stock.lots.length > 0) {
          const lot = desk.stock.lots[at % desk.stock.lots.length]
          const price = Math.ceil(((lot?.buyPrice ?? 0) * 1.02) / 100) * 100 + by
          sell(desk, lot?.id ?? 0, price)
          alone.sell(lot?.id ?? 0, price)
        }
        expect(reference(desk)).toBeLessThanOrEqual(alone.reference)
      }
    }),
    { numRuns: 200 },
  )
})
