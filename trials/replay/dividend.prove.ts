import type { Candle } from '@digger/kis-sim'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Desk } from './plan.ts'
import { replay } from './replay.ts'
import { faultsOf, tradeHash } from './report.ts'
import { DEFAULT_SETTINGS } from './settings.ts'

const CODE = '400001'
const [BOUGHT_ON, EX_DAY, PAY_DAY, LAST_DAY] = ['20260108', '20260109', '20260112', '20260113'] as const
const DAYS: readonly (readonly [day: string, prices: readonly [number, number, number, number]])[] = [
  [BOUGHT_ON, [60_000, 60_200, 57_500, 58_000]],
  [EX_DAY, [58_000, 58_400, 56_500, 57_000]],
  [PAY_DAY, [57_000, 60_000, 56_800, 59_000]],
  [LAST_DAY, [59_000, 59_500, 57_900, 58_200]],
]
const candles = DAYS.map(([day, [open, high, low, close]]): Candle => {
  return { day, code: CODE, name: '종목', market: 'KOSPI', open, high, low, close, volume: 1_000_000 }
})
const WON = 361

const Stocks = z.array(z.looseObject({ blocked: z.string().nullable(), frozen: z.unknown(), announced: z.unknown() }))
const Money = z.array(z.object({ date: z.string(), depositAmount: z.number() }))

/** The run, and what its owner sees: the card each morning, the money of each day. */
async function runWith(happens: boolean) {
  const cards: unknown[] = []
  let money: z.output<typeof Money> = []
  const result = await replay({
    candles,
    happenings: happens ? [{ kind: 'dividend', code: CODE, exDay: EX_DAY, payDay: PAY_DAY, won: WON }] : [],
    settings: { ...DEFAULT_SETTINGS, buy: -1, sell: 1, unit: 300_000, cap: 6_000_000 },
    seed: 5,
    steps: 40,
    cash: 100_000_000,
    owner: async (desk: Desk) => {
      const stocks = Stocks.parse(await desk.call('GET', '/api/user/stock'))
      for (const { blocked, frozen, announced } of stocks) cards.push([blocked, frozen, announced])
      money = Money.parse(await desk.call('GET', '/api/user/money'))
    },
  })
  return { result, cards, money }
}

test(
  'cash of a dividend is cash: no difference, no freeze, no gain, no other order',
  { timeout: 240_000 },
  async () => {
    const paid = await runWith(true)
    const without = await runWith(false)
    // Book, broker and journal to the won: the cash of the broker has grown by what the company paid, and nothing else has.
    expect([faultsOf(paid.result), faultsOf(without.result)]).toEqual([[], []])
    expect(tradeHash(paid.result.book)).toBe(tradeHash(without.result.book))
    expect(new Set(paid.cards.map((card) => JSON.stringify(card)))).toEqual(new Set(['[null,null,null]']))
    const gains = ({ result: { book } }: typeof paid) => book.trades.map((trade) => [trade.buy_price, trade.sell_price])
    expect(gains(paid)).toEqual(gains(without))
    // The deposit of the day it was paid shows it, less the tax.
    const depositOn = ({ money }: typeof paid, day: string) =>
      money.find(({ date }) => date === day)?.depositAmount ?? 0
    const more = [EX_DAY, LAST_DAY].map((day) => depositOn(paid, day) - depositOn(without, day))
    expect(more[0]).toBe(0)
    expect(more[1]).toBeGreaterThan(0)
  },
)
