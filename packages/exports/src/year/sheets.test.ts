import { kstInstant } from '@digger/core'
import { tradeOfRow } from '@digger/screens'
import { expect, test } from 'vitest'
import { lotOf } from '../../test/lots.ts'
import { yearSheets } from './sheets.ts'

test('a gain that is not the difference of its amounts is explained below them', () => {
  // Bought and sold at several prices: a share’s price is rounded, up for what was bought and down for what was sold.
  const row = {
    ...lotOf({ count: 100 }),
    buy_price: 70_001,
    buy_amount: 7_000_050,
    sell_price: 71_000,
    sell_amount: 7_100_050,
  }
  const lots = [{ ...row, trade: tradeOfRow(row) }]
  const book = { year: '2026', lots, deals: new Map(), etfs: new Set<string>(), mixed: new Set<string>() }
  const now = kstInstant('20261120', '100000')
  const [summary] = yearSheets({ ...book, heldBeyond: new Map() }, '증권사가 점검 중입니다.', now)
  const columns = Object.fromEntries((summary?.headings ?? []).map((heading, at) => [heading, at]))
  const all = [...(summary?.rows ?? [])].at(-1) ?? []
  const won = (heading: string): number => Number(all[columns[heading] ?? -1])
  expect([won('판 금액') - won('산 금액'), won('손익')]).toEqual([100_000, 99_900])
  expect(won('순손익')).toBe(won('판 금액') - won('산 금액') - won('수수료') - won('세금'))
  expect(summary?.notes).toContainEqual(expect.stringMatching(/손익은 한 주의 값.*판 금액과 산 금액의 차/))
})
