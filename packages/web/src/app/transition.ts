import { flushSync } from 'react-dom'
import type { AroundNavHandler } from 'wouter'

const LESS_MOTION = '(prefers-reduced-motion: reduce)'

/** Goes to another page by a short fade where the browser has such; what else changes the address does so at once. */
export const withTransition: AroundNavHandler = (navigate, to, options) => {
  const isSamePage = to.split(/[?#]/)[0] === location.pathname
  if (isSamePage || !('startViewTransition' in document) || matchMedia(LESS_MOTION).matches)
    return navigate(to, options)
  const { ready } = document.startViewTransition(() => flushSync(() => navigate(to, options)))
  // The next one began before this one: nothing is wrong.
  ready.catch(() => undefined)
}
