import { expect, test } from 'vitest'
import { isLive, mayMove, type OrderMove } from './order-status.ts'
import type { OrderStatus } from './types.ts'

const MOVES: OrderMove[] = ['accept', 'lose', 'find', 'reject', 'askCancel', 'keep', 'fill', 'end', 'giveUp']

test.each<[OrderStatus, boolean, OrderMove[]]>([
  ['intended', true, ['accept', 'lose', 'reject', 'giveUp']],
  ['unknown', true, ['accept', 'find', 'reject', 'giveUp']],
  ['open', true, ['reject', 'askCancel', 'fill', 'end']],
  ['cancelling', true, ['reject', 'keep', 'fill', 'end']],
  ['filled', false, []],
  ['cancelled', false, ['fill']],
  ['expired', false, ['fill']],
  ['rejected', false, ['find']],
  ['notPlaced', false, ['find']],
])('%s: live %s, and only these moves are legal', (status, live, legal) => {
  expect(isLive(status)).toBe(live)
  expect(MOVES.filter((move) => mayMove(status, move))).toEqual(legal)
})
