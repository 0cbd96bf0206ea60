import type { NotificationChannel } from '@digger/contract'

/** How long the server takes a code, ms. */
const LINK_MS = 10 * 60_000

/** `9:41` of a code this old; null: its time is over. */
export function leftText(ageMs: number): string | null {
  const left = Math.min(LINK_MS, LINK_MS - ageMs)
  if (left <= 0) return null
  const seconds = Math.ceil(left / 1_000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

/** A chat was linked since: a new one, or one that was off. */
export function newTelegram(before: readonly NotificationChannel[], now: readonly NotificationChannel[]): boolean {
  const old = new Set(idsOf(before))
  return idsOf(now).some((id) => !old.has(id))
}

const idsOf = (channels: readonly NotificationChannel[]): number[] =>
  channels.filter((channel) => channel.kind === 'telegram' && channel.on).map(({ id }) => id)
