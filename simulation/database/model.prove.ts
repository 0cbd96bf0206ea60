import type { Client } from 'pg'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { int32 } from './backend.ts'
import { CANCEL_REQUEST } from './frontend.ts'
import { DatabaseModel } from './model.ts'
import { clientSocket, pgClient } from './pg-client.ts'

const TABLES = [
  'create table note (id bigint generated always as identity primary key, text text)',
  `create function refuse() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$`,
  'create trigger refused before delete on note for each row when (old.id = 1) execute function refuse()',
  `insert into note (text) values ('kept')`,
]

async function migrated(): Promise<DatabaseModel> {
  const model = await DatabaseModel.create()
  const client = await pgClient(model)
  for (const text of TABLES) await client.query(text)
  await client.end()
  model.keepTemplate()
  await model.reset()
  return model
}

let model: DatabaseModel
beforeAll(async () => {
  model = await migrated()
})
beforeEach(() => model.reset())

test('two sessions: a transaction of one holds up the writes of the other, and then both see the same', async () => {
  const [a, b] = [await pgClient(model), await pgClient(model)]
  const insert = { text: 'insert into note (id, text) overriding system value values ($1, $2)', values: [7, 'a'] }
  await a.query('begin')
  await a.query(insert)
  expect(model.query('select text from note where id = $1', [7])).toEqual([{ text: 'a' }])
  const waits = b.query(insert).catch((error: unknown) => error)
  await a.query('commit')
  expect(await waits).toMatchObject({ code: '23505' })
  const text = 'select * from note where id > $1'
  expect((await b.query({ text, values: [1] })).rows).toEqual([{ id: '7', text: 'a' }])
  expect(model.query(text, [1])).toEqual([{ id: 7, text: 'a' }])
  expect(model.counts).toMatchObject({ commits: 1 })
})

test('an answer needs nothing but microtasks', async () => {
  const client = await pgClient(model)
  let turns = 0
  const count = setInterval(() => (turns += 1), 0)
  const immediate = setImmediate(() => (turns += 1))
  await client.query('begin')
  for (const text of ['a', 'b']) await client.query('insert into note (text) values ($1)', [text])
  await client.query('commit')
  await client.query({ name: 'all', text: 'select * from note' })
  expect(turns).toBe(0)
  clearInterval(count)
  clearImmediate(immediate)
})

test('a statement of a client is cancelled by a connection of its own', async () => {
  const [a, b] = [await pgClient(model), await pgClient(model)]
  await a.query('begin')
  await a.query(`update note set text = 'a'`)
  const waits = b.query(`update note set text = 'b'`).catch((error: unknown) => error)
  const line = clientSocket(model)
  line.connect()
  line.write(cancelRequest(b))
  expect(await waits).toMatchObject({ code: '57014' })
  await a.query('commit')
  expect(model.query('select text from note')).toEqual([{ text: 'a' }])
})

/** As `libpq` sends it; the library keeps what the server gave it for that. */
function cancelRequest(client: Client): Buffer {
  const [pid, secret] = ['processID', 'secretKey'].map((name) => Number(Reflect.get(client, name)))
  return int32(16, CANCEL_REQUEST, pid ?? 0, secret ?? 0)
}

/** What every client sees, in an order that only the engine gives. */
async function transcript(on: DatabaseModel): Promise<string> {
  const seen: unknown[] = []
  const client = await pgClient(on)
  const ask = async (text: string, values: readonly unknown[] = []): Promise<void> => {
    const answer = await client.query({ text, values: [...values], rowMode: 'array' }).catch((error: unknown) => error)
    seen.push(answer instanceof Error ? answer.message : answer)
  }
  for (let n = 0; n < 20; n++) await ask('insert into note (text) values ($1) returning *', [`${n % 7}`])
  await ask('update note set text = text || text where id % 3 = 0')
  await ask('delete from note where id % 4 = 1')
  await ask('delete from note where id % 4 = 2')
  await ask('insert into note (text) select text from note')
  await ask('select *, ctid, xmin from note')
  await ask('select text, count(*) from note group by text')
  await ask('select pg_backend_pid() as pid')
  await client.end()
  return JSON.stringify(seen, null, 1)
}

test('a run after 500 others gives the very answers that a new engine gives', { timeout: 120_000 }, async () => {
  const first = await transcript(model)
  for (let n = 0; n < 500; n++) {
    await model.reset()
    const client = await pgClient(model)
    await client.query('insert into note (text) values ($1)', [`${n}`])
    if (n % 100 === 0) await client.query('create table more (id int)')
    if (n % 3 === 0) await client.query('begin')
    await client.query(`delete from note where text = 'kept'`).catch(() => undefined)
  }
  await model.reset()
  expect(await transcript(model)).toBe(first)
  expect(await transcript(await migrated())).toBe(first)
})

test('the engine is put back to the last bit', async () => {
  expect(model.differences()).toEqual([])
  const client = await pgClient(model)
  await client.query(`create table more as select n, repeat('x', 100) from generate_series(1, 50000) n`)
  await client.query('drop table note; checkpoint')
  expect(model.differences()).toContain('memory')
  await model.reset()
  expect(model.differences()).toEqual([])
})

test('a log that a run filled is written anew in the next', async () => {
  const write = async (): Promise<unknown> => {
    const client = await pgClient(model)
    const { rowCount } = await client.query(
      `insert into note (text) select repeat('x', 1000) from generate_series(1, 40000)`,
    )
    await client.end()
    return rowCount
  }
  expect(await write()).toBe(40_000)
  await model.reset()
  expect(await write()).toBe(40_000)
})
