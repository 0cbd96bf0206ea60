import { useQuery } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import { read } from '../../api/read.ts'
import { ExecutedOrderList, ExecutedOrderSums } from '../../features/broker/ExecutedOrderList.tsx'
import { executedOrdersMenu } from '../../features/broker/executedOrdersMenu.ts'
import { merge } from '../../features/broker/executedOrders.ts'
import { lastDays, showRange, type Range } from '../../format/day.ts'
import { useFlags, useRange, useTexts } from '../../url/query.ts'
import { AdminFrame, Nothing, Topic } from './AdminFrame.tsx'

const DEFAULTS = { merged: true, filterWithCode: false }

export function AdminExecutedOrdersPage() {
  const [flags, setFlags] = useFlags(DEFAULTS)
  const [text, setTexts] = useTexts()
  const [range, , today] = useRange((day) => lastDays(day, 1))
  const code = text('code')
  return (
    <AdminFrame
      title="Admin Ordered"
      name="모든 사용자의 체결"
      menu={executedOrdersMenu({ flags, setFlags, setTexts, today })}
      head={
        <p>
          <b>{showRange(range)}</b> {code}
        </p>
      }
    >
      {({ userId }) => (
        <UserExecutedOrders
          userId={userId}
          filter={{ ...range, code }}
          flags={flags}
          onCode={(picked) => setTexts({ code: picked })}
        />
      )}
    </AdminFrame>
  )
}

interface Props {
  userId: string
  filter: Range & { code: string }
  flags: typeof DEFAULTS
  onCode: (code: string) => void
}

function UserExecutedOrders({ userId, filter, flags, onCode }: Props) {
  const [, navigate] = useLocation()
  const query = useQuery(read('adminOrdered', { params: { userId }, query: filter }))
  const click = ({ code }: { code: string }) =>
    flags.filterWithCode ? onCode(code) : navigate(`/${userId}/stock/${code}/trade`)
  return (
    <Topic query={query}>
      {(list) =>
        list.length === 0 ? (
          <Nothing>이 기간의 체결이 없습니다.</Nothing>
        ) : (
          <>
            <ExecutedOrderSums list={list} />
            <ExecutedOrderList list={flags.merged ? merge(list) : list} onClick={click} />
          </>
        )
      }
    </Topic>
  )
}
