import { useQueryClient } from '@tanstack/react-query'
import { ask } from '../../ask/ask.ts'
import { Chips, type ChipGroup } from '../../components/Chips.tsx'
import { Empty } from '../../components/QueryView.tsx'
import { useWide } from '../../components/useWide.ts'
import { useViewer } from '../../viewer/viewer.ts'
import { runWork } from '../../work/work.ts'
import type { AdminUser } from './useAdminUsers.ts'
import { userMenu } from './userMenu.ts'
import { refreshUsers, sentenceOf, type UserTask } from './bulk.ts'
import { UserCards } from './UserCards.tsx'
import { UserTable } from './UserTable.tsx'

/** The users that are chosen, each with a menu of what can be done to them alone. */
export function UserList({ users, chips }: { users: readonly AdminUser[]; chips: ChipGroup }) {
  const wide = useWide()
  const { email } = useViewer()
  const client = useQueryClient()
  const act = (user: AdminUser) => (name: string, task: UserTask) =>
    void runWork({
      key: `${name} ${user.userId}`,
      name: `${user.email} ${name}`,
      work: async () => {
        const text = sentenceOf(await task(user))
        await refreshUsers(client)
        return text === null ? null : { ok: false, title: `${user.email} ${name}`, text }
      },
    })
  const open = (user: AdminUser) => void ask.sheet(user.email, userMenu(user, email, act(user)))
  const List = wide ? UserTable : UserCards
  return (
    <>
      <Chips groups={[chips]} />
      {users.length === 0 ? <Empty title="그런 사용자가 없습니다" /> : <List users={users} onMenu={open} />}
    </>
  )
}
