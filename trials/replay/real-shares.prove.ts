import { readCandles } from '@digger/kis-sim'
import { expect, test } from 'vitest'
import { choose } from './choice.ts'
import { actionsOf, settleMoves, withNewShares, type NewShare } from './new-share.ts'
import { NO_RECORD, RECORD } from './real-record.ts'
import { replay } from './replay.ts'
import { faultsOf } from './report.ts'
import { DEFAULT_SETTINGS } from './settings.ts'

// The reporter prints no reason of a skipped test.
if (RECORD === null) process.stderr.write(`real-shares.prove.ts is skipped: ${NO_RECORD}\n`)

const [BONUS, SPLIT, PLAIN] = ['196170', '035420', '086520'] as const
const EX_DAY = '20260121'
const SHARES: readonly NewShare[] = [
  { code: BONUS, day: EX_DAY, ratio: 2, creditDay: '20260123' },
  { code: SPLIT, day: EX_DAY, ratio: 5, creditDay: EX_DAY },
]

test(
  'real days with a 1:1 bonus issue and a 1:5 split: frozen, adjusted, traded on, and every book adds up',
  { timeout: 180_000 },
  async ({ skip }) => {
    if (RECORD === null) return skip(NO_RECORD)
    const { candles } = choose(readCandles(RECORD, null), 16, [BONUS, SPLIT, PLAIN])
    const seen: string[] = []
    const result = await replay({
      candles: withNewShares(candles, SHARES),
      happenings: actionsOf(SHARES),
      settings: { ...DEFAULT_SETTINGS, buy: -1, sell: 1, unit: 1_000_000, cap: 40_000_000 },
      seed: 3,
      steps: 40,
      cash: 1_000_000_000,
      owner: settleMoves('adjust', (line) => void seen.push(line.slice(0, 15))),
    })
    expect(faultsOf(result)).toEqual([])
    expect(seen.toSorted()).toEqual([BONUS, SPLIT].map((code) => `${EX_DAY} ${code}`).toSorted())
    for (const code of [BONUS, SPLIT]) {
      const after = result.book.orders.filter((order) => order.code === code && order.day >= EX_DAY)
      expect([code, after.some(({ filled_count: filled }) => filled > 0)]).toEqual([code, true])
    }
  },
)
