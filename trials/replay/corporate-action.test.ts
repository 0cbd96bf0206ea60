import { expect, test } from 'vitest'
import { z } from 'zod'
import { BONUS_CODE, CREDIT_DAY, EX_DAY, filledOf, PLAIN_CODE, PLAN, settling, SPLIT_CODE } from './new-share-days.ts'
import type { Desk } from './plan.ts'
import { replay } from './replay.ts'
import { faultsOf } from './report.ts'

const announcedOf = async (desk: Desk): Promise<unknown[]> => {
  const stocks = z.array(z.object({ code: z.string(), announced: z.unknown() }))
  const all = stocks.parse(await desk.call('GET', '/api/user/stock'))
  return [BONUS_CODE, SPLIT_CODE, PLAIN_CODE].map((code) => all.find((stock) => stock.code === code)?.announced)
}

test(
  'a bonus issue and a split: nothing before their owner agrees, then the ladder goes on',
  { timeout: 120_000 },
  async () => {
    const { seen, owner } = settling('adjust')
    const announced: unknown[] = []
    const result = await replay({
      ...PLAN,
      owner: async (desk, day) => {
        await owner(desk, day)
        if (day === '20260112') announced.push(...(await announcedOf(desk)))
      },
    })
    // Known the day before, each from its own list.
    expect(announced).toEqual([
      { kind: 'bonusIssue', day: EX_DAY, ratio: 2, paid: 0, creditDay: CREDIT_DAY },
      { kind: 'faceValue', day: EX_DAY, ratio: 5, paid: 0, creditDay: EX_DAY },
      null,
    ])
    // Book, broker and journal, to the share and the won: also of the shares that came two days later.
    expect(faultsOf(result)).toEqual([])
    expect(seen).toEqual([
      `${EX_DAY} ${BONUS_CODE}: 57000 → 28500, 0 live orders, 0 made`,
      `${EX_DAY} ${SPLIT_CODE}: 115200 → 23050, 0 live orders, 0 made`,
    ])
    for (const code of [BONUS_CODE, SPLIT_CODE, PLAIN_CODE]) {
      const sold = result.book.orders.filter(
        (order) => order.code === code && order.side === 'sell' && order.day > EX_DAY,
      )
      expect(sold.some((order) => order.filled_count > 0)).toBe(true)
      expect(filledOf(result, code, EX_DAY)).toBeGreaterThan(1)
    }
    // What was bought is of the new share: about the price it has, not the one from before.
    const bought = result.book.orders.filter(
      (order) => order.code === BONUS_CODE && order.side === 'buy' && order.day >= EX_DAY,
    )
    expect(Math.max(...bought.map(({ price }) => price))).toBeLessThan(32_000)
  },
)
