import { Icon } from '../../components/Icon.tsx'
import { Panel } from '../../components/Panel.tsx'
import { Signed } from '../../components/Signed.tsx'
import { won } from '../../format/won.ts'
import type { AdminUser } from './useAdminUsers.ts'
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
            사용자 {users.length}명 · 총자산{unknownText(users.length - total.known)}
          </p>
          <p className={css['total']}>{won(total.sum)}</p>
          <p className={css['label']}>
            <b>
              오늘 <Signed value={today.sum} />
            </b>{' '}
            판 것은 비용 뺌{unknownText(users.length - today.known)}
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

const unknownText = (count: number): string => (count === 0 ? '' : ` (${count}명은 모름)`)
