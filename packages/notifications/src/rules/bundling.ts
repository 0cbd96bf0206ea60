import { ALWAYS_ON, type NotificationKind, type NotificationLevel } from '@digger/contract'
import { kstMsOfDay } from '@digger/core'

/** No phone rings more often than this, ms. */
const SPACING_MS = 10_000
/** So many bundles within so long a time are load: from then on they come this far apart, ms. */
const LOAD = { bundles: 6, withinMs: 10 * 60_000, spacingMs: 60_000 } as const
/** Bundles of before so long ago say nothing of the load, ms. */
export const RECENT_MS = LOAD.withinMs

/** When the next bundle of a person may be made, epoch ms. `recent`: when the last ones were, in any order. */
export function nextBundleAt(recent: readonly number[], now: number): number {
  // A clock that was set back makes nobody wait for the time that it lost.
  const past = recent.filter((at) => at <= now)
  if (past.length === 0) return now
  const isLoad = past.filter((at) => now - at < LOAD.withinMs).length >= LOAD.bundles
  return Math.max(now, Math.max(...past) + (isLoad ? LOAD.spacingMs : SPACING_MS))
}

/** How a person wants to be told; `quiet`: minutes of the KST day, the same twice: none. */
export interface Preferences {
  readonly levels: Readonly<Partial<Record<string, NotificationLevel>>>
  readonly quietFrom: number
  readonly quietTo: number
}

export const NO_PREFERENCES: Preferences = { levels: {}, quietFrom: 0, quietTo: 0 }

/** How one notification is told now. Quiet hours delay nothing and leave nothing out: it only makes no sound. */
export function levelNow(
  kind: NotificationKind,
  { levels, ...preferences }: Preferences,
  now: number,
): NotificationLevel {
  const level = ALWAYS_ON.has(kind) ? 'on' : (levels[kind] ?? 'on')
  return level === 'on' && isQuiet(preferences, now) ? 'silent' : level
}

function isQuiet({ quietFrom, quietTo }: Pick<Preferences, 'quietFrom' | 'quietTo'>, now: number): boolean {
  const minute = Math.floor(kstMsOfDay(now) / 60_000)
  return quietFrom <= quietTo ? quietFrom <= minute && minute < quietTo : quietFrom <= minute || minute < quietTo
}
