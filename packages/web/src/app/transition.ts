import { flushSync } from 'react-dom'
import type { AroundNavHandler } from 'wouter'

const LESS_MOTION = '(prefers-reduced-motion: reduce)'

/** Goes to another page by a short fade where the browser has such. An entry of the history that is replaced is no press. */
export const withTransition: AroundNavHandler = (navigate, to, options) => {
  const go = () => navigate(to, options)
  if (options?.replace) return go()
  const isSamePage = to.split(/[?#]/)[0] === location.pathname
  const isPlain = isSamePage || !('startViewTransition' in document) || matchMedia(LESS_MOTION).matches
  afterPicture(isPlain ? go : () => fade(go))
}

function fade(go: () => void): void {
  const { ready } = document.startViewTransition(() => flushSync(go))
  // The next one began before this one: nothing is wrong.
  ready.catch(() => undefined)
}

/** What was pressed looks pressed before the page is taken apart. A page that nobody sees has no pictures. */
export const afterPicture = (work: () => void): void => {
  if (document.visibilityState === 'hidden') work()
  else requestAnimationFrame(() => setTimeout(work))
}
