import { HINT_COOKIES } from '@digger/contract/paths'
import { useQuery } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import { read } from '../api/read.ts'
import { cookie } from './cookie.ts'

/** In a path, the word for the person who is logged in. */
export const ME = 'user'

/** {pathUserId}: the first part of the path. */
export function usePathUser(): string {
  const [path] = useLocation()
  return pathUserOf(path)
}
export const pathUserOf = (path: string): string => decodeURIComponent(path.split('/')[1] ?? '') || ME

/** The person who is logged in. The cookies only spare a flicker of the menus until the server has answered. */
export function useViewer() {
  const { data } = useQuery({ ...read('me', { params: { userId: ME } }), staleTime: 5 * 60_000 })
  return {
    me: data ?? null,
    admin: data?.diggerAdmin ?? cookie(HINT_COOKIES.diggerAdmin) === 'true',
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
