import { expect as playwrightExpect } from '@playwright/test'

let count = 0
/** How often this worker compared something; it runs one test at a time. */
export const assertionCount = (): number => count

/** Playwright's `expect`, counting what tests compare. Steps on the way to it wait with Playwright's own. */
export const expect: typeof playwrightExpect = new Proxy(playwrightExpect, {
  apply(target, self, input) {
    count += 1
    return Reflect.apply(target, self, input)
  },
  get(target, name, receiver) {
    if (name === 'poll' || name === 'soft') count += 1
    return Reflect.get(target, name, receiver)
  },
})
