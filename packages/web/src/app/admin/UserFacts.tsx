import { Link } from 'wouter'
import { Badge, Tag } from '../../components/Badge.tsx'
import { clock } from '../../format/time.ts'
import { STOP_LABELS } from '../../stops/stops.ts'
import type { AdminUser } from './useAdminUsers.ts'
import { morningText } from './userSums.ts'
import css from './Users.module.css'

/** `on` null: whatever server has the account does not answer just now. */
export const State = ({ label, meaning, on }: { label: string; meaning: string; on: boolean | null }) =>
  on === null ? <Tag text={`${label} 확인 중`} tone="plain" /> : <Badge label={label} meaning={meaning} on={on} />

export const Key = ({ user: { userKey } }: { user: AdminUser }) => (
  <State label="KEY" meaning="사용자 키(주문 권한)" on={userKey} />
)
export const Socket = ({ user: { socket } }: { user: AdminUser }) => (
  <State label="SOC" meaning="소켓(시세 연결)" on={socket} />
)

export function StopState({ user: { summary } }: { user: AdminUser }) {
  if (summary === null) return <span className={css['none']}>모름</span>
  return (
    <span className={css['stop']} data-stop={summary.stop}>
      {STOP_LABELS[summary.stop]}
    </span>
  )
}

export function Differences({ user: { summary } }: { user: AdminUser }) {
  if (summary === null) return <span className={css['none']}>모름</span>
  if (summary.differences === 0) return <span className={css['none']}>없음</span>
  return <span className={css['differs']}>차이 {summary.differences}</span>
}

/** Whether the account is ready to trade by itself, and the way to what it waits for. */
export const MorningState = ({ user: { userId, morning } }: { user: AdminUser }) => (
  <Link className={css['morning']} href={`/${userId}/morning`} data-state={morning?.state}>
    {morningText(morning)}
  </Link>
)

/** What the first red item says; of what is not known nothing is said. */
export const MorningReason = ({ user: { morning } }: { user: AdminUser }) =>
  morning?.text == null ? null : <span className={css['reason']}>{morning.text}</span>

export const lastOrderText = ({ summary }: AdminUser): string =>
  summary === null || summary.lastOrderAt === null ? '없음' : clock(Date.parse(summary.lastOrderAt))
