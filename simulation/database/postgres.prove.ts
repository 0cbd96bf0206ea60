import { clientOf, findPostgres, type PostgresServer, startPostgres } from '@digger/database/testing'
import type { Client, QueryConfig } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DatabaseModel, type StatementSeen } from './model.ts'
import { clientSocket } from './pg-client.ts'
import { onPort } from './on-port.ts'
import { runProduct } from './product-run.ts'

/*
 * Every statement that the product sends is recorded on the model, and then put to the model and to a real PostgreSQL,
 * one after the other in the same sessions: the model must answer as PostgreSQL does.
 */

let model: DatabaseModel
/** A server of its own: locks are the same in all databases of one. */
let postgres: PostgresServer

beforeAll(async () => {
  const bin = findPostgres()
  if (bin === null) throw new Error('no PostgreSQL on this machine')
  postgres = await startPostgres(bin)
  model = await DatabaseModel.create()
  model.keepTemplate()
})
afterAll(async () => {
  await postgres[Symbol.asyncDispose]()
})

type Asked = Pick<StatementSeen, 'pid' | 'text' | 'values'>

async function recordProduct(): Promise<Asked[]> {
  const asked: Asked[] = []
  model.onStatement = ({ pid, text, values }) => void asked.push({ pid, text, values })
  const port = await onPort(model)
  await runProduct(port.url)
  await port.close()
  await model.reset()
  return asked
}

/** What a client sees of an answer: its columns with their types, its rows as text, its tag or its SQLSTATE. */
async function answersOf(connect: (config: object) => Client, asked: readonly Asked[]): Promise<unknown[]> {
  const clients = new Map<number, Client>()
  const answers: unknown[] = []
  for (const { pid, text, values } of asked) {
    let client = clients.get(pid)
    if (client === undefined) {
      client = connect({ application_name: `session ${pid}` })
      client.on('error', () => undefined)
      clients.set(pid, client)
      await client.connect()
    }
    answers.push(await answerOf(client, text, values))
  }
  for (const client of clients.values()) await client.end()
  return answers
}

async function answerOf(client: Client, text: string, values: StatementSeen['values']): Promise<unknown> {
  // Named as the product names its commits: they are prepared once.
  const name = /with\s+given as/.test(text) ? { name: `write ${text.length}` } : {}
  const query: QueryConfig = { text, ...name, ...(values.length === 0 ? {} : { values: [...values] }) }
  try {
    const raw = { getTypeParser: () => (value: string) => value }
    const { command, rowCount, fields, rows } = await client.query<string[]>({ ...query, rowMode: 'array', types: raw })
    // The version of the server's stop counts by the time at which it was written.
    const byTime = fields.findIndex(({ name }) => name === 'version' && text.includes('server_setting'))
    const same = rows.map((row) => row.map((cell, index) => (index === byTime ? 'by time' : cell)))
    const ordered = /order by/i.test(text) ? same : same.toSorted((a, b) => (String(a) < String(b) ? -1 : 1))
    return { command, rowCount, fields: fields.map(({ name, dataTypeID }) => `${name} ${dataTypeID}`), rows: ordered }
  } catch (error) {
    return { code: error instanceof Error && 'code' in error ? error.code : error }
  }
}

/** What the model answers otherwise than PostgreSQL. */
async function differences(asked: readonly Asked[]): Promise<object[]> {
  await model.reset()
  const ours = await answersOf((config) => clientOf({ ...config, stream: () => clientSocket(model) }), asked)
  const url = await postgres.newDatabase()
  const theirs = await answersOf((config) => clientOf({ ...config, connectionString: url }), asked)
  return asked.flatMap(({ text, values }, index) =>
    JSON.stringify(ours[index]) === JSON.stringify(theirs[index])
      ? []
      : [{ text, values, ours: ours[index], theirs: theirs[index] }],
  )
}

/** The versions and the settings of the two differ. Everything else has to be the same. */
const isOfServer = ({ text }: Asked): boolean => text === 'show server_version' || text.includes('current_setting(')

// A whole server is used, and each of its thousands of statements is then asked twice.
test('the product gets the same answers from the model as from PostgreSQL', { timeout: 120_000 }, async () => {
  const asked = await recordProduct()
  const kinds = new Set(asked.map(({ text }) => text))
  expect(kinds.size).toBeGreaterThan(100)
  expect(await differences(asked.filter((one) => !isOfServer(one)))).toEqual([])
})

const HOLDER_OF_LOCK = `select a.application_name from pg_locks l join pg_stat_activity a using (pid)
     where l.locktype = 'advisory' and l.objid = $1 and l.granted`

const WORKER_LOCKS = 'select pg_try_advisory_lock_shared($1) as shared, pg_try_advisory_lock($2, $3) as own'

/** Statements of sessions 1 and 2, in this order. */
const SESSIONS: readonly (readonly [pid: number, text: string, ...values: string[]])[] = [
  [1, 'create table note (id bigint primary key, text text not null, count int check (count > 0))'],
  [1, 'insert into note values ($1, $2, $3)', '1', 'a', '1'],
  [1, 'insert into note values ($1, $2, $3)', '1', 'b', '1'],
  [1, 'insert into note values ($1, $2, $3)', '2', 'b', '0'],
  [1, 'insert into note values ($1, $2, $3)', 'x', 'b', '1'],
  [2, 'update note set count = count + 1 where id = $1 returning *', '1'],
  [2, 'select * from note where id = $1 for update', '1'],
  [2, 'select 1 / $1::int', '0'],
  [2, 'selec'],
  [2, 'select * from nothing'],
  [2, 'select 1'],
  [1, 'begin'],
  [1, 'select 1'],
  [1, 'insert into note values (3, $1, 1)', 'c'],
  [1, 'insert into note values (3, $1, 1)', 'd'],
  [1, 'select 1'],
  [1, 'select pg_try_advisory_lock($1) as taken', '9'],
  [1, 'commit'],
  [2, 'select count(*) from note'],
  [1, 'begin isolation level repeatable read, read only'],
  [1, 'select text from note order by id'],
  [1, 'insert into note values (4, $1, 1)', 'd'],
  [1, 'rollback'],
  [1, 'begin'],
  [1, 'savepoint one'],
  [1, 'insert into note values (1, $1, 1)', 'd'],
  [1, 'rollback to savepoint one'],
  [1, 'insert into note values (5, $1, 1)', 'd'],
  [1, 'commit'],
  [2, 'select * from note order by id'],
  [1, 'alter table note add column more text'],
  [2, 'select * from note order by id'],
  [1, 'begin'],
  [1, 'alter table note drop column more'],
  [1, 'select * from note order by id'],
  [1, 'rollback'],
  [1, 'select * from note order by id'],
  [1, 'commit'],
  [1, 'select pg_try_advisory_lock($1) as taken', '4218017'],
  [2, 'select pg_try_advisory_lock($1) as taken', '4218017'],
  [2, HOLDER_OF_LOCK, '4218017'],
  [1, 'select pg_try_advisory_lock(4218017)'],
  [1, 'select pg_advisory_unlock(4218017)'],
  [2, 'select pg_try_advisory_lock($1)', '4218017'],
  [1, 'select pg_advisory_unlock($1) as given', '4218017'],
  [2, 'select pg_advisory_lock(4218017)'],
  [2, 'select pg_advisory_unlock(4218017)'],
  [1, WORKER_LOCKS, '4218017', '4218018', '1'],
  [2, WORKER_LOCKS, '4218017', '4218018', '1'],
  [2, WORKER_LOCKS, '4218017', '4218018', '2'],
  [1, 'select pg_try_advisory_lock($1)', '4218017'],
  [1, 'select pg_advisory_lock_shared($1, $2)', '4218018', '3'],
  [2, 'select pg_advisory_lock_shared($1, $2)', '4218018', '3'],
  [2, HOLDER_OF_LOCK, '1'],
  [2, WORKER_LOCKS, '4218016', '4218018', '3'],
  [1, "set statement_timeout = '90s'"],
  [1, 'show statement_timeout'],
  [1, 'set lock_timeout to 1500'],
  [1, 'show lock_timeout'],
  [1, 'reset statement_timeout'],
  [1, 'show statement_timeout'],
  [2, 'show statement_timeout'],
  [2, 'show application_name'],
  [1, ''],
  [1, 'select 1; select 2'],
  [1, 'truncate note'],
  [2, 'select * from note'],
]

test('two sessions get the same answers from the model as from PostgreSQL', async () => {
  expect(await differences(SESSIONS.map(([pid, text, ...values]) => ({ pid, text, values })))).toEqual([])
})
