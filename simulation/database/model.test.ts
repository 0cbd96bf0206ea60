import { beforeAll, beforeEach, expect, test } from 'vitest'
import { DatabaseModel } from './model.ts'
import { pgClient } from './pg-client.ts'

let model: DatabaseModel
beforeAll(async () => {
  model = await DatabaseModel.create()
  const client = await pgClient(model)
  await client.query('create table note (id bigint primary key, text text)')
  await client.end()
  model.keepTemplate()
})
beforeEach(() => model.reset())

test('two sessions: a transaction of one holds up the writes of the other, and then both see the same', async () => {
  const [a, b] = [await pgClient(model), await pgClient(model)]
  await a.query('begin')
  await a.query('insert into note values ($1, $2)', [1, 'a'])
  const waits = b.query('insert into note values ($1, $2)', [1, 'b']).catch((error: unknown) => error)
  await a.query('commit')
  expect(await waits).toMatchObject({ code: '23505' })
  expect((await b.query('select * from note')).rows).toEqual([{ id: '1', text: 'a' }])
  expect(model.query('select * from note where id = $1', [1])).toEqual([{ id: 1, text: 'a' }])
})
