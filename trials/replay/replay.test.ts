import { beforeAll, describe, expect, test } from 'vitest'
import { differencesOf } from './rehearsal.ts'
import { replay, type ReplayResult } from './replay.ts'
import { faultsOf, tradeHash } from './report.ts'
import { CODES, THREE_DAYS } from './three-days.ts'

// Database, exchange, sockets and all, three times at the same time: what happens in one must not depend on the machine.
describe('three recorded days, traded by the whole product', () => {
  let real: ReplayResult
  let again: ReplayResult
  let shadow: ReplayResult
  beforeAll(async () => {
    ;[real, again, shadow] = await Promise.all([
      replay(THREE_DAYS),
      replay(THREE_DAYS),
      replay({ ...THREE_DAYS, shadow: 'touch' }),
    ])
  }, 120_000)

  test('book, broker and journal agree, to the share and the won, and every stock trades on', () => {
    expect([real, again].map(faultsOf)).toEqual([[], []])
  })

  test('every stock was bought and sold on the way', () => {
    const filled = real.book.orders.filter((order) => order.filled_count > 0)
    for (const code of CODES) {
      const sides = filled.filter((order) => order.code === code).map((order) => order.side)
      expect(sides.filter((side) => side === 'buy').length).toBeGreaterThan(3)
      expect(sides.filter((side) => side === 'sell').length).toBeGreaterThan(3)
    }
  })

  test('the same seed gives the same trades', () => {
    const [one, other] = [real, again].map(({ book }) => tradeHash(book))
    expect(one).toMatch(/^[0-9a-f]{16}$/)
    expect(one).toBe(other)
  })

  test('in the shadow the exchange sees no order, and nothing else is wrong with the days', () => {
    const { truth, book } = shadow
    expect(truth.events.filter(({ kind }) => kind === 'accepted' || kind === 'filled')).toEqual([])
    expect([book.orders, book.trades]).toEqual([[], []])
    expect(faultsOf(shadow)).toEqual([
      'no orders in the whole run: this proves nothing',
      'no fills in the whole run: this proves nothing',
    ])
  })

  test('where a trade at the price counts, as it does on this exchange, the shadow has every order and fill to the won', () => {
    expect(shadow.rehearsal.length).toBe(real.book.orders.length)
    for (const { orderAt, fillAt, text } of differencesOf({ real, shadow }))
      expect({ orderAt, fillAt, text }).toEqual({ orderAt: null, fillAt: null, text: 'every fill is the same' })
  })
})
