/** Between tries to deliver, ms: each three times the last, up to a quarter of an hour. */
const FIRST_MS = 5_000
const MAX_MS = 15 * 60_000
/** However long the other side asks us to wait, it is asked again after so long, ms. */
export const MAX_ASKED_MS = 3_600_000

/** What was not delivered after so long is not delivered any more: it is on the page, ms. */
export const GIVE_UP_MS = 24 * 3_600_000
/** A channel that took nothing for so long is switched off, ms. */
export const DEAD_AFTER_MS = 24 * 3_600_000
/** So many wait for one channel; of more the oldest are left out. */
export const MAX_WAITING = 100

/** How long after the `tries`-th try, counted from 1, the next one comes, ms. `askedMs`: no sooner, as the other side said. */
export function retryAfter(tries: number, askedMs: number | null): number {
  const own = Math.min(MAX_MS, FIRST_MS * 3 ** Math.min(tries - 1, 10))
  return Math.max(own, Math.min(askedMs ?? 0, MAX_ASKED_MS))
}
