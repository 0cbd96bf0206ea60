import type { Client } from 'pg'
import { setImmediate as turn } from 'node:timers/promises'
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { ENGINE_LOCK } from '@digger/database'
import { DatabaseModel } from './model.ts'
import { pgClient } from './pg-client.ts'

let model: DatabaseModel
let a: Client
let b: Client

beforeAll(async () => {
  model = await DatabaseModel.create()
  const client = await pgClient(model)
  await client.query('create table note (id bigint primary key)')
  await client.end()
  model.keepTemplate()
})
beforeEach(async () => {
  await model.reset()
  a = await pgClient(model, { application_name: 'a' })
  b = await pgClient(model, { application_name: 'b' })
})

const write = (client: Client, id: number) => client.query('insert into note values ($1)', [id])
const read = (client: Client) => client.query('select id from note order by id')
/** SQLSTATE of the refusal, the word of a cut, or `done`. */
const resultOf = (asked: Promise<unknown>): Promise<unknown> =>
  asked.then(
    () => 'done',
    (error: unknown) => (error instanceof Error && 'code' in error ? error.code : 'cut'),
  )
const notes = () => model.query('select id from note order by id').map(({ id }) => id)
const named = (client: Client, id: number) =>
  client.query({ name: 'write', text: 'insert into note values ($1)', values: [id] })
const tryLock = async (client: Client): Promise<unknown> =>
  (await client.query('select pg_try_advisory_lock($1) as taken', [ENGINE_LOCK])).rows[0]?.taken

describe('statements are refused', () => {
  test('writes alone, with a rollback of the transaction they were in', async () => {
    model.faults.writes = '53100'
    expect([await resultOf(write(a, 1)), await resultOf(read(a)), await resultOf(a.query('select 1'))]).toEqual([
      '53100',
      'done',
      'done',
    ])
    await a.query('begin')
    expect([await resultOf(write(a, 1)), await resultOf(read(a)), await resultOf(a.query('select 1'))]).toEqual([
      '53100',
      '25P02',
      '25P02',
    ])
    await a.query('rollback')
    model.faults.writes = null
    await write(a, 2)
    expect([notes(), model.strikes.writes]).toEqual([[2], 2])
  })

  test('the commit of what was written before', async () => {
    await a.query('begin')
    await write(a, 1)
    model.faults.writes = '53100'
    expect(await resultOf(a.query('commit'))).toBe('53100')
    model.faults.writes = null
    await write(a, 2)
    expect(notes()).toEqual([2])
  })

  test('reads alone', async () => {
    model.faults.reads = 'XX001'
    expect([await resultOf(write(a, 1)), await resultOf(read(a)), await resultOf(a.query('select 1'))]).toEqual([
      'done',
      'XX001',
      'done',
    ])
    expect(model.strikes.reads).toBe(1)
  })

  test('writes of a read-only database', async () => {
    model.faults.readOnly = true
    const lock = a.query('select id from note for update')
    expect([await resultOf(write(a, 1)), await resultOf(lock), await resultOf(read(a))]).toEqual([
      '25006',
      '25006',
      'done',
    ])
  })

  test('a named statement that was refused is prepared all the same, as PostgreSQL has it', async () => {
    model.faults.writes = '53100'
    expect([await resultOf(named(a, 1)), await resultOf(named(a, 1))]).toEqual(['53100', '53100'])
    model.faults.writes = null
    await named(a, 1)
    expect(notes()).toEqual([1])
  })

  test('new connections', async () => {
    model.faults.refuseConnections = true
    expect([await resultOf(pgClient(model)), model.strikes.refuseConnections]).toEqual(['57P03', 1])
  })
})

describe('connections are cut', () => {
  test('after a write that is kept, and before one that is not', async () => {
    model.faults.silentCommits = 1
    expect([await resultOf(read(a)), await resultOf(write(a, 1)), notes()]).toEqual(['done', 'cut', [1]])
    model.faults.lostWrites = 1
    expect([await resultOf(read(b)), await resultOf(write(b, 2)), notes()]).toEqual(['done', 'cut', [1]])
    expect(model.strikes).toMatchObject({ silentCommits: 1, lostWrites: 1 })
    expect(model.sessions).toEqual([])
  })

  test('of a transaction, its commit is what is kept or lost', async () => {
    for (const [fault, id] of [
      ['silentCommits', 1],
      ['lostWrites', 2],
    ] as const) {
      const client = await pgClient(model)
      model.faults[fault] = 1
      await client.query('begin')
      await write(client, id)
      expect(await resultOf(client.query('commit'))).toBe('cut')
    }
    expect(notes()).toEqual([1])
  })

  test('by the operator, with what they had open undone', async () => {
    await a.query('begin')
    await write(a, 1)
    const waits = resultOf(write(b, 1))
    await turn()
    expect([model.cut(({ applicationName }) => applicationName === 'b'), await waits]).toEqual([1, '57P01'])
    const asks = resultOf(read(await pgClient(model)))
    await turn()
    expect([model.cutAbruptly(({ applicationName }) => applicationName === 'a'), await asks, notes()]).toEqual([
      1,
      'done',
      [],
    ])
    expect([model.cutAll(), model.sessions, model.strikes.cuts]).toEqual([1, [], 3])
  })

  test('a client that is gone has what it asked for done, and its transaction undone', async () => {
    await b.query('begin')
    const asked = resultOf(write(a, 1))
    await turn()
    await a.end()
    await b.query('commit')
    expect([await asked, notes(), model.sessions.length]).toEqual(['cut', [1], 1])
    await b.query('begin')
    await write(b, 2)
    await b.end()
    await turn()
    expect([model.inTransaction, notes()]).toEqual([false, [1]])
  })
})

describe('answers are late', () => {
  const seen: string[] = []
  beforeEach(() => {
    seen.length = 0
    model.onStatement = ({ applicationName, tags, code }) => void seen.push(`${applicationName} ${code ?? tags.join()}`)
    model.faults.answerDelay = () => 50
  })

  test.each(['before', 'after'] as const)('and the work is done %s the wait', async (delayWhen) => {
    model.faults.delayWhen = delayWhen
    const asked = write(a, 1)
    await turn()
    expect(seen).toEqual(delayWhen === 'before' ? [] : ['a INSERT 0 1'])
    await asked
    expect([seen, model.strikes.answerDelay]).toEqual([['a INSERT 0 1'], 1])
  })

  test('past the time for a statement, which is then not done', async () => {
    await a.query("set statement_timeout = '20ms'")
    expect([await resultOf(write(a, 1)), notes()]).toEqual(['57014', []])
    model.faults.answerDelay = null
    await b.query('begin')
    await write(b, 1)
    expect(await resultOf(write(a, 2))).toBe('57014')
    await b.query('commit')
    expect([await resultOf(write(a, 3)), notes()]).toEqual(['done', [1, 3]])
  })

  test('a transaction that nobody goes on with is ended, and its writes undone', async () => {
    model.faults.answerDelay = null
    await a.query("set idle_in_transaction_session_timeout = '20ms'")
    await a.query('begin')
    await write(a, 1)
    await write(b, 1)
    expect([notes(), model.sessions.map(({ applicationName }) => applicationName)]).toEqual([[1], ['b']])
  })
})

describe('the lock of the engine', () => {
  test('is taken away with its session, and given back', async () => {
    expect([await tryLock(a), await tryLock(b), model.lockHolder?.applicationName]).toEqual([true, false, 'a'])
    model.stealLock(20)
    expect([await resultOf(read(a)), await tryLock(b), model.strikes.stolenLocks]).toEqual(['cut', false, 1])
    await vi.waitUntil(() => model.lockHolder === null)
    expect(await tryLock(b)).toBe(true)
  })

  test('is taken when it is free', async () => {
    expect(await tryLock(a)).toBe(true)
    model.stealLock(20, 'whenFree')
    expect([await tryLock(b), model.lockHolder?.applicationName]).toEqual([false, 'a'])
    await a.end()
    await turn()
    expect([await tryLock(b), model.lockHolder?.applicationName]).toEqual([false, 'a Digger elsewhere'])
  })

  test('is answered while another session is in a transaction', async () => {
    await a.query('begin')
    await write(a, 1)
    expect([(await b.query('select 1')).rowCount, await tryLock(b)]).toEqual([1, true])
    await a.query('rollback')
  })
})
