import type { Graces, Look } from './disagreement.ts'
import type { StopTime } from './journal-account.ts'
import type { ListedOrder } from './order-list.ts'

/** The stops in force, long before and after, when the broker took the order. */
export function againstStop(
  row: ListedOrder,
  isOurs: boolean,
  { after, serverStops }: Look,
  { stoppingMs, clockMs }: Graces,
): StopTime[] {
  if (!after.codes.has(row.code)) return []
  return [...after.stops, ...serverStops].filter(({ code, stop, from, to }) => {
    if (code !== null && code !== row.code) return false
    // A person may buy by phone while the account only sells; of a halted one nobody can tell whose order it is.
    if (stop === 'reduce' && (row.side === 'sell' || !isOurs)) return false
    return row.at > from + stoppingMs && (to === null || row.at < to - clockMs)
  })
}
