import { emptyBook } from '@digger/core'
import type { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connected, type PostgresServer, findPostgres, poolOf, startPostgres } from '@digger/database/testing'
import {
  type Database,
  bootNow,
  ENGINE_LOCK,
  inheritedFrom,
  NO_LEASE,
  RenewedLease,
  openDatabase,
} from '@digger/database'
import { Committer, NoLeaseError, changesOf } from '@digger/storage'

describe('a lease that is renewed', () => {
  test('counts four seconds from before the question, whatever it took to answer', async () => {
    let now = 1_000
    const lease = new RenewedLease(() => now)
    expect(lease.held()).toBe(false)
    await lease.renew(async () => (now += 3_000))
    expect(lease.held()).toBe(true)
    now = 4_999
    expect(lease.held()).toBe(true)
    now = 5_000
    expect(lease.held()).toBe(false)
  })

  test('a question that fails renews nothing, one that is late shortens nothing', async () => {
    let now = 0
    const lease = new RenewedLease(() => now)
    await lease.renew(async () => undefined)
    const slow = Promise.withResolvers<void>()
    const late = lease.renew(() => slow.promise)
    now = 2_000
    await lease.renew(async () => undefined)
    slow.resolve()
    await late
    now = 5_999
    expect(lease.held()).toBe(true)
    await expect(lease.renew(() => Promise.reject(new Error('cut')))).rejects.toThrow('cut')
    now = 6_000
    expect(lease.held()).toBe(false)
  })

  test('lost is lost at once', async () => {
    const lease = new RenewedLease(() => 0)
    await lease.renew(async () => undefined)
    lease.lose()
    expect(lease.held()).toBe(false)
  })
})

test('time by boot goes on evenly', () => {
  const first = bootNow()
  expect(first).toBeGreaterThan(0)
  expect(bootNow() - first).toBeLessThan(10_000)
})

test('without the lease nothing is committed', async () => {
  const pool = poolOf({ host: 'nobody.invalid' })
  const changes = changesOf('a', { seq: 0, epoch: 0 }, [], emptyBook('20261116'))
  await expect(new Committer(pool, NO_LEASE).commit(changes)).rejects.toThrow(NoLeaseError)
  await pool.end()
})

describe('how long orders of the process before us may still come', () => {
  const me = { host: 'a', pid: process.pid, pid_namespace: '', boot_id: 'another machine', started: '1' }
  test.each([
    ['nobody is known', undefined, 960_000],
    ['a process somewhere else, with the usual tries', { ...me, tcp_retries: 15 }, 960_000],
    ['somewhere else, on a system without such a number', { ...me, tcp_retries: null }, 960_000],
    ['somewhere else, whose kernel tries nine times', { ...me, tcp_retries: 9 }, 960_000],
    ['somewhere else, whose kernel gives up as soon as for a dead one', { ...me, tcp_retries: 8 }, 120_000],
  ] as const)('%s: %s', (_name, before, ms) => {
    expect(inheritedFrom(before)).toBe(ms)
  })
})

const bin = findPostgres()
describe.skipIf(bin === null)('on PostgreSQL', () => {
  let server: PostgresServer
  let database: Database
  let other: Client
  let url = ''
  beforeAll(async () => {
    server = await startPostgres(bin ?? '')
    url = await server.newDatabase()
    database = await openDatabase({ dataDir: '', databaseUrl: url })
    other = await connected(url)
  }, 60_000)
  afterAll(async () => {
    await other.end()
    await database.close()
    await server[Symbol.asyncDispose]()
  })

  const holderPid = async (): Promise<number | undefined> => {
    const locks = `select pid from pg_locks where locktype = 'advisory' and objid = $1 and granted`
    const { rows } = await other.query<{ pid: number }>(locks, [ENGINE_LOCK])
    return rows[0]?.pid
  }

  test(
    'cut, and the lock taken by somebody else: nothing may be sent until it is ours again',
    { timeout: 30_000 },
    async () => {
      expect(database.lease.held()).toBe(true)
      await other.query('select pg_terminate_backend($1)', [await holderPid()])
      await other.query('select pg_advisory_lock($1)', [ENGINE_LOCK])
      await expect.poll(() => database.lease.held()).toBe(false)
      await other.query('select pg_advisory_unlock($1)', [ENGINE_LOCK])
      await expect.poll(() => database.lease.held(), { timeout: 10_000 }).toBe(true)
    },
  )

  test('a server that answers nothing: the lease runs out by itself', { timeout: 30_000 }, async () => {
    server.freeze()
    try {
      await expect.poll(() => database.lease.held(), { timeout: 10_000 }).toBe(false)
      await expect.poll(() => database.silentMs(), { timeout: 15_000 }).toBeGreaterThan(8_000)
    } finally {
      server.thaw()
    }
    await expect.poll(() => database.lease.held(), { timeout: 10_000 }).toBe(true)
    await expect.poll(() => database.silentMs(), { timeout: 15_000 }).toBeLessThan(4_000)
  })

  test(
    'another process traded meanwhile, and is gone: the lock is free, and counts no more',
    { timeout: 30_000 },
    async () => {
      const fresh = await server.newDatabase()
      const slept = await openDatabase({ dataDir: '', databaseUrl: fresh })
      const next = await connected(fresh)
      await next.query(
        `select pg_terminate_backend(pid) from pg_locks
       where locktype = 'advisory' and objid = $1 and granted and database = (select oid from pg_database where datname = current_database())`,
        [ENGINE_LOCK],
      )
      await next.query('select pg_advisory_lock($1)', [ENGINE_LOCK])
      await expect.poll(() => slept.lease.held()).toBe(false)
      await next.query(`update engine_holder set started = 'later', pid = 1`)
      await next.end()
      const seen = new Set<boolean>()
      for (let n = 0; n < 40; n += 1) {
        seen.add(slept.lease.held())
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
      expect([...seen]).toEqual([false])
      await expect(slept.failed).resolves.toMatchObject({ name: 'TakenOverError' })
      await slept.close()
    },
  )

  test('another process that has written itself in ends this one', { timeout: 30_000 }, async () => {
    await database.pool.query(`update engine_holder set started = 'later', pid = 1`)
    await expect(database.failed).resolves.toMatchObject({ message: expect.stringMatching(/이어받았/) })
  })

  test('a process before us on this machine that is dead, or alive and perhaps frozen', async () => {
    const fresh = await server.newDatabase()
    const first = await openDatabase({ dataDir: '', databaseUrl: fresh })
    const row = await first.db.selectFrom('engine_holder').selectAll().executeTakeFirstOrThrow()
    await first.close()
    expect(inheritedFrom({ ...row, tcp_retries: 15 })).toBe(960_000)
    expect(inheritedFrom({ ...row, started: '7', tcp_retries: 15 })).toBe(120_000)
  })
})
