import { Icon } from '../../components/Icon.tsx'
import { Panel } from '../../components/Panel.tsx'
import { Signed } from '../../components/Signed.tsx'
import { won } from '../../format/won.ts'
import type { AdminUser } from './AdminFrame.tsx'
import { attentionOf, sumOf, todayOf, totalOf } from './userSums.ts'
import css from './Users.module.css'

/** All accounts together, and whether somebody must be looked at. */
export function UserSums({ users }: { users: readonly AdminUser[] }) {
  const total = sumOf(users, totalOf)
  const today = sumOf(users, todayOf)
  const attention = attentionOf(users)
  return (
    <Panel label="모든 계좌">
      <div className={css['sums']}>
        <div>
          <p className={css['label']}>
            사용자 {users.length}명 · 총자산{total.known < users.length && ` (아는 ${total.known}명)`}
          </p>
          <p className={css['total']}>{won(total.sum)}</p>
          <p className={css['label']}>
            <b>
              오늘 <Signed value={today.sum} />
            </b>{' '}
            판 것은 비용 뺌{today.known < users.length && ` (아는 ${today.known}명)`}
          </p>
        </div>
        {attention && (
          <div className={css['attention']}>
            <Icon name="warn" size={20} />
            <p>
              <b>봐야 할 사용자 {attention.count}명</b>
              <br />
              {attention.text}
            </p>
          </div>
        )}
      </div>
    </Panel>
  )
}
