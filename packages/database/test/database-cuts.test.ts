import { setImmediate as turn } from 'node:timers/promises'
import type { Client } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { type Database, openDatabase } from '../src/open.ts'
import { connected } from './ask.ts'
import { newDatabase } from './new-database.ts'
import { thrown } from './thrown.ts'

/** More with CUTS=1000. */
const CUTS = Number(process.env['CUTS'] ?? 60)
const AT_WORK = 8

async function two(): Promise<{ database: Database; knife: Client; databaseUrl: string }> {
  const databaseUrl = await newDatabase()
  const database = await openDatabase({ databaseUrl, dataDir: '', exclusive: false })
  const knife = await connected(databaseUrl)
  onTestFinished(async () => {
    await knife.end()
    await database.close()
  })
  return { database, knife, databaseUrl }
}

test('a client that is out and quiet when it is cut fails its next query, and only that', async () => {
  const errors = thrown()
  const { database, knife } = await two()
  const client = await database.pool.connect()
  await client.query('begin')
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const ended = new Promise((resolve) => client.once('end', resolve))
  await knife.query('select pg_terminate_backend($1)', [rows[0]?.pid])
  await ended
  await turn()
  await expect(client.query('select 1')).rejects.toThrow(/not queryable/)
  client.release()
  expect((await database.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  expect(errors).toEqual([])
})

test('many, at random, under queries and transactions: nothing is thrown, and no half of a transaction stays', async () => {
  const errors = thrown()
  const { database, knife } = await two()
  const { db, pool } = database
  const done = { committed: 0, cut: 0, all: false }
  const move = (n: number) =>
    db.transaction().execute(async (trx) => {
      for (const side of ['left', 'right']) {
        await trx
          .insertInto('server_setting')
          .values({ name: `${side} ${n}`, value: '' })
          .execute()
        await turn()
      }
    })
  const work = async (worker: number): Promise<void> => {
    for (let n = worker; !done.all; n += AT_WORK) {
      const one = n % 3 === 0 ? pool.query('select pg_sleep(0.002)') : move(n)
      await one.then(
        () => done.committed++,
        () => done.cut++,
      )
    }
  }
  const workers = Array.from({ length: AT_WORK }, (_, worker) => work(worker))
  for (let cuts = 0; cuts < CUTS;) {
    const { rows } = await knife.query<{ cut: number }>(
      `select count(pg_terminate_backend(pid))::int as cut from (select pid from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() order by random() limit 1) one`,
    )
    cuts += rows[0]?.cut ?? 0
  }
  done.all = true
  await Promise.all(workers)
  expect(errors).toEqual([])
  expect(done.committed).toBeGreaterThan(0)
  expect(done.cut).toBeGreaterThan(0)
  const { rows } = await pool.query(
    `select split_part(name, ' ', 2) as n from server_setting group by 1 having count(*) <> 2`,
  )
  expect(rows).toEqual([])
}, 180_000)
