import type { NotificationItem } from '@digger/contract'
import { NOTIFICATION_LABELS } from '@digger/contract/notification-kinds'
import { Link } from 'wouter'
import { Tag } from '../../components/Badge.tsx'
import { Empty, QueryView } from '../../components/QueryView.tsx'
import { Panel } from '../../components/Panel.tsx'
import { stamp } from '../../format/time.ts'
import { usePathUser } from '../../url/user.ts'
import { Deliveries } from './Deliveries.tsx'
import css from './Notification.module.css'
import { useMessages } from './notificationQueries.ts'

/** The last hundred, newest first, with what became of each at each channel. */
export function Messages() {
  const query = useMessages()
  return (
    <QueryView
      query={query}
      empty={{
        when: (messages) => messages.length === 0,
        show: (
          <Empty title="지난 알림이 없습니다">
            <p>알린 것은 한 달 동안 여기에 남습니다.</p>
          </Empty>
        ),
      }}
    >
      {(messages) => (
        <Panel label="지난 알림">
          <h2>지난 알림</h2>
          <ul className={css['rows']}>
            {messages.map((message) => (
              <Message key={message.id} message={message} />
            ))}
          </ul>
        </Panel>
      )}
    </QueryView>
  )
}

export function Message({ message: { at, kind, code, text, amounts, deliveries } }: { message: NotificationItem }) {
  const userId = usePathUser()
  return (
    <li>
      <p className={css['note']}>
        <time dateTime={at}>{stamp(at)}</time> · {NOTIFICATION_LABELS[kind]}
      </p>
      <p>{code === null ? text : <Link href={`/${userId}/stock/${code}/trade`}>{text}</Link>}</p>
      {amounts !== null && <p className={css['amounts']}>{amounts}</p>}
      {deliveries === null ? (
        <p>
          <Tag text="알리지 않음" tone="plain" />
        </p>
      ) : deliveries.length === 0 ? (
        // Also for the moment before it is on its way, and of channels that were removed since.
        <p className={css['note']}>보낸 곳이 없습니다.</p>
      ) : (
        <Deliveries deliveries={deliveries} />
      )}
    </li>
  )
}
