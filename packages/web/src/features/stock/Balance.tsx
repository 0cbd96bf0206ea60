import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { read } from '../../api/read.ts'
import { QueryView } from '../../components/QueryView.tsx'
import { flagText } from '../../url/query.ts'
import { usePathUser } from '../../url/user.ts'
import { BalanceSummary } from './BalanceSummary.tsx'
import { FirstSteps } from './FirstSteps.tsx'
import { StockListing } from './StockListing.tsx'
import type { ListedStocks } from './useStockCards.tsx'

/** What follows prices: the sums, and the stocks held. The chips stand between them. */
export function Balance({ chips, ...listed }: Omit<ListedStocks, 'stocks'> & { chips: ReactNode }) {
  const userId = usePathUser()
  const query = useQuery(
    read('balance', { params: { userId }, query: { withSavedGain: flagText(listed.withSavedGain) } }),
  )
  return (
    <QueryView query={query} shape="summary" rows={7}>
      {(balance) => (
        <>
          <BalanceSummary balance={balance} withSavedGain={listed.withSavedGain} />
          {chips}
          {balance.list.length === 0 ? <FirstSteps /> : <StockListing stocks={balance.list} {...listed} />}
        </>
      )}
    </QueryView>
  )
}
