import { useQuery } from '@tanstack/react-query'
import { read } from '../../api/read.ts'
import { BrokerHoldings } from '../../features/broker/BrokerHoldings.tsx'
import { AdminFrame, Topic } from './AdminFrame.tsx'

export function AdminBrokerBalancePage() {
  return (
    <AdminFrame title="Admin Kis Balance" name="모든 사용자의 증권사 잔고">
      {({ userId }) => <Balance userId={userId} />}
    </AdminFrame>
  )
}

function Balance({ userId }: { userId: string }) {
  const query = useQuery(read('adminBrokerBalance', { params: { userId } }))
  return <Topic query={query}>{(balance) => <BrokerHoldings balance={balance} />}</Topic>
}
