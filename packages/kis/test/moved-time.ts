import { afterEach, beforeEach, vi } from 'vitest'

/** In every test of the file time goes on by itself, and can be moved ahead. */
export function withMovedTime(): void {
  beforeEach(() => {
    vi.useFakeTimers({
      toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'],
      shouldAdvanceTime: true,
    })
  })
  afterEach(() => {
    vi.useRealTimers()
  })
}

/** Waits for something that a socket will bring about. */
export const until = (check: () => void): Promise<void> => vi.waitFor(check, { timeout: 5_000, interval: 5 })
