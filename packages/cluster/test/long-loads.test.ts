import { setTimeout as delay } from 'node:timers/promises'
import { type Database, openDatabase, OwnedShards, SHARDS } from '@digger/database'
import { findPostgres, type PostgresServer, startPostgres } from '@digger/database/testing'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Member } from '../src/index.ts'
import type { ShardHolder } from '../src/placement.ts'
import { cutSession } from './cut-session.ts'
import { holderWithoutAccounts, memberWithoutAccounts } from './without-accounts.ts'

const bin = findPostgres()
const SOON = { timeout: 30_000, interval: 20 }
/** Until nothing moves any more. */
const SETTLED_MS = 1_500
/** A fair share of two is half of all, give or take. */
const SHARE = 80

let server: PostgresServer
let database: Database
let members: Member[] = []

/** `own`: how long accounts take to load. */
function worker(own: ShardHolder['own'] = async () => undefined) {
  const owned = new OwnedShards()
  const events: string[] = []
  const holder = { ...holderWithoutAccounts(owned), own }
  const report = ({ kind }: { readonly kind: string }): void => void events.push(kind)
  const member = memberWithoutAccounts({ url: server.url, db: database.db, owned, holder, report })
  members.push(member)
  return { member, owned, events }
}

describe.skipIf(bin === null)('accounts that take long to load (skipped where no PostgreSQL is installed)', () => {
  beforeEach(async () => {
    server = await startPostgres(bin ?? '')
    database = await openDatabase({ databaseUrl: server.url, dataDir: '', exclusive: false })
    members = []
  }, 120_000)
  afterEach(async () => {
    for (const member of members) await member.end({ withinMs: 0 })
    await database.close()
    await server[Symbol.asyncDispose]()
  })

  test('a worker that comes meanwhile gets its share, and nobody loads what is not his any more', async () => {
    let loaded = 0
    const one = worker(async (shards) => {
      await delay(20 * shards.length)
      loaded += shards.length
    })
    const begun = one.member.begin()
    await vi.waitFor(() => expect(one.owned.all().length).toBeGreaterThan(0), SOON)
    const two = worker()
    await two.member.begin()
    await begun
    const counts = () => [one, two].map(({ owned }) => owned.all().length)
    await vi.waitFor(() => {
      const [ofOne = 0, ofTwo = 0] = counts()
      expect([ofTwo > SHARE, ofOne + ofTwo]).toEqual([true, SHARDS])
    }, SOON)
    expect(loaded).toBeLessThan(SHARDS - 40)
  }, 90_000)

  test('a worker whose line was cut is back while whoever took its shards still loads them', async () => {
    let isStuck = false
    const one = worker()
    const two = worker(() => (isStuck ? new Promise(() => undefined) : Promise.resolve()))
    await one.member.begin()
    await two.member.begin()
    await vi.waitFor(() => expect(two.owned.all().length).toBeGreaterThan(SHARE), SOON)
    await delay(SETTLED_MS)
    isStuck = true
    await cutSession(database, one.member.id)
    await vi.waitFor(() => expect(one.events.filter((kind) => kind === 'joined')).toHaveLength(2), SOON)
  }, 90_000)
})
