import { defineConfig } from 'vitest/config'

/** The unit tests that prove sentences of the specification, and the samples of coverage.spec.ts. */
export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname,
    include: ['{packages,apps}/**/*.test.{ts,tsx}', 'e2e/spec/samples/unit.ts'],
    maxWorkers: 1,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { requireAssertions: true },
  },
})
