/** Between tries to deliver, ms: each three times the last, up to a quarter of an hour. */
const FIRST_MS = 5_000
const MAX_MS = 15 * 60_000
/** However long the other side asks us to wait, it is asked again after so long, ms. */
export const MAX_ASKED_MS = 3_600_000

/** A channel that took nothing for so long is switched off, with all that waits for it, ms … */
const DEAD_AFTER_MS = 24 * 3_600_000
/** … if one message was really tried so often, as it is in a day at the longest back-off: a clock may have jumped, or the server been off. */
const DEAD_AFTER_TRIES = 20
/** So many wait for one channel; of more the oldest are left out. */
export const MAX_WAITING = 100

/** How long after the `tries`-th try, counted from 1, the next one comes, ms. `askedMs`: no sooner, as the other side said. */
export function retryAfter(tries: number, askedMs: number | null): number {
  const own = Math.min(MAX_MS, FIRST_MS * 3 ** Math.min(tries - 1, 10))
  return Math.max(own, Math.min(askedMs ?? 0, MAX_ASKED_MS))
}

/** Whether a channel that has taken nothing for `failingMs`, and its oldest message not in `tries` tries, is to be switched off. */
export const isDead = (failingMs: number, tries: number): boolean =>
  failingMs >= DEAD_AFTER_MS && tries >= DEAD_AFTER_TRIES
