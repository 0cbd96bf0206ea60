import type { Stock } from '@digger/contract'
import { kstDay, type Settings } from '@digger/core'
import type { QueryClient } from '@tanstack/react-query'
import { read } from '../../api/read.ts'
import { ask } from '../../ask/ask.ts'
import { won } from '../../format/won.ts'
import { draftOf, settingsOf, type Draft } from './draft.ts'
import { doneAtOnce, warningsOf, warningText } from './warnings.ts'

/** Settings that decide what is sold at which price, and what is bought. */
const SELLING = ['autoSell', 'sellPercent', 'useMinSellPrice', 'minSellPrice', 'autoSellWithAvgPrice'] as const
const BUYING = ['autoBuy', 'maxBuyPrice', 'lastBuyPrice', 'maxBuyAmount', 'buyUnitPrice', 'buyPercent'] as const

const NOTES = {
  buysAtOnce: '장이 열려 있지 않거나 멈춰 있으면, 열리거나 다시 시작할 때 그때 가격에 삽니다.',
  sellsAtOnce: '목표가가 지금 가격보다 높지 않습니다. 장이 열려 있지 않으면 열릴 때 팝니다.',
} as const

/** False: the changes would buy or sell shares in the same second, more than the settings of now, and the person does not want that. */
export async function askBeforeSaving(client: QueryClient, seen: Stock, changes: Partial<Draft>): Promise<boolean> {
  const before = settingsOf(draftOf(seen))
  const after = settingsOf({ ...draftOf(seen), ...changes })
  if (before === null || after === null) return true
  const isChanged = (name: keyof Draft): boolean => changes[name] !== undefined
  const sells = after.autoSell && seen.remainCount > 0 && SELLING.some(isChanged)
  const buys = after.autoBuy && BUYING.some(isChanged)
  if (!sells && !buys) return true
  const params = { userId: seen.userId, code: seen.code }
  const [trades, stock] = await Promise.all([
    sells ? client.fetchQuery(read('trades', { params, query: { withOldTrade: 'false' } })) : [],
    client.fetchQuery(read('stock', { params, query: { withSavedGain: 'true' } })),
  ])
  const day = kstDay(Date.now())
  const warningsFor = (settings: Settings) => warningsOf(stock, settings, trades, day)
  const [now, then] = [warningsFor(before), warningsFor(after)]
  const codes = (['buysAtOnce', 'sellsAtOnce'] as const).filter(
    (code) => doneAtOnce(then, code) > doneAtOnce(now, code),
  )
  if (codes.length === 0) return true
  const texts = codes.map((code) => warningText({ code, value: doneAtOnce(then, code) }, before.autoSell))
  const note = [`지금 가격은 ${won(stock.price)}입니다.`, ...codes.map((code) => NOTES[code])].join(' ')
  return ask.confirm(texts.join('\n'), { note, yes: '저장', danger: true })
}
