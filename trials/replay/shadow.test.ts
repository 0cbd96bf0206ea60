import type { Order } from '@digger/core'
import type { Candle } from '@digger/kis-sim'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Printed } from './plan.ts'
import { differencesOf } from './rehearsal.ts'
import type { FillRule } from '@digger/shadow'
import { replay, type ReplayResult } from './replay.ts'
import { faultsOf } from './report.ts'
import { DEFAULT_SETTINGS } from './settings.ts'

const day = (date: string, code: string, prices: [number, number, number, number]): Candle => {
  const [open, high, low, close] = prices
  return { day: date, code, name: `종목 ${code}`, market: 'KOSPI', open, high, low, close, volume: 1_000_000 }
}
const CODES = ['100001', '100002', '100003']

/** A fall, a recovery, and a weekend between them. */
const candles: Candle[] = CODES.flatMap((code, n) => {
  const at = (won: number) => won * (n + 1)
  return [
    day('20260108', code, [at(50_000), at(50_500), at(46_000), at(46_500)]),
    day('20260109', code, [at(46_500), at(48_500), at(44_000), at(48_000)]),
    day('20260112', code, [at(48_000), at(52_000), at(47_000), at(51_500)]),
  ]
})
const plan = { candles, settings: DEFAULT_SETTINGS, seed: 7, steps: 60, cash: 1_000_000_000 }

/** Every print of one run, and what the market showed while an order of it rested. */
class Tape {
  readonly #prints: Printed[] = []

  readonly onPrint = (print: Printed): void => void this.#prints.push(print)

  /** Won, beyond which nothing was traded in the direction that would have filled it. */
  farthest({ code, side, createdAt, updatedAt }: Order): number {
    const prices = this.#prints
      .filter((print) => print.code === code && print.at >= createdAt && print.at <= updatedAt)
      .map(({ price }) => price)
    return side === 'sell' ? Math.max(...prices) : Math.min(...prices)
  }
}

const nothingTraded = [
  'no orders in the whole run: this proves nothing',
  'no fills in the whole run: this proves nothing',
]

describe('three recorded days in the shadow, beside the same days in earnest', () => {
  let real: ReplayResult
  const tapes = { cautious: new Tape(), through: new Tape() }
  let shadows: Readonly<Record<FillRule, ReplayResult>>
  beforeAll(async () => {
    const [inEarnestRun, cautious, through, touch] = await Promise.all([
      replay(plan),
      replay({ ...plan, shadow: 'cautious', onPrint: tapes.cautious.onPrint }),
      replay({ ...plan, shadow: 'through', onPrint: tapes.through.onPrint }),
      replay({ ...plan, shadow: 'touch' }),
    ])
    real = inEarnestRun
    shadows = { cautious, through, touch }
  }, 300_000)

  test('the exchange saw many orders of the one, and not one of the others', () => {
    expect(real.truth.events.filter(({ kind }) => kind === 'accepted').length).toBeGreaterThan(50)
    for (const { truth, book } of Object.values(shadows)) {
      expect(truth.events.filter(({ kind }) => kind === 'accepted' || kind === 'filled')).toEqual([])
      expect([book.orders, book.trades]).toEqual([[], []])
    }
  })

  test('nothing else is wrong with a day in the shadow', () => {
    for (const shadow of Object.values(shadows)) expect(faultsOf(shadow)).toEqual(nothingTraded)
  })

  test('where a trade at the price counts, as it does on this exchange, every order and fill is the same to the won', () => {
    expect(shadows.touch.rehearsal.length).toBe(real.book.orders.length)
    for (const { orderAt, fillAt, text } of differencesOf({ real, shadow: shadows.touch }))
      expect({ orderAt, fillAt, text }).toEqual({ orderAt: null, fillAt: null, text: 'every fill is the same' })
  })

  test.each(['cautious', 'through'] as const)(
    'by the rule %s no order differs before a fill that does, and why is known',
    (rule) => {
      const shadow = shadows[rule]
      const found = differencesOf({ real, shadow })
      expect(found.map(({ code }) => code)).toEqual(CODES)
      const looked = found.map(({ code, orderAt, fillAt }) => {
        const order = shadow.rehearsal.filter((one) => one.code === code)[fillAt ?? -1]
        return {
          code,
          // An order can only follow from what filled before it.
          isAfter: (orderAt ?? Number.POSITIVE_INFINITY) > (fillAt ?? Number.NaN),
          filled: order?.filledCount,
          // Really it filled as the first at its price; here nobody knows its place, and beyond it nothing was traded.
          isTouchedOnly: order !== undefined && tapes[rule].farthest(order) === order.price,
        }
      })
      expect(looked).toEqual(CODES.map((code) => ({ code, isAfter: true, filled: 0, isTouchedOnly: true })))
    },
  )

  test('what differs first is told with the order, its price and both fills', () => {
    const [first] = differencesOf({ real, shadow: shadows.cautious })
    expect(first?.text).toBe(
      'order 14, sell 42 @ 48000: really 42 filled for 2016000 won, in the shadow nothing filled',
    )
  })
})
