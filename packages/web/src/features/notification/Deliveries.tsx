import type { NotificationItem } from '@digger/contract'
import css from './Notification.module.css'
import { DELIVERY_NAMES } from './notificationText.ts'

type Delivery = NonNullable<NotificationItem['deliveries']>[number]

/** What became of one notification at each channel. */
export function Deliveries({ deliveries }: { deliveries: readonly Delivery[] }) {
  return (
    <ul className={css['deliveries']}>
      {withKeys(deliveries).map(({ key, label, state }) => (
        <li key={key} data-state={state}>
          {label} <b>{DELIVERY_NAMES[state]}</b>
        </li>
      ))}
    </ul>
  )
}

/** Two channels may have one name; their order stays the same. */
const withKeys = (deliveries: readonly Delivery[]): (Delivery & { key: string })[] =>
  deliveries.map((delivery, index) => ({ ...delivery, key: `${delivery.channel} ${index}` }))
