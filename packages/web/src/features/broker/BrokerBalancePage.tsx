import { useQuery } from '@tanstack/react-query'
import { read } from '../../api/read.ts'
import { QueryView } from '../../components/QueryView.tsx'
import { Page } from '../../components/Page.tsx'
import { useHome } from '../../viewer/viewer.ts'
import { usePathUser } from '../../url/user.ts'
import { BrokerHoldings } from './BrokerHoldings.tsx'

export function BrokerBalancePage() {
  const userId = usePathUser()
  const home = useHome()
  const query = useQuery(read('brokerBalance', { params: { userId } }))
  return (
    <Page title="Kis Balance" name="증권사 잔고" homeHref={home} wide>
      <QueryView query={query} heights={[195, 68, 68, 68, 68, 68]}>
        {(balance) => <BrokerHoldings balance={balance} />}
      </QueryView>
    </Page>
  )
}
