import { Link } from 'wouter'
import { Signed } from '../../components/Signed.tsx'
import { number, won } from '../../format/won.ts'
import type { AdminUser } from './useAdminUsers.ts'
import { Differences, Key, lastOrderText, MorningReason, MorningState, Socket, StopState } from './UserFacts.tsx'
import { todayOf, totalOf } from './userSums.ts'
import { UserMenuButton } from './UserTable.tsx'
import css from './Users.module.css'

interface Props {
  users: readonly AdminUser[]
  onMenu: (user: AdminUser) => void
}

/** The facts of the table, for windows that have no room for one. */
export const UserCards = ({ users, onMenu }: Props) =>
  users.map((user) => <Card key={user.userId} {...{ user, onMenu }} />)

const Card = ({ user, onMenu }: { user: AdminUser; onMenu: Props['onMenu'] }) => (
  <section className={css['card']} aria-label={user.email}>
    <div className={css['head']}>
      <h2>
        <Link className={css['email']} href={`/${user.userId}/balance`}>
          {user.email}
        </Link>
      </h2>
      <UserMenuButton user={user} onMenu={onMenu} />
    </div>
    <p className={css['pair']}>
      <b>{won(totalOf(user))}</b>
      <span>
        오늘 <Signed value={todayOf(user)} />
      </span>
    </p>
    <p className={css['pair']} data-quiet="true">
      <span>미체결 {number(user.summary?.openOrders ?? null)}</span>
      <span>마지막 주문 {lastOrderText(user)}</span>
    </p>
    <p className={css['pair']} data-quiet="true">
      <MorningState user={user} />
      <MorningReason user={user} />
    </p>
    <p className={css['pair']}>
      <span className={css['marks']}>
        <Key user={user} /> <Socket user={user} />
      </span>
      <span className={css['marks']}>
        {(user.summary?.differences ?? 0) > 0 && <Differences user={user} />}
        <StopState user={user} />
      </span>
    </p>
  </section>
)
