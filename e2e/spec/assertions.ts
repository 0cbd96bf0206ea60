import { expect as playwrightExpect } from '@playwright/test'

let count = 0
/** How often this worker compared something; it runs one test at a time. */
export const assertionCount = (): number => count

/**
 * A proxy reads its `apply` in the moment it is called. There is none, so the call goes on to the matcher itself, and reports
 * of a failure show the test's own line first, not one of this file.
 */
const countCall = Object.defineProperty({}, 'apply', {
  get() {
    count += 1
    return undefined
  },
})

/** Counts matchers as they are called, also by way of `not`, `resolves` and `rejects`: without one nothing is compared. */
const countingMatchers = <T extends object>(matchers: T): T =>
  new Proxy(matchers, {
    get(target, name) {
      const found: unknown = Reflect.get(target, name)
      // It only repeats what it is given; the comparisons in there count by themselves.
      if (name === 'toPass') return found
      if (typeof found === 'function') return new Proxy(found, countCall)
      return typeof found === 'object' && found !== null ? countingMatchers(found) : found
    },
  })

/** Playwright's `expect`, counting what tests compare. Steps on the way to it wait with Playwright's own. */
export const expect: typeof playwrightExpect = new Proxy(playwrightExpect, {
  apply(target, self, input) {
    return countingMatchers(Reflect.apply(target, self, input))
  },
  get(target, name) {
    const found: unknown = Reflect.get(target, name)
    if ((name !== 'poll' && name !== 'soft') || typeof found !== 'function') return found
    return (...input: readonly unknown[]) => countingMatchers(Reflect.apply(found, undefined, input))
  },
})
