import type { Order } from '@digger/core'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Printed } from './plan.ts'
import { differencesOf } from './rehearsal.ts'
import { replay, type ReplayResult } from './replay.ts'
import { faultsOf } from './report.ts'
import { CODES, THREE_DAYS } from './three-days.ts'

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

describe('three recorded days in the shadow, beside the same days in earnest', () => {
  let real: ReplayResult
  const tapes = { cautious: new Tape(), through: new Tape() }
  let shadows: Readonly<Record<keyof typeof tapes, ReplayResult>>
  beforeAll(async () => {
    const [inEarnest, cautious, through] = await Promise.all([
      replay(THREE_DAYS),
      replay({ ...THREE_DAYS, shadow: 'cautious', onPrint: tapes.cautious.onPrint }),
      replay({ ...THREE_DAYS, shadow: 'through', onPrint: tapes.through.onPrint }),
    ])
    real = inEarnest
    shadows = { cautious, through }
  }, 300_000)

  test('the exchange saw many orders of the one, and not one of the others', () => {
    expect(real.truth.events.filter(({ kind }) => kind === 'accepted').length).toBeGreaterThan(50)
    for (const shadow of Object.values(shadows)) {
      expect(shadow.truth.events.filter(({ kind }) => kind === 'accepted' || kind === 'filled')).toEqual([])
      expect([shadow.book.orders, shadow.book.trades]).toEqual([[], []])
      expect(faultsOf(shadow)).toEqual([
        'no orders in the whole run: this proves nothing',
        'no fills in the whole run: this proves nothing',
      ])
    }
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
