/** What asks for more is asked again after a day, ms. */
const MAX_WAIT_MS = 86_400_000

/** How long to wait by a `Retry-After` header, seconds or a date (RFC 9110, 10.2.3), ms; null: it says nothing of use. */
export function retryAfterMs(header: string | null, now: number): number | null {
  const text = header?.trim() ?? ''
  if (/^\d+(?:\.\d+)?$/.test(text)) return secondsToWaitMs(Number(text))
  // `Date.parse` would take a lone word or number for a year.
  const at = /^[A-Za-z]{3,9},? .*\d{2}:\d{2}/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? null : Math.min(Math.max(at - now, 0), MAX_WAIT_MS)
}

export const secondsToWaitMs = (seconds: number): number | null =>
  seconds >= 0 ? Math.min(Math.ceil(seconds * 1_000), MAX_WAIT_MS) : null
