import { Link } from 'wouter'
import { BreakableEmail } from '../../components/BreakableEmail.tsx'
import { IconButton } from '../../components/Button.tsx'
import { Signed } from '../../components/Signed.tsx'
import { SortableTable, type Column } from '../../components/SortableTable.tsx'
import { number } from '../../format/won.ts'
import type { AdminUser } from './useAdminUsers.ts'
import { Differences, Key, lastOrderText, MorningReason, MorningState, Socket, StopState } from './UserFacts.tsx'
import { todayOf, totalOf } from './userSums.ts'
import css from './Users.module.css'

interface Props {
  users: readonly AdminUser[]
  onMenu: (user: AdminUser) => void
}

const STRICTNESS = { active: 0, reduce: 1, halt: 2 } as const
/** Red above what only waits; of red ones the one with more items. */
const READINESS = { notApplicable: 0, ok: 0, waiting: 1, red: 2 } as const
const flag = (on: boolean | null): number | null => (on === null ? null : Number(on))

const COLUMNS: readonly Column<AdminUser>[] = [
  {
    name: '사용자',
    by: ({ email }) => email,
    cell: ({ email, userId }) => (
      <Link className={css['email']} href={`/${userId}/balance`}>
        <BreakableEmail email={email} />
      </Link>
    ),
  },
  { name: '총자산', by: totalOf, cell: (user) => <b>{number(totalOf(user))}</b> },
  { name: '오늘', by: todayOf, cell: (user) => <Signed value={todayOf(user)} unit="plain" /> },
  {
    name: '미체결',
    by: ({ summary }) => summary?.openOrders ?? null,
    cell: ({ summary }) => number(summary?.openOrders ?? null),
  },
  { name: '마지막 주문', by: ({ summary }) => summary?.lastOrderAt ?? null, cell: lastOrderText },
  {
    name: '차이',
    text: true,
    by: ({ summary }) => summary?.differences ?? null,
    cell: (user) => <Differences user={user} />,
  },
  {
    name: '멈춤',
    text: true,
    by: ({ summary }) => summary && STRICTNESS[summary.stop],
    cell: (user) => <StopState user={user} />,
  },
  {
    name: '아침 점검',
    text: true,
    by: ({ morning }) => morning && READINESS[morning.state] + morning.red,
    cell: (user) => (
      <>
        <MorningState user={user} /> <MorningReason user={user} />
      </>
    ),
  },
  { name: 'KEY', text: true, by: ({ userKey }) => flag(userKey), cell: (user) => <Key user={user} /> },
  { name: 'SOC', text: true, by: ({ socket }) => flag(socket), cell: (user) => <Socket user={user} /> },
]

/** Every user in a row; what one looks for is sorted to the top. */
export function UserTable({ users, onMenu }: Props) {
  return (
    <div className={css['table']}>
      <SortableTable
        caption="사용자와 계좌의 상태"
        columns={COLUMNS}
        rows={users}
        keyOf={({ userId }) => userId}
        renderMenu={(user) => <UserMenuButton user={user} onMenu={onMenu} />}
      />
    </div>
  )
}

export const UserMenuButton = ({ user, onMenu }: { user: AdminUser; onMenu: Props['onMenu'] }) => (
  <IconButton icon="more" label={`${user.email} 메뉴`} aria-haspopup="dialog" onClick={() => onMenu(user)} />
)
