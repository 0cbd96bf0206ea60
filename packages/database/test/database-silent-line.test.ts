import { connect, createServer, type Socket } from 'node:net'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { takeEngineLock } from '../src/engine-lock.ts'
import { openPostgres } from '../src/postgres.ts'
import { newDatabase } from './new-database.ts'

const SILENCE_MS = 1_000

/** Stands between a program and the database, and can fall silent: nothing is cut, nothing passes. */
async function forwarderTo(url: URL) {
  const lines: [Socket, Socket][] = []
  const server = createServer((near) => {
    const far = connect(Number(url.port), url.hostname)
    lines.push([near, far])
    near.pipe(far).pipe(near)
    for (const end of [near, far]) {
      end.on('error', () => end.destroy())
      end.on('close', () => [near, far].forEach((one) => one.destroy()))
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const end of lines.flat()) end.destroy()
    server.close()
  })
  const address = server.address()
  const through = new URL(url)
  if (address !== null && typeof address === 'object') through.port = String(address.port)
  return {
    url: through.toString(),
    connections: () => lines.length,
    /** The lines there are; new ones pass everything. */
    fallSilent: () => lines.flat().forEach((end) => end.unpipe().pause()),
    /** Both sides of the lines there are find out that they are gone. */
    cut: () => lines.flat().forEach((end) => end.destroy()),
  }
}

async function open() {
  const forwarder = await forwarderTo(new URL(await newDatabase()))
  const opened = await openPostgres(forwarder.url, false, { silenceMs: SILENCE_MS })
  onTestFinished(() => opened.close())
  return { ...opened, forwarder }
}

test('a query on it fails, and the next one goes over a new line', async () => {
  const { pool, forwarder } = await open()
  await pool.query('select 1')
  forwarder.fallSilent()
  await expect(pool.query('select 1')).rejects.toThrow(/silent for 1000 ms/)
  expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  expect([forwarder.connections(), pool.totalCount]).toEqual([2, 1])
})

test('a client that was out is not lent again, though whoever had it gives it back without a word', async () => {
  const { pool, forwarder } = await open()
  const client = await pool.connect()
  await client.query('begin')
  forwarder.fallSilent()
  await expect(client.query('select 1')).rejects.toThrow(/silent/)
  await expect(client.query('rollback')).rejects.toThrow(/not queryable/)
  client.release()
  expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  expect(pool.totalCount).toBe(1)
})

test('the claim on the database is made again once, and not by two who exclude each other', async () => {
  const forwarder = await forwarderTo(new URL(await newDatabase()))
  const lock = await takeEngineLock(forwarder.url, 'here', { answerMs: 500 })
  onTestFinished(() => lock.release())
  forwarder.fallSilent()
  await expect.poll(() => lock.lease.held(), { timeout: 10_000 }).toBe(false)
  forwarder.cut()
  const before = forwarder.connections()
  await expect.poll(() => lock.lease.held(), { timeout: 10_000 }).toBe(true)
  // Whoever does not get the lock connects anew every half second.
  await delay(1_500)
  expect(forwarder.connections() - before).toBeLessThanOrEqual(1)
})

test('a statement that works for longer than the silence is not waited for, and one that answers is', async () => {
  const { pool } = await open()
  await expect(pool.query('select pg_sleep(3)')).rejects.toThrow(/silent/)
  await pool.query('select pg_sleep(0.1)')
})
