import type { Stock } from '@digger/contract'
import { kstDay } from '@digger/core'
import type { QueryClient } from '@tanstack/react-query'
import { read } from '../../api/read.ts'
import { ask } from '../../ask/ask.ts'
import { won } from '../../format/won.ts'
import { draftOf, settingsOf, type Draft } from './draft.ts'
import { soldAtOnce, warningsOf, warningText } from './warnings.ts'

/** Settings that decide what is sold at which price. */
const SELLING = ['autoSell', 'sellPercent', 'useMinSellPrice', 'minSellPrice', 'autoSellWithAvgPrice'] as const

/** False: the changes would sell shares in the same second, more than the settings of now, and the person does not want that. */
export async function askBeforeSelling(client: QueryClient, seen: Stock, changes: Partial<Draft>): Promise<boolean> {
  const before = settingsOf(draftOf(seen))
  const after = settingsOf({ ...draftOf(seen), ...changes })
  const changesSales = SELLING.some((name) => changes[name] !== undefined)
  if (!changesSales || seen.remainCount === 0 || before === null || after === null || !after.autoSell) return true
  const params = { userId: seen.userId, code: seen.code }
  const [trades, stock] = await Promise.all([
    client.fetchQuery(read('trades', { params, query: { withOldTrade: 'false' } })),
    client.fetchQuery(read('stock', { params, query: { withSavedGain: 'true' } })),
  ])
  const day = kstDay(Date.now())
  const [sold, soldBefore] = [after, before].map((settings) => soldAtOnce(warningsOf(stock, settings, trades, day)))
  if (sold === undefined || soldBefore === undefined || sold <= soldBefore) return true
  return ask.confirm(warningText({ code: 'sellsAtOnce', value: sold }, before.autoSell), {
    note: `목표가가 지금 가격 ${won(stock.price)}보다 높지 않습니다. 장이 열려 있지 않으면 열릴 때 팝니다.`,
    yes: '저장',
    danger: true,
  })
}
