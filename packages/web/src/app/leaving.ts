import { dismissQuestions } from '../ask/ask.ts'

/** The events of every way to another address; the last two under the router's own names. */
const MOVES = ['popstate', 'pushState', 'replaceState']

/**
 * A question of the page before, left by the Back button, must not lie over the next. To be called before the router listens:
 * the question is gone, and the focus free for the heading, when the next page is drawn.
 */
export function endQuestionsOnLeaving(): void {
  let path = location.pathname
  const moved = () => {
    if (location.pathname !== path) dismissQuestions()
    path = location.pathname
  }
  for (const move of MOVES) window.addEventListener(move, moved)
}
