import { onTestFinished } from 'vitest'

/** What would have ended the process. The test runner has a listener of its own, so ours is asked as well. */
export function thrown(): unknown[] {
  const errors: unknown[] = []
  const note = (error: unknown): unknown => errors.push(error)
  const others = process.listeners('uncaughtException')
  process.removeAllListeners('uncaughtException').on('uncaughtException', note)
  onTestFinished(() => {
    process.removeAllListeners('uncaughtException')
    for (const listener of others) process.on('uncaughtException', listener)
  })
  return errors
}
