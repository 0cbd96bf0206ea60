import { choice } from '../../components/Chips.tsx'
import { useWide } from '../../components/useWide.ts'
import { useTexts } from '../../url/query.ts'
import type { BulkAction } from './adminMenu.ts'
import { BulkHead } from './BulkPanel.tsx'
import { BulkSections } from './BulkSections.tsx'
import type { BulkState } from './bulkState.ts'
import type { AdminUser } from './useAdminUsers.ts'
import { UserList } from './UserList.tsx'
import { UserSums } from './UserSums.tsx'
import { showOf, SHOWS, usersOf, type Show } from './userSums.ts'

interface Props {
  users: readonly AdminUser[]
  actions: readonly BulkAction[]
  bulk: BulkState | null
  onClose: () => void
}

/** The sums, what can be done and is being done to all, and the users that are chosen. */
export function AllUsers({ users, actions, bulk, onClose }: Props) {
  const wide = useWide()
  const [text, setTexts] = useTexts()
  const show = showOf(text('show'))
  const chips = showChips(users, show, (name) => setTexts({ show: name }))
  const sections = <BulkSections actions={actions} />
  return (
    <>
      <UserSums users={users} />
      {wide && sections}
      <BulkHead state={bulk} onClose={onClose} />
      <UserList users={usersOf(users, show)} chips={choice('볼 사용자', chips)} />
      {!wide && sections}
    </>
  )
}

const showChips = (users: readonly AdminUser[], shown: Show, go: (show: string) => void) =>
  SHOWS.map(([show, label]) => ({
    name: `${label} ${usersOf(users, show).length}`,
    on: show === shown,
    func: () => go(show === 'all' ? '' : show),
  }))
