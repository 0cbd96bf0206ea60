import type { RememberedDevice } from './deviceState.ts'

/** Neither whose channels they are nor any e-mail address: it outlasts the log-out. */
const NAME = 'notification-device'
const NOTHING: RememberedDevice = { endpoint: '', channels: [] }

/** What was added from this browser; nothing where it keeps nothing. */
export function readRemembered(): RememberedDevice {
  try {
    return rememberedIn(localStorage.getItem(NAME))
  } catch {
    // Browsers may forbid their storage altogether.
    return NOTHING
  }
}

export function remember(device: RememberedDevice): void {
  try {
    if (device.channels.length === 0) localStorage.removeItem(NAME)
    else localStorage.setItem(NAME, JSON.stringify(device))
  } catch {
    // The device works all the same, only the list does not mark it.
  }
}

export function rememberedIn(text: string | null): RememberedDevice {
  let value: unknown
  try {
    value = JSON.parse(text ?? 'null')
  } catch {
    return NOTHING
  }
  if (typeof value !== 'object' || value === null || !('endpoint' in value) || !('channels' in value)) return NOTHING
  const { endpoint, channels } = value
  if (typeof endpoint !== 'string' || !Array.isArray(channels)) return NOTHING
  return { endpoint, channels: channels.filter((id) => Number.isInteger(id)) }
}
