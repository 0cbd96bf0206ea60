import type { Stock } from '@digger/contract'
import type { Settings, Warning } from '@digger/core'
import { useQuery } from '@tanstack/react-query'
import { read } from '../../api/read.ts'
import { useToday } from '../../clock/now.ts'
import { warningsOf } from './warnings.ts'

/** What would surprise or lose by design. Without the trades nothing is said of those; they come a moment later. */
export function useWarnings(stock: Stock, settings: Settings): Warning[] {
  const today = useToday()
  const params = { userId: stock.userId, code: stock.code }
  const { data: trades = [] } = useQuery({
    ...read('trades', { params, query: { withOldTrade: 'false' } }),
    enabled: stock.remainCount > 0,
  })
  return warningsOf(stock, settings, trades, today)
}
