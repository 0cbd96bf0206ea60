import { defineConfig } from 'vitest/config'
import { findPostgres } from './packages/database/test/find-postgres.mjs'

const everything = [
  '{packages,apps}/*/{src,build}/**/*.test.{ts,tsx}',
  '{packages,apps}/*/test/**/*.test.ts',
  '{trials,simulation,bench,scripts}/**/*.test.ts',
]
/** The tests that open a database, once more on a real PostgreSQL. */
const onPostgres = [
  'packages/storage/src/*.test.ts',
  'packages/identity/src/users/sessions.test.ts',
  'packages/{database,jobs,engine,server}/test/**/*.test.ts',
]
/**
 * These are about the embedded engine, a folder, a process of its own, or what is decided before any table is asked; or they start a
 * PostgreSQL themselves.
 */
const onceOnly = [
  'packages/database/test/database*.test.ts',
  'packages/database/test/durability.test.ts',
  'packages/engine/test/lease.test.ts',
  'packages/server/test/{client,copy,edge,localhost,cluster*}.test.ts',
  'apps/digger/test/{database-private,start,restart}.test.ts',
  'trials/{agreement,replay}/*.test.ts',
]

const hasPostgres = findPostgres() !== null
if (!hasPostgres) process.stderr.write('No PostgreSQL here: the server is tested on the embedded database only.\n')

export default defineConfig({
  test: {
    // Two cores: more workers only make sockets and databases wait for each other.
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    projects: [
      { extends: true, test: { name: 'all', include: everything } },
      ...(hasPostgres
        ? [
            {
              extends: true as const,
              test: {
                name: 'postgres',
                include: onPostgres,
                exclude: onceOnly,
                globalSetup: 'packages/database/test/on-postgres.ts',
                setupFiles: 'packages/database/test/use-postgres.ts',
              },
            },
          ]
        : []),
    ],
  },
})
