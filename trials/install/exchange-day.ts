const DAY_MS = 86_400_000
const KST_MS = 9 * 3_600_000
/** 10:00 in Seoul: the exchange has been open for an hour. */
const OPEN_MS = 10 * 3_600_000
const SATURDAY = 6

/** By how many ms a clock that starts now has to be ahead so that it is 10:00 of a weekday in Seoul, the next one that is not today. */
export function openAt(now: number): number {
  let midnight = Math.floor((now + KST_MS) / DAY_MS) * DAY_MS
  do midnight += DAY_MS
  while ([0, SATURDAY].includes(new Date(midnight).getUTCDay()))
  return midnight + OPEN_MS - KST_MS - now
}
