import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { currentOffer, offerUndo, watchOffer } from './undo.ts'

describe('the way back', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
  afterEach(() => {
    vi.runOnlyPendingTimers()
    vi.useRealTimers()
  })

  test('is there for five seconds', () => {
    offerUndo('껐습니다.', () => undefined)
    vi.advanceTimersByTime(4_999)
    expect(currentOffer()?.text).toBe('껐습니다.')
    vi.advanceTimersByTime(1)
    expect(currentOffer()).toBeNull()
  })
  test('is gone once it was taken', () => {
    const undo = vi.fn<() => void>()
    offerUndo('껐습니다.', undo)
    currentOffer()?.undo()
    expect(undo).toHaveBeenCalledOnce()
    expect(currentOffer()).toBeNull()
  })
  test('gives way to the next, which has its own five seconds', () => {
    offerUndo('하나', () => undefined)
    vi.advanceTimersByTime(4_000)
    offerUndo('둘', () => undefined)
    vi.advanceTimersByTime(4_000)
    expect(currentOffer()?.text).toBe('둘')
  })
  test('is not offered of what was refused, and those who show it hear of each change', async () => {
    const changed = vi.fn<() => void>()
    const stop = watchOffer(changed)
    offerUndo('껐습니다.', () => undefined, Promise.resolve(false))
    await vi.waitFor(() => expect(currentOffer()).toBeNull())
    expect(changed).toHaveBeenCalledTimes(2)
    stop()
  })
})
