import { HINT_COOKIES } from '@digger/contract/paths'
import { useQuery, type QueryClient } from '@tanstack/react-query'
import { read } from '../api/read.ts'
import { send } from '../api/send.ts'
import { ME, usePathUser } from '../url/user.ts'
import { cookie } from './cookie.ts'

/** The person who is logged in. The cookies only spare a flicker of the menus until the server has answered. */
export function useViewer() {
  const { data } = useQuery({ ...read('me', { params: { userId: ME } }), staleTime: 5 * 60_000 })
  const admin = data?.diggerAdmin ?? cookie(HINT_COOKIES.diggerAdmin) === 'true'
  return {
    me: data ?? null,
    admin,
    /** Whether this person may add stocks; administrators to any list. */
    mayAdd: data?.mayAddStocks ?? admin,
    email: data?.email ?? cookie(HINT_COOKIES.email) ?? cookie(HINT_COOKIES.adminEmail) ?? '',
    ownId: data?.userId ?? cookie(HINT_COOKIES.userId) ?? ME,
  }
}

/** True while an administrator looks at somebody else's pages. */
export function useOthersPage(): boolean {
  const { ownId } = useViewer()
  const user = usePathUser()
  return user !== ME && user !== ownId
}

/** In front of the name of what is done on another's page: their e-mail and a space; on one's own page nothing. */
export function useWhose(): string {
  const others = useOthersPage()
  const userId = usePathUser()
  const { data } = useQuery({ ...read('me', { params: { userId } }), enabled: others })
  return others && data ? `${data.email} ` : ''
}

/** Where "Home" leads: administrators to all users, anyone else to their own balance, also from a page that is not theirs. */
export function useHome(): string {
  const { admin } = useViewer()
  const user = usePathUser()
  const others = useOthersPage()
  if (admin) return `/${ME}/admin/user`
  return `/${others ? ME : user}/balance`
}

/** Ends the session, forgets everything that was read, and goes to /. */
export async function logOut(client: QueryClient, admin: boolean): Promise<void> {
  const done = await (admin ? send('adminLogout', {}) : send('logout', {}))
  if (done === null) return
  client.clear()
  // A full load: nothing of the old person stays in the page's memory.
  location.assign('/')
}
