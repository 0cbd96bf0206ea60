import { HINT_COOKIES } from '@digger/contract/paths'
import { cookie } from './cookie.ts'

/**
 * Browsers cache a page that was left whole, with all it shows, for the back button. Such a page comes back hidden: it is
 * shown to the person who left it, and for anybody else it is loaded anew, which leads to the log-in.
 */
export function hideCachedPages(): void {
  const { documentElement: page } = document
  let owner: string | null = null
  addEventListener('pagehide', ({ persisted }) => {
    owner = cookie(HINT_COOKIES.userId)
    if (persisted) page.style.visibility = 'hidden'
  })
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted && (owner === null || owner !== cookie(HINT_COOKIES.userId))) location.reload()
    else page.style.visibility = ''
  })
}
