import { createServer, type AddressInfo } from 'node:net'
import { once } from 'node:events'
import { DatabaseError as ServerError, type PoolConfig } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { poolOf } from '../src/connections.ts'
import { isNotConnected } from '../src/not-connected.ts'

const MS = 20

/** The port of a machine that takes connections and says nothing. */
async function silent(): Promise<number> {
  const server = createServer(() => undefined).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return portOf(server.address())
}

const portOf = (address: AddressInfo | string | null): number => {
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

async function failureOf(config: PoolConfig, statements = 1): Promise<unknown> {
  const pool = poolOf({ host: '127.0.0.1', user: 'nobody', connectionTimeoutMillis: MS, ...config })
  onTestFinished(() => pool.end())
  const errors = await Promise.all(
    Array.from({ length: statements }, () => pool.query('select 1').catch((error: unknown) => error)),
  )
  return errors.at(-1)
}

test('a database that lets nobody in within the time', async () => {
  expect(isNotConnected(await failureOf({ port: await silent() }))).toBe(true)
})

test('a pool whose connections are all taken until the time is over', async () => {
  expect(isNotConnected(await failureOf({ port: await silent(), max: 1 }, 2))).toBe(true)
})

test('a machine without a database', async () => {
  expect(isNotConnected(await failureOf({ port: 1 }))).toBe(true)
})

test.each([
  ['57P03', true],
  ['53300', true],
  ['57P01', false],
  ['08006', false],
  ['23505', false],
])('a server that says %s: %s', (code, is) => {
  expect(isNotConnected(Object.assign(new ServerError('no', 0, 'error'), { code }))).toBe(is)
})

test.each([new Error('Connection terminated unexpectedly'), new TypeError('x'), 'ECONNREFUSED', null])(
  'anything else may have happened after the statement left: %s',
  (error) => expect(isNotConnected(error)).toBe(false),
)
