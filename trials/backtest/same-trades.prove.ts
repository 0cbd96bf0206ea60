import { readCandles } from '@digger/kis-sim'
import { expect, test } from 'vitest'
import { choose } from '../replay/choice.ts'
import { NO_RECORD, RECORD } from '../replay/real-record.ts'
import { DEFAULT_SETTINGS } from '../replay/settings.ts'
import { compare } from './compared.ts'
import { GAPS } from './gaps.ts'
import { generatedMinutes } from '../replay/generated.ts'

const RULES = [
  { ...DEFAULT_SETTINGS, name: 'small steps, a cap that trims', buy: -0.7, sell: 0.9, unit: 1_000_000, cap: 9_300_000 },
  { ...DEFAULT_SETTINGS, name: 'the whole position at its average', buy: -1, sell: 2, average: true },
]

test.each(RULES)('days: live and back-test make the same trades, $name', { timeout: 120_000 }, async (rule) => {
  const { live, tested, faults } = await compare(GAPS, rule, 7)
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
