import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

// A program that tests start loads some hundred files: compiled once for all of them, it is there in half the time.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'node_modules/.cache/compiled')

const everything = globSync('{packages,apps,trials,simulation,bench,scripts,e2e}/**/*.test.{ts,tsx}', {
  cwd: import.meta.dirname,
  exclude: (name) => name === 'node_modules',
})
/** Files that put another module in the place of one, or, in simulation, of Node itself: each has a process of its own. */
const own = everything.filter(
  (path) =>
    path.startsWith('simulation/') ||
    /\bvi\.(?:do)?mock\(/i.test(readFileSync(join(import.meta.dirname, path), 'utf8')),
)

/** What both tiers have: a PostgreSQL for the run, unless EMBEDDED=1 asks every test on the embedded database. */
export const common = {
  testTimeout: 30_000,
  hookTimeout: 60_000,
  // Its own limit is one second, which another test on the same core takes at times.
  expect: { poll: { timeout: 20_000 } },
  setupFiles: ['packages/database/test/end-file-database.ts'],
  // There are two cores; some files wait more than they compute.
  maxWorkers: 4,
  ...(process.env['EMBEDDED'] !== '1' && {
    globalSetup: 'packages/database/test/on-postgres.ts',
    setupFiles: ['packages/database/test/use-postgres.ts', 'packages/database/test/end-file-database.ts'],
  }),
}

/** `npm test`. What takes minutes, many processes or real seconds is a file `*.prove.ts` beside: `npm run prove`. */
export default defineConfig({
  test: {
    projects: [
      // They share the modules of one process, file after file: loading them again costs more than the tests.
      {
        test: { ...common, name: 'shared', include: everything.filter((path) => !own.includes(path)), isolate: false },
      },
      { test: { ...common, name: 'own', include: own } },
    ],
  },
})
