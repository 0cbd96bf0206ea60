import { kstInstant } from '@digger/core'
import type { Candle } from '@digger/kis-sim'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { actionsOf, settleMoves, withNewShares, type NewShare } from './new-share.ts'
import type { Desk, ReplayPlan } from './plan.ts'
import { replay, type ReplayResult } from './replay.ts'
import { faultsOf } from './report.ts'
import { DEFAULT_SETTINGS } from './settings.ts'

const BONUS_CODE = '400001'
const SPLIT_CODE = '400002'
const PLAIN_CODE = '400003'
const EX_DAY = '20260113'
const CREDIT_DAY = '20260115'

/** A slow fall and a recovery; the split's share is not traded for two days before its own. */
const DAYS: readonly (readonly [day: string, prices: readonly [number, number, number, number]])[] = [
  ['20260108', [1, 1.005, 0.95, 0.96]],
  ['20260109', [0.96, 0.99, 0.945, 0.985]],
  ['20260112', [0.985, 0.99, 0.94, 0.95]],
  [EX_DAY, [0.95, 0.985, 0.935, 0.975]],
  ['20260114', [0.975, 0.98, 0.93, 0.935]],
  [CREDIT_DAY, [0.935, 1.02, 0.93, 1.01]],
]
const HALTED = new Set(['20260109', '20260112'])

const candles: readonly Candle[] = [BONUS_CODE, SPLIT_CODE, PLAIN_CODE].flatMap((code, n) => {
  const first = 60_000 * (n + 1)
  return DAYS.map(([day, parts]): Candle => {
    const stands = code === SPLIT_CODE && HALTED.has(day)
    const [open, high, low, close] = parts.map((part) => Math.round((first * part) / 100) * 100)
    const prices = { open: open ?? 0, high: high ?? 0, low: low ?? 0, close: close ?? 0 }
    const stood = { open: 0, high: 0, low: 0, close: first * 0.96, volume: 0 }
    const traded = { ...prices, volume: 1_000_000 }
    return { day, code, name: `종목 ${code}`, market: 'KOSPI', ...(stands ? stood : traded) }
  })
})

const SHARES: readonly NewShare[] = [
  { code: BONUS_CODE, day: EX_DAY, ratio: 2, creditDay: CREDIT_DAY },
  { code: SPLIT_CODE, day: EX_DAY, ratio: 5, creditDay: EX_DAY },
]
const PLAN: ReplayPlan = {
  candles: withNewShares(candles, SHARES),
  happenings: actionsOf(SHARES),
  settings: { ...DEFAULT_SETTINGS, buy: -1, sell: 1, unit: 300_000, cap: 6_000_000 },
  seed: 5,
  steps: 40,
  cash: 1_000_000_000,
}

function settling(how: 'adjust' | 'keep') {
  const seen: string[] = []
  return { seen, owner: settleMoves(how, (line) => void seen.push(line)) }
}

const announcedOf = async (desk: Desk): Promise<unknown[]> => {
  const stocks = z.array(z.object({ code: z.string(), announced: z.unknown() }))
  const all = stocks.parse(await desk.call('GET', '/api/user/stock'))
  return [BONUS_CODE, SPLIT_CODE, PLAIN_CODE].map((code) => all.find((stock) => stock.code === code)?.announced)
}

/** Won for what was bought of the bonus issue on its day. */
const cost = ({ book }: ReplayResult): number =>
  book.orders
    .filter((order) => order.code === BONUS_CODE && order.side === 'buy' && order.day === EX_DAY)
    .reduce((sum, order) => sum + order.filled_amount, 0)

const filledOf = ({ book }: ReplayResult, code: string, day: string): number =>
  book.orders.filter((order) => order.code === code && order.day >= day && order.filled_count > 0).length

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
