import { flushSync } from 'react-dom'
import type { AroundNavHandler } from 'wouter'
import { afterPicture, forgetPending, settle } from '../url/pending.ts'

const LESS_MOTION = '(prefers-reduced-motion: reduce)'

/** Goes to another page by a short fade where the browser has such. An entry of the history that is replaced is no press. */
export const withTransition: AroundNavHandler = (navigate, to, options) => {
  const go = () => flushSync(() => navigate(to, options))
  const isSamePage = to.split(/[?#]/)[0] === location.pathname
  if (options?.replace) {
    if (isSamePage) settle()
    else forgetPending()
    return navigate(to, options)
  }
  const isPlain = isSamePage || !('startViewTransition' in document) || matchMedia(LESS_MOTION).matches
  afterPicture(isPlain ? go : () => fade(go), go)
}

function fade(go: () => void): void {
  const { ready } = document.startViewTransition(go)
  // The next one began before this one: nothing is wrong.
  ready.catch(() => undefined)
}
