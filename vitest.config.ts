import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { findPostgres } from './packages/database/test/find-postgres.mjs'

// A program that tests start loads some hundred files: compiled once for all of them, it is there in half the time.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'node_modules/.cache/compiled')

const everything = [
  '{packages,apps}/*/{src,build}/**/*.test.{ts,tsx}',
  '{packages,apps}/*/test/**/*.test.ts',
  '{trials,simulation,bench,scripts}/**/*.test.ts',
]
/**
 * Rules, parsers, clients and faces. They share the modules of one process, file after file, because loading them again costs more than
 * the tests; who puts another module in the place of one does not.
 */
const together = globSync([
  'packages/{contract,core,forward,kis,kis-sim,screens}/{src,test}/**/*.test.ts',
  'packages/{cluster,config,engine,http,identity,prices,server}/src/**/*.test.ts',
  'packages/web/{src,build}/**/*.test.{ts,tsx}',
]).filter((path) => !/\bvi\.(?:do)?mock\(/i.test(readFileSync(path, 'utf8')))
/** Several processes that start a PostgreSQL themselves and wait for leases, and others that wait more than they compute. */
const several = [
  'packages/{cluster/test/*,server/test/cluster*}.test.ts',
  'packages/server/test/{edge,told-outside}.test.ts',
  'packages/kis-sim/test/new-customer.test.ts',
  'apps/{digger/test/roles,watcher/test/watcher}.test.ts',
]
/** A whole cluster of processes that are struck: beside it others would wait for a core as long as for a lease. */
const alone = ['trials/cluster/chaos.test.ts']
/** Where one program asks a database much: on a real PostgreSQL, as with real money, and nowhere twice. */
const onEither = [
  'packages/{engine,server}/test/**/*.test.ts',
  'apps/digger/test/{admin/*,restored}.test.ts',
  // The embedded database takes ten seconds to be opened again after each kill.
  'packages/notifications/test/outbox/killed.test.ts',
]
/** What the embedded database could answer otherwise is asked of both. */
const onBoth = [
  'packages/storage/src/*.test.ts',
  'packages/identity/src/users/sessions.test.ts',
  'packages/{candles,database,exports,jobs}/test/**/*.test.ts',
  'packages/notifications/test/{outbox,setup,watch}/*.test.ts',
  'packages/engine/test/{named-commands,promised-cancel,shards,trading}.test.ts',
  'packages/server/test/{adding-stocks,bulk,calls,events,export-year,exports,history,jobs,kept-data/upgrade,login,session,stocks,sums,today,vault}.test.ts',
  'apps/digger/test/{admin/administrators,admin/password,restored}.test.ts',
]
/**
 * These are about the embedded engine, a folder, a process of its own, or what is decided before any table is asked; or they start a
 * PostgreSQL themselves.
 */
const embeddedOnly = [
  'packages/database/test/{database*,durability}.test.ts',
  'packages/engine/test/lease.test.ts',
  'packages/server/test/{client,edge,localhost}.test.ts',
]

const endShared = 'packages/database/test/end-file-database.ts'

const hasPostgres = findPostgres() !== null
if (!hasPostgres) process.stderr.write('No PostgreSQL here: the server is tested on the embedded database only.\n')
/** EMBEDDED=1: everything on the embedded database, too. */
const isSplit = hasPostgres && process.env['EMBEDDED'] !== '1'

export default defineConfig({
  test: {
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Its own limit is one second, which another test on the same core takes at times.
    expect: { poll: { timeout: 20_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'all',
          include: everything,
          exclude: [...together, ...several, ...alone, ...(isSplit ? onEither : [])],
          setupFiles: isSplit ? [] : [endShared],
          // Two cores: more only make sockets and databases wait for each other.
          maxWorkers: 2,
        },
      },
      {
        extends: true,
        test: { name: 'together', include: together, exclude: several, isolate: false, maxWorkers: 2 },
      },
      ...(isSplit
        ? [
            {
              extends: true as const,
              test: {
                name: 'embedded',
                include: [...onBoth, ...embeddedOnly].filter((path) =>
                  /packages\/(?:engine|server)\/|apps\/digger\//.test(path),
                ),
                exclude: several,
                setupFiles: [endShared],
                isolate: false,
                maxWorkers: 2,
              },
            },
          ]
        : []),
      ...(hasPostgres
        ? [
            {
              extends: true as const,
              test: {
                name: 'postgres',
                include: [...onBoth, ...onEither],
                exclude: [...embeddedOnly, ...several],
                globalSetup: 'packages/database/test/on-postgres.ts',
                setupFiles: ['packages/database/test/use-postgres.ts', endShared],
                isolate: false,
                maxWorkers: 2,
              },
            },
          ]
        : []),
      {
        extends: true,
        test: {
          name: 'several',
          include: several,
          setupFiles: [endShared],
          maxWorkers: 6,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: { name: 'alone', include: alone, maxWorkers: 1, sequence: { groupOrder: 2 } },
      },
    ],
  },
})
