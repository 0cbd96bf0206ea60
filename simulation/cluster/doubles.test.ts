import { expect, test } from 'vitest'
import type { Row } from '../database/read.ts'
import { CUSTOMERS } from './customers.ts'
import { Doubles } from './doubles.ts'
import { Process } from '../machine/process.ts'

const [customer] = CUSTOMERS
const process = new Process('worker', 1, 1, 0)
const LOOKS = { code: '316140', type: 'limit', session: 'regular', price: 30_000, count: 2, venue: 'KRX' } as const

interface Written {
  readonly id: number
  readonly side: 'buy' | 'sell'
  readonly lotId: number
  /** What the tables call not placed when it is written. */
  readonly givenUp?: readonly number[]
}

/** The broker takes these orders, all of which were written before. */
function taken(written: readonly Written[]): Doubles {
  let rows: Row[] = []
  const doubles = new Doubles({ query: () => rows }, () => 0)
  for (const { id, side, lotId, givenUp = [] } of written) {
    rows = givenUp.map((one) => ({ id: one }))
    const order = { ...LOOKS, id, side, lots: [{ lotId }] }
    doubles.written({ process, userId: customer?.userId ?? '', order, epoch: 1 })
  }
  for (const { side } of written) doubles.take({ ...LOOKS, side, account: customer?.credentials.accountNumber ?? '' })
  return doubles
}

test('two sales of a lot of which the first was given up are one too many', () => {
  const first = { id: 1, side: 'sell', lotId: 7 } as const
  expect(() => taken([first, { ...first, id: 2, givenUp: [1] }])).toThrow('no double order')
  expect(() => taken([first, { ...first, id: 2, lotId: 8, givenUp: [1] }])).not.toThrow()
  expect(() => taken([first, { ...first, id: 2 }])).not.toThrow()
})

test('a buy that was given up and one made after it are for the same step, whatever lots they would make', () => {
  const first = { id: 1, side: 'buy', lotId: 7 } as const
  expect(() => taken([first, { id: 2, side: 'buy', lotId: 8, givenUp: [1] }])).toThrow(
    'orders 1 and 2 are at the broker',
  )
})

test('an order that nobody wrote, or that comes twice, is none', () => {
  const doubles = taken([{ id: 1, side: 'buy', lotId: 7 }])
  expect(doubles.noneOut).toBe(true)
  const again = { ...LOOKS, side: 'buy', account: customer?.credentials.accountNumber ?? '' } as const
  expect(() => doubles.take(again)).toThrow('what was written, once')
})
