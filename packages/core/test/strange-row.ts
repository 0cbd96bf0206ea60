import type { Execution } from '../src/account/types.ts'
import { CODE, DAY } from './desk.ts'

type Given = Partial<Execution> & Pick<Execution, 'side' | 'count' | 'price' | 'orderedAt'>

/** The broker's row of an order that is none of the book's, as far as it is not given one that rests whole. */
export const strangeRow = (given: Given): Execution => {
  const one = { filledCount: 0, ...given }
  return {
    day: DAY,
    odno: '0000000900',
    orgno: '06010',
    originalOdno: null,
    code: CODE,
    name: '삼성전자',
    venue: 'KRX',
    filledAmount: one.filledCount * one.price,
    remainingCount: one.count - one.filledCount,
    rejectedCount: 0,
    cancelled: false,
    ...one,
  }
}
