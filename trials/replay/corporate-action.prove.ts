import { kstInstant } from '@digger/core'
import { expect, test } from 'vitest'
import { actionsOf } from './new-share.ts'
import { BONUS_CODE, candles, EX_DAY, filledOf, PLAN, settling } from './new-share-days.ts'
import { replay, type ReplayResult } from './replay.ts'
import { faultsOf } from './report.ts'

/** Won for what was bought of the bonus issue on its day. */
const cost = ({ book }: ReplayResult): number =>
  book.orders
    .filter((order) => order.code === BONUS_CODE && order.side === 'buy' && order.day === EX_DAY)
    .reduce((sum, order) => sum + order.filled_amount, 0)

// What would happen to everybody without the freeze: the owner says that the prices are to stay.
test('left as it is, the ladder buys all the way down a fall that was none', { timeout: 120_000 }, async () => {
  const { seen, owner } = settling('keep')
  const [kept, adjusted] = await Promise.all([
    replay({ ...PLAN, owner }),
    replay({ ...PLAN, owner: settling('adjust').owner }),
  ])
  expect(seen).toHaveLength(2)
  expect(cost(kept)).toBeGreaterThan(cost(adjusted) + 300_000)
})

test('a base one tick off freezes nothing', { timeout: 120_000 }, async () => {
  const { seen, owner } = settling('adjust')
  const close = 60_000 * 0.95
  const action = { code: BONUS_CODE, day: EX_DAY, ratio: close / (close - 100), creditDay: '20261231' }
  const bases: number[] = []
  const result = await replay({
    ...PLAN,
    candles: candles.filter(({ code }) => code === BONUS_CODE),
    happenings: actionsOf([action]),
    owner: async (desk, day) => {
      if (day === EX_DAY) bases.push(desk.sim.broker.exchange.issue(BONUS_CODE).base)
      await owner(desk, day)
    },
  })
  expect([bases, seen, faultsOf(result)]).toEqual([[close - 100], [], []])
  expect(filledOf(result, BONUS_CODE, EX_DAY)).toBeGreaterThan(1)
  expect(result.book.orders.some(({ created_at: at }) => at > kstInstant(EX_DAY, '090000'))).toBe(true)
})
