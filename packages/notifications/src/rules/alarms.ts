/** Something that people are called for while it lasts. */
export interface Lasting {
  readonly kind: string
  readonly subject: string
  /** How long it has lasted, and after how long somebody is called, ms. */
  readonly forMs: number
  readonly patienceMs: number
}

/** Where it comes and goes, it is over only after it has been away for so long, ms: one call and one all-clear. */
export const OVER_AFTER_MS = 60_000

export const alarmKey = ({ kind, subject }: Pick<Lasting, 'kind' | 'subject'>): string => `${kind} ${subject}`

/**
 * Which alarms begin and end now. `raised`: those that people were called for. `awaySince`: since when each raised one has been away; it
 * is brought up to date here, and is all that is remembered between two looks.
 */
export function judgeAlarms<L extends Lasting, R extends Pick<Lasting, 'kind' | 'subject'>>(
  found: readonly L[],
  raised: readonly R[],
  awaySince: Map<string, number>,
  now: number,
): { readonly begin: readonly L[]; readonly end: readonly R[] } {
  const present = new Set(found.map(alarmKey))
  const known = new Set(raised.map(alarmKey))
  for (const key of awaySince.keys()) if (present.has(key) || !known.has(key)) awaySince.delete(key)
  const end = raised.filter((one) => {
    const key = alarmKey(one)
    if (present.has(key)) return false
    const since = awaySince.get(key) ?? now
    awaySince.set(key, since)
    return now - since >= OVER_AFTER_MS
  })
  const begin = found.filter((one) => one.forMs >= one.patienceMs && !known.has(alarmKey(one)))
  return { begin, end }
}
