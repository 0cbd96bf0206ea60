import { emptyBook } from '@digger/core'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { connected, poolOf, type TestPlace, testPlace } from '@digger/database/testing'
import { bootNow, ENGINE_LOCK, inheritedFrom, NO_LEASE, RenewedLease, openDatabase } from '@digger/database'
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

describe('on PostgreSQL', () => {
  let place: TestPlace
  let databaseUrl = ''
  beforeEach(async () => {
    place = await testPlace()
    databaseUrl = place.config.DATABASE_URL ?? ''
  })
  afterEach(() => place[Symbol.asyncDispose]())

  /** As another process, which ends the session of whoever has the lock and takes it. */
  async function takeLock() {
    const other = await connected(databaseUrl)
    await other.query(
      `select pg_terminate_backend(pid) from pg_locks
       where locktype = 'advisory' and objid = $1 and granted and database = (select oid from pg_database where datname = current_database())`,
      [ENGINE_LOCK],
    )
    await other.query('select pg_advisory_lock($1)', [ENGINE_LOCK])
    return other
  }

  test('cut, and the lock taken by somebody else: nothing may be sent until it is ours again', async () => {
    const database = await openDatabase({ dataDir: '', databaseUrl })
    expect(database.lease.held()).toBe(true)
    const other = await takeLock()
    await expect.poll(() => database.lease.held()).toBe(false)
    await other.end()
    await expect.poll(() => database.lease.held()).toBe(true)
    await database.close()
  })

  test('another process traded meanwhile, and is gone: the lock is free, and counts no more', async () => {
    const slept = await openDatabase({ dataDir: '', databaseUrl })
    const next = await takeLock()
    await expect.poll(() => slept.lease.held()).toBe(false)
    await next.query(`update engine_holder set started = 'later', pid = 1`)
    await next.end()
    const seen = new Set([slept.lease.held()])
    const looking = setInterval(() => seen.add(slept.lease.held()), 5)
    const error = await slept.failed
    clearInterval(looking)
    expect([...seen, slept.lease.held()]).toEqual([false, false])
    expect(error).toMatchObject({ name: 'TakenOverError', message: expect.stringMatching(/이어받았/) })
    await slept.close()
  })

  test('a process before us on this machine that is dead, or alive and perhaps frozen', async () => {
    const first = await openDatabase({ dataDir: '', databaseUrl })
    const row = await first.db.selectFrom('engine_holder').selectAll().executeTakeFirstOrThrow()
    await first.close()
    expect(inheritedFrom({ ...row, tcp_retries: 15 })).toBe(960_000)
    expect(inheritedFrom({ ...row, started: '7', tcp_retries: 15 })).toBe(120_000)
  })
})
