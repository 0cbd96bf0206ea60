import type { KisSocket, Tick } from '../api-socket.ts'

/** A trade, as one of the accounts' sockets brings it. `volume`: shares of the day so far; without it, each is a new one. */
export type Trade = Pick<Tick, 'code' | 'price' | 'halted' | 'trade' | 'base'> &
  Partial<Pick<Tick, 'volume' | 'time' | 'venue'>>

/** The account's socket that brought a trade. */
export type PriceLine = Pick<KisSocket, 'watchedSince'>

/** A price that is read is truer than a trade of before, when that trade is older than this, ms. */
export const OLD_MS = 60_000

interface Seen {
  /** The last trade. */
  readonly newest: Trade | null
  /** When it was. */
  readonly at: number
}

/**
 * Whether the trade is the newest one once more, or an earlier one: by the exchange's own clock and the day's volume, which grows with
 * each trade. Neither may be as believed: what is new in any other way, or after a silence, is a trade.
 */
export function isOld({ newest, at }: Seen, { volume, time, price, base, halted }: Trade, now: number): boolean {
  if (volume === undefined || time === undefined || now - at > OLD_MS) return false
  const { volume: last = 0, time: lastTime = 0 } = newest ?? {}
  if (base !== newest?.base || volume > last || time > lastTime) return false
  return volume < last || (price === newest.price && halted === newest.halted)
}

/** Whether the trade's line has brought every trade of the stock since before the gap: nothing was missed then. */
export function wasThere(line: PriceLine | null, { code, venue }: Trade, gapAt: number): boolean {
  const since = venue === undefined ? null : (line?.watchedSince(code, venue) ?? null)
  return since !== null && since < gapAt
}
