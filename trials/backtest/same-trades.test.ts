import { type Candle, readCandles } from '@digger/kis-sim'
import { expect, test } from 'vitest'
import { choose } from '../replay/choice.ts'
import { NO_RECORD, RECORD } from '../replay/real-record.ts'
import { DEFAULT_SETTINGS } from '../replay/settings.ts'
import { compare } from './compared.ts'
import { generatedMinutes } from '../replay/generated.ts'

const day = (date: string, code: string, [open, high, low, close]: [number, number, number, number]): Candle => ({
  day: date,
  code,
  name: `종목 ${code}`,
  market: 'KOSPI',
  open,
  high,
  low,
  close,
  volume: 1_000_000,
})

/** A fall with a gap, a recovery with one, a day without trade, and one that ends where it is lowest. */
const candles: readonly Candle[] = [
  day('20260108', '100001', [50_000, 50_500, 46_000, 46_500]),
  day('20260109', '100001', [43_000, 48_500, 42_500, 48_000]),
  day('20260112', '100001', [51_000, 52_000, 49_000, 51_500]),
  { ...day('20260113', '100001', [0, 0, 0, 51_500]), volume: 0 },
  day('20260114', '100001', [51_500, 51_500, 44_000, 44_000]),
  day('20260115', '100001', [44_000, 47_000, 44_000, 45_000]),
]

const RULES = [
  { ...DEFAULT_SETTINGS, name: 'each lot at its target' },
  { ...DEFAULT_SETTINGS, name: 'small steps, a cap that trims', buy: -0.7, sell: 0.9, unit: 1_000_000, cap: 9_300_000 },
  { ...DEFAULT_SETTINGS, name: 'the whole position at its average', buy: -1, sell: 2, average: true },
]

// The whole product is driven over sockets and a database, the back-test is a loop: what they trade is the same, to the won.
test.each(RULES)('days: live and back-test make the same trades, $name', { timeout: 120_000 }, async (rule) => {
  const { live, tested, faults } = await compare(candles, rule, 7)
  expect([faults, live.lines.length > 8]).toEqual([[], true])
  expect(tested).toEqual(live)
})

test('real days of the exchange: live and back-test make the same trades', { timeout: 180_000 }, async ({ skip }) => {
  if (RECORD === null) return skip(NO_RECORD)
  const { candles } = choose(readCandles(RECORD, null), 12, ['086520', '247540'])
  for (const days of Map.groupBy(candles, ({ code }) => code).values()) {
    const { live, tested, faults } = await compare(days, { ...DEFAULT_SETTINGS, buy: -1, sell: 1.2 }, 7)
    expect([faults, live.lines.length > 4]).toEqual([[], true])
    expect(tested).toEqual(live)
  }
})

test('minutes: live and back-test make the same trades', { timeout: 120_000 }, async () => {
  const minutes = generatedMinutes('100003', ['20260108', '20260109'], 30_000, 11)
  const { live, tested, faults } = await compare(minutes, { ...DEFAULT_SETTINGS, buy: -0.6, sell: 0.7 }, 5)
  expect([faults, live.lines.length > 20]).toEqual([[], true])
  expect(tested).toEqual(live)
})
