import { describe, expect, test } from 'vitest'
import { CODE, DAY, Desk, heldLot } from '../../test/desk.ts'
import { kstMidnight } from '../krx/kst.ts'
import { dailyLimits } from '../krx/limit.ts'
import { remainAmount } from '../ladder/buy.ts'
import { emptyBook, evolve } from './evolve.ts'
import { heldAmount } from './expected-shares.ts'
import { lotsBehindExpected } from './give-up-expected.ts'

const HALF = { moved: { day: DAY, close: 70_000, base: 35_000 }, band: dailyLimits(35_000, 'stock', 'KOSPI') }
const SEEN = { count: 6, amount: 207_900 }

/** Six shares for 415,800 won, whose 1:1 bonus issue is settled: half of what they cost waits for six new shares. */
function settled(settings = {}): Desk {
  const desk = new Desk({ lastBuyPrice: 68_600, autoSell: false, autoBuy: false, ...settings })
  desk.hold([1, 2, 70_000], [2, 2, 69_300], [3, 2, 68_600]).quote(35_000, HALF).timer()
  desk.ask({ kind: 'adjustStock', code: CODE, day: DAY, held: 6, snapshot: desk.snapshot([], [[6, 69_300]]) })
  expect(desk.stock.expected).toEqual(SEEN)
  return desk.wait(1_000)
}

const rows = (desk: Desk) => [...desk.account.book.orders.keys()].map((id) => desk.row(id))
const costOf = (desk: Desk): number => remainAmount(lotsBehindExpected(desk.stock))
const giveUp = (desk: Desk, { held = 6, seen = {}, lots = 3, cost = costOf(desk), executions = rows(desk) } = {}) =>
  desk.ask({
    kind: 'giveUpExpected',
    code: CODE,
    seen: { ...SEEN, ...seen },
    lots,
    cost,
    snapshot: desk.snapshot(executions, [[held, 69_300]]),
  })

/** The lots of before are sold; nothing else is held. */
function soldOut(desk: Desk): void {
  desk.ask({ kind: 'sellAtPrice', code: CODE, price: 35_000, slices: 1 })
  const [id = 0] = desk.sent
  desk.accept(id).wait(2_000).fill(id).wait(11_000)
  expect(desk.stock.lots).toEqual([])
}

describe('new shares that never come', () => {
  test('give their money back to the lots it came out of, to the won', () => {
    const desk = settled()
    expect(giveUp(desk)).toMatchObject({ ok: true })
    expect(desk.facts.map(({ kind }) => kind)).toEqual(['expectedGivenUp'])
    expect([desk.stock.expected, desk.lots]).toEqual([null, ['1: 2 @ 70000', '2: 2 @ 69300', '3: 2 @ 68600']])
    expect([heldAmount(desk.stock), desk.stock.accGainAmount, desk.account.book.gainToday]).toEqual([415_800, 0, 0])
    expect(desk.stock.settings.lastBuyPrice).toBe(34_300)
  })

  test('make those lots lose as much more, which counts against the limit of the account', () => {
    const desk = settled()
    const { limits } = desk.account.book
    desk.putFacts({ kind: 'limitsSet', own: { ...limits.own, lossAmount: 150_000 }, pending: [], at: desk.now })
    expect(desk.timer().account.book.stop).toBe('active')
    giveUp(desk)
    expect(desk.facts.map(({ kind }) => kind)).toEqual(['expectedGivenUp', 'limitReached'])
    expect(desk.account.book.stop).toBe('reduce')
  })

  test('are the same after the journal is read again', () => {
    const desk = settled()
    giveUp(desk)
    expect(desk.journal.reduce(evolve, emptyBook(DAY)).stocks.get(CODE)).toEqual(desk.stock)
  })

  test('leave alone what was bought since: it never paid for them', () => {
    const desk = settled()
    desk.putFacts({
      kind: 'lotBought',
      code: CODE,
      lot: { ...heldLot(9, 2, 34_000), boughtAt: kstMidnight(DAY) },
      at: desk.now,
    })
    expect(giveUp(desk, { held: 8 })).toMatchObject({ ok: true })
    expect(desk.lots).toEqual(['1: 2 @ 70000', '2: 2 @ 69300', '3: 2 @ 68600', '9: 2 @ 34000'])
  })

  test('and what came of them already, at its own cost', () => {
    const desk = settled()
    const part = { ...desk.snapshot([], [[8, 40_000]]) }
    desk.ask({ kind: 'fixBalance', code: CODE, snapshot: part })
    desk.wait(11_000).ask({ kind: 'fixBalance', code: CODE, snapshot: desk.snapshot([], [[8, 40_000]]) })
    expect(desk.stock.expected).toEqual({ count: 4, amount: 138_600 })
    expect(giveUp(desk, { held: 8, seen: { count: 4, amount: 138_600 } })).toMatchObject({ ok: true })
    expect(desk.lots.at(-1)).toBe('4: 2 @ 34650')
    expect([desk.stock.expected, remainAmount(desk.stock.lots)]).toEqual([null, 415_800])
  })

  test('also those of shares that the person keeps, which cost the book nothing', () => {
    const desk = settled()
    desk.putFacts({ kind: 'sharesKept', code: CODE, count: 2, at: desk.now })
    desk.putFacts({ kind: 'sharesExpected', code: CODE, expected: { ...SEEN, ofPerson: 2 }, at: desk.now })
    expect(giveUp(desk, { held: 8 })).toMatchObject({ ok: false, code: 'CONFLICT' })
    expect(giveUp(desk, { held: 8, seen: { ofPerson: 2 } })).toMatchObject({ ok: true })
    expect([desk.stock.expected, desk.stock.kept]).toEqual([null, 2])
  })
})

describe('where the lots that paid are sold', () => {
  test('the money is a loss of today, and no lot bought since carries it', () => {
    const desk = settled()
    soldOut(desk)
    desk.hold([9, 2, 34_000])
    desk.putFacts({ kind: 'lotBought', code: CODE, lot: { ...desk.stock.lots[0]!, boughtAt: desk.now }, at: desk.now })
    const before = desk.account.book.gainToday
    expect(giveUp(desk, { held: 2, lots: 0, executions: [desk.row(1, { filledCount: 6 })] })).toMatchObject({
      ok: true,
    })
    expect([desk.stock.expected, desk.lots]).toEqual([null, ['9: 2 @ 34000']])
    const [trade] = desk.facts.flatMap((fact) => (fact.kind === 'lotSold' ? [fact.trade] : []))
    expect(trade).toMatchObject({
      count: 6,
      buyPrice: 34_650,
      buyAmount: 207_900,
      sellPrice: 0,
      sellAmount: 0,
      day: DAY,
    })
    expect(before - desk.account.book.gainToday).toBe(207_900 + (trade?.fee ?? 0))
    expect(desk.stock.accGainAmount).toBe(6 * 35_000 - 207_900 - 207_900)
  })

  test('a fraction that was to bring no share of the book’s own is one, too', () => {
    const desk = settled()
    soldOut(desk)
    desk.putFacts({
      kind: 'sharesExpected',
      code: CODE,
      expected: { count: 0, amount: 500, ofPerson: 1 },
      at: desk.now,
    })
    const seen = { count: 0, amount: 500, ofPerson: 1 }
    expect(giveUp(desk, { held: 0, lots: 0, seen, executions: [desk.row(1, { filledCount: 6 })] })).toMatchObject({
      ok: true,
    })
    expect(desk.facts).toMatchObject([
      { kind: 'lotSold', trade: { count: 1, buyAmount: 500, sellAmount: 0 } },
      { kind: 'expectedGivenUp', lots: [] },
    ])
  })

  test('what cost nothing is no loss', () => {
    const desk = settled()
    soldOut(desk)
    const seen = { count: 0, amount: 0, ofPerson: 1 }
    desk.putFacts({ kind: 'sharesExpected', code: CODE, expected: seen, at: desk.now })
    giveUp(desk, { held: 0, lots: 0, seen, executions: [desk.row(1, { filledCount: 6 })] })
    expect(desk.facts).toMatchObject([{ kind: 'expectedGivenUp', lots: [] }])
  })
})

describe('targets of before', () => {
  test('rest no longer: each lot is offered anew at what it costs now', () => {
    const desk = settled({ autoSell: true })
    desk.accept(1, 2, 3).wait(2_000)
    expect(giveUp(desk)).toMatchObject({ ok: true })
    expect(desk.cancels).toEqual([1, 2, 3])
    desk.wait(2_000).read([1, 2, 3].map((id) => desk.row(id, { remainingCount: 0, cancelled: true })))
    // Above the limit of the day they wait.
    expect(desk.live).toEqual([])
    desk.quote(68_000, { ...HALF, band: dailyLimits(60_000, 'stock', 'KOSPI') }).timer()
    expect(desk.live).toEqual([
      '4 sell 2 @ 69500 of 3 intended',
      '5 sell 2 @ 70200 of 2 intended',
      '6 sell 2 @ 70900 of 1 intended',
    ])
  })

  test('not even for what a sale half done has left', () => {
    const desk = settled({ autoSell: true, autoSellWithAvgPrice: true })
    desk.accept(1).wait(2_000)
    const sold = [desk.row(1, { filledCount: 1 })]
    desk.read(sold).wait(11_000)
    // Within the limits of the day, or it would be taken back for those.
    desk.quote(35_000, { ...HALF, band: dailyLimits(60_000, 'stock', 'KOSPI') })
    expect(giveUp(desk, { held: 5, executions: sold })).toMatchObject({ ok: true })
    expect(desk.cancels).toEqual([1])
  })
})

const unchanged = (desk: Desk) => expect(desk.stock.expected).toEqual(SEEN)

describe('nothing is given up', () => {
  test.each([
    ['other shares', { seen: { count: 5 } }],
    ['at another cost', { seen: { amount: 207_899 } }],
    ['with shares of the person’s', { seen: { ofPerson: 1 } }],
    ['and other lots', { lots: 2 }],
    ['or more of one', { cost: 300_000 }],
  ])('that a page of before shows: %s', (_what, over) => {
    const desk = settled()
    expect(giveUp(desk, over)).toMatchObject({ ok: false, code: 'CONFLICT', text: expect.stringContaining('바뀌') })
    unchanged(desk)
  })

  test('where nothing is expected', () => {
    const desk = new Desk().hold([1, 2, 70_000])
    expect(giveUp(desk, { held: 2 })).toMatchObject({ ok: false, code: 'CONFLICT' })
    expect(desk.stock.expected).toBe(null)
  })

  test('where the broker holds more: they may have come', () => {
    const desk = settled()
    for (const held of [12, 7, 5])
      expect(giveUp(desk, { held })).toMatchObject({ ok: false, text: expect.stringContaining('잔고를 먼저') })
    unchanged(desk)
  })

  test('by a balance that may lag a fill', () => {
    const desk = settled({ autoSell: true })
    desk.accept(1, 2, 3).wait(2_000)
    const sold = [desk.row(1, { filledCount: 2 }), desk.row(2), desk.row(3)]
    expect(giveUp(desk.read(sold), { held: 4, lots: 2, executions: sold })).toMatchObject({ ok: false, code: 'BUSY' })
    unchanged(desk)
    expect(giveUp(desk.wait(11_000), { held: 4, lots: 2, executions: sold })).toMatchObject({ ok: true })
  })

  test('without a balance', () => {
    const desk = settled()
    const snapshot = desk.snapshot([], null)
    expect(
      desk.ask({ kind: 'giveUpExpected', code: CODE, seen: SEEN, lots: 3, cost: costOf(desk), snapshot }),
    ).toMatchObject({
      ok: false,
      code: 'BUSY',
    })
    unchanged(desk)
  })

  test('while a sale that was asked for waits', () => {
    const desk = settled({ autoSell: true })
    desk.accept(1, 2, 3).wait(2_000)
    desk.ask({ kind: 'sellAtMarket', code: CODE })
    expect(giveUp(desk)).toMatchObject({ ok: false, code: 'BUSY', text: expect.stringContaining('매도를 처리') })
    unchanged(desk)
  })

  test('while the stock is frozen', () => {
    const desk = settled()
    desk.putFacts({ kind: 'stockFrozen', code: CODE, move: { ...HALF.moved, day: '20261117' }, at: desk.now })
    expect(giveUp(desk)).toMatchObject({ ok: false, code: 'CONFLICT', text: expect.stringContaining('기준가') })
    unchanged(desk)
  })
})
