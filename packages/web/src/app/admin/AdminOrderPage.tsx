import { useQuery } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import { read } from '../../api/read.ts'
import { OrderList } from '../../features/broker/OrderList.tsx'
import { useTexts } from '../../url/query.ts'
import { AdminFrame, Nothing, Topic } from './AdminFrame.tsx'

/** Open orders of everybody. A press leads to the user's own page, where orders are cancelled. */
export function AdminOrderPage() {
  const [text] = useTexts()
  return (
    <AdminFrame title="Admin Order" name="모든 사용자의 미체결">
      {({ userId }) => <UserOrders userId={userId} code={text('code')} />}
    </AdminFrame>
  )
}

function UserOrders({ userId, code }: { userId: string; code: string }) {
  const [, navigate] = useLocation()
  const query = useQuery(read('adminOrders', { params: { userId }, query: { code } }))
  return (
    <Topic query={query}>
      {(list) =>
        list.length === 0 ? (
          <Nothing>기다리는 주문이 없습니다.</Nothing>
        ) : (
          <OrderList list={list} onClick={(order) => navigate(`/${userId}/kis/order?code=${order.code}`)} />
        )
      }
    </Topic>
  )
}
