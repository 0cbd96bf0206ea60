import { HINT_COOKIES } from '@digger/contract/paths'
import { cookie } from './cookie.ts'

/**
 * Browsers keep a page that was left whole, with all it shows, for the back button. Such a page comes back unseen: it is
 * shown to the person it was left by, and to anybody else it is loaded anew, which leads to the log-in.
 */
export function hideKeptPages(): void {
  const { documentElement: page } = document
  let whose: string | null = null
  addEventListener('pagehide', ({ persisted }) => {
    whose = cookie(HINT_COOKIES.userId)
    if (persisted) page.style.visibility = 'hidden'
  })
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted && (whose === null || whose !== cookie(HINT_COOKIES.userId))) location.reload()
    else page.style.visibility = ''
  })
}
