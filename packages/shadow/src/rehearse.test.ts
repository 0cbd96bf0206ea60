import { canonical, kstInstant } from '@digger/core'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CODE, Stage } from '../test/stage.ts'
import { EMPTY_STATE, evolveState } from './state.ts'

describe('a day in the shadow', () => {
  test('a price becomes an order that rests, and a trade below it a lot with its sale', () => {
    const stage = new Stage().price(70_000)
    expect(stage.orders).toEqual(['S1 buy 2 @ 70000 open'])
    stage.price(70_000)
    expect(stage.lots).toEqual([])
    stage.price(69_900)
    expect(stage.lots).toEqual(['2 @ 70000'])
    expect(stage.orders).toEqual(['S1 buy 2 @ 70000 filled', 'S2 sell 2 @ 70700 open'])
  })

  test('the sale waits until the market has traded beyond it', () => {
    const stage = new Stage().price(70_000).price(69_900).price(70_700)
    expect(stage.lots).toEqual(['2 @ 70000'])
    stage.price(70_800)
    expect(stage.lots).toEqual([])
    expect(stage.state.account.book.stocks.get(CODE)?.accGainAmount).toBe(1_400)
  })

  test('by the kinder rule a trade at the price is enough', () => {
    const stage = new Stage()
    stage.rule = 'touch'
    stage.price(70_000).price(70_000).price(70_700)
    expect(stage.orders).toEqual(['S1 buy 2 @ 70000 filled', 'S2 sell 2 @ 70700 filled'])
  })

  test('an automatic buy that does not fill is taken back after its half minute', () => {
    const stage = new Stage().price(70_000).timer(31_000)
    expect(stage.orders[0]).toBe('S1 buy 2 @ 70000 cancelled')
  })

  test('what rests at the end of the day has expired, and is offered again on the next', () => {
    const stage = new Stage().price(70_000).price(69_900)
    stage.now = kstInstant('20261116', 154_500)
    stage.timer().timer(16_000)
    expect(stage.orders.at(-1)).toBe('S2 sell 2 @ 70700 expired')
    stage.now = kstInstant('20261117', 90_010)
    stage.timer().timer(2_000)
    expect(stage.orders).toEqual(['S3 sell 2 @ 70700 open'])
  })

  test('a stop of the server holds here as everywhere', () => {
    const stage = new Stage()
    stage.serverStop = 'reduce'
    expect(stage.price(69_000).orders).toEqual([])
  })

  test('a person sells at the market at the last price, at once', () => {
    const stage = new Stage().price(70_000).price(69_900)
    stage.do({ kind: 'command', ticket: 7, command: { kind: 'sellAtMarket', code: CODE } }).timer()
    expect(stage.lots).toEqual([])
    expect(stage.orders.at(-1)).toBe('S3 sell 2 @ 0 filled')
    expect(stage.state.account.book.stocks.get(CODE)?.accGainAmount).toBe(-200)
  })
})

describe('cash', () => {
  test('what the rehearsal has spent is not spent twice', () => {
    const stage = new Stage({ buyUnitPrice: 700_000 })
    stage.cash = 1_000_000
    stage.price(70_000).price(69_900)
    expect(stage.state.outlay).toEqual(new Map([[CODE, 700_000]]))
  })

  test('without an answer nothing is bought', () => {
    const stage = new Stage()
    stage.cash = null
    // What was answered this morning is too old by then.
    stage.timer(11_000)
    expect(stage.price(70_000).orders).toEqual([])
  })
})

const prices = fc.array(fc.integer({ min: 600, max: 800 }), { minLength: 1, maxLength: 120 })
const rules = fc.constantFrom('through', 'touch')

/** One day of trades, each a second or more after the one before. */
function day(rule: 'through' | 'touch', hundreds: readonly number[]): Stage {
  const stage = new Stage()
  stage.rule = rule
  for (const hundred of hundreds) stage.price(hundred * 100).timer(10_000)
  return stage
}

describe('whatever the prices', () => {
  test('the journal alone makes the same book and outlay again', () => {
    fc.assert(
      fc.property(rules, prices, (rule, hundreds) => {
        const { state, journal } = day(rule, hundreds)
        // As the tables give it back.
        const stored: typeof journal = JSON.parse(JSON.stringify(journal))
        const again = stored.reduce(evolveState, EMPTY_STATE)
        const text = ({ account: { book }, outlay }: typeof state): string =>
          canonical([[...book.stocks.values()], [...book.orders.values()], book.day, book.nextLotId, [...outlay]])
        expect(text(again)).toBe(text(state))
      }),
      { numRuns: 60 },
    )
  })

  test('the outlay is what the fills cost less what they brought, with the costs of what is over', () => {
    fc.assert(
      fc.property(rules, prices, (rule, hundreds) => {
        const { state, journal } = day(rule, hundreds)
        const lots = state.account.book.stocks.get(CODE)?.lots ?? []
        const trades = journal.flatMap((fact) => (fact.kind === 'lotSold' ? fact.trade : []))
        const net = trades.reduce((sum, one) => sum + (one.sellAmount ?? 0) - one.buyAmount - one.fee - one.tax, 0)
        expect(state.outlay.get(CODE) ?? 0).toBe(lots.reduce((sum, lot) => sum + lot.buyAmount, 0) - net)
      }),
      { numRuns: 60 },
    )
  })

  test('nothing is sold below its target, and the cautious rules fill no sooner', () => {
    fc.assert(
      fc.property(prices, (hundreds) => {
        const [late, early] = [day('through', hundreds), day('touch', hundreds)]
        const trades = [late, early].flatMap(({ journal }) =>
          journal.flatMap((fact) => (fact.kind === 'lotSold' ? fact.trade : [])),
        )
        expect(trades.filter(({ sellPrice, buyPrice }) => (sellPrice ?? 0) < buyPrice * 1.01)).toEqual([])
        expect(firstFill(late)).toBeGreaterThanOrEqual(firstFill(early))
      }),
      { numRuns: 60 },
    )
  })
})

const firstFill = ({ journal }: Stage): number =>
  journal.find(({ kind }) => kind === 'orderFilled')?.at ?? Number.POSITIVE_INFINITY
