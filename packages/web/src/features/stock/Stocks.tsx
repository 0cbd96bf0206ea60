import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { read } from '../../api/read.ts'
import { QueryView } from '../../components/QueryView.tsx'
import { flagText } from '../../url/query.ts'
import { usePathUser } from '../../url/user.ts'
import { StockListing } from './StockListing.tsx'
import type { ListedStocks } from './useStockCards.tsx'

interface Props extends Omit<ListedStocks, 'stocks'> {
  showOnlyWatch: boolean
  empty: ReactNode
}

/** What follows prices: the list itself. */
export function Stocks({ showOnlyWatch, empty, ...listed }: Props) {
  const userId = usePathUser()
  const query = useQuery(
    read('stocks', {
      params: { userId },
      query: { withSavedGain: flagText(listed.withSavedGain), showOnlyWatch: flagText(showOnlyWatch) },
    }),
  )
  return (
    <QueryView query={query} shape="cards" rows={6} empty={{ when: (stocks) => stocks.length === 0, show: empty }}>
      {(stocks) => <StockListing stocks={stocks} {...listed} />}
    </QueryView>
  )
}
