import type { RememberedChannel } from './deviceState.ts'

/** Neither whose channels they are nor any e-mail address: it outlasts the log-out. */
const NAME = 'notification-device'

/** What was added from this browser; nothing where it keeps nothing. */
export function readRemembered(): readonly RememberedChannel[] {
  try {
    return rememberedIn(localStorage.getItem(NAME))
  } catch {
    // Browsers may forbid their storage altogether.
    return []
  }
}

export function remember(channels: readonly RememberedChannel[]): void {
  try {
    if (channels.length === 0) localStorage.removeItem(NAME)
    else localStorage.setItem(NAME, JSON.stringify(channels))
  } catch {
    // The device works all the same, only the list does not mark it.
  }
}

export function rememberedIn(text: string | null): readonly RememberedChannel[] {
  try {
    const value: unknown = JSON.parse(text ?? 'null')
    return Array.isArray(value) ? value.filter(isChannel) : []
  } catch {
    return []
  }
}

function isChannel(value: unknown): value is RememberedChannel {
  if (typeof value !== 'object' || value === null || !('id' in value) || !('endpoint' in value)) return false
  return Number.isInteger(value.id) && typeof value.endpoint === 'string'
}
