import type { Client } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { clientOf, poolOf } from '../src/connections.ts'
import { ask } from './ask.ts'
import { thrown } from './thrown.ts'
import { newDatabase } from './new-database.ts'

/** A connection whose process at the server stands still, so that what both sides say meets on the way. */
async function stopped(client: Pick<Client, 'query'>) {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const pid = rows[0]?.pid ?? 0
  process.kill(pid, 'SIGSTOP')
  onTestFinished(() => goOn(pid))
  return {
    /** It ends the session for the operator's sake, before it reads anything. */
    endedBy: async (url: string): Promise<void> => {
      await ask(url.replace(/[^/]*$/, 'postgres'), `select pg_terminate_backend(${pid})`)
      goOn(pid)
    },
  }
}

function goOn(pid: number): void {
  try {
    process.kill(pid, 'SIGCONT')
  } catch {
    // It has ended.
  }
}

test.each(['idle', 'out', 'released', 'ended'] as const)(
  'PostgreSQL ends a connection of a pool that is %s: nothing is thrown',
  async (when) => {
    const errors = thrown()
    const url = await newDatabase()
    const pool = poolOf({ connectionString: url, max: 1 })
    const client = await pool.connect()
    const gone = new Promise((resolve) => client.once('end', resolve))
    const session = await stopped(client)
    if (when === 'idle' || when === 'ended') client.release()
    if (when === 'ended') await pool.end()
    const ended = session.endedBy(url)
    if (when === 'released') client.release()
    await Promise.all([ended, gone])
    if (when === 'out') client.release()
    const asked = when === 'ended' ? null : (await pool.query('select 1 as one')).rows
    if (when !== 'ended') await pool.end()
    expect([asked, errors]).toEqual([when === 'ended' ? null : [{ one: 1 }], []])
  },
)

test.each(['idle', 'ended'] as const)('PostgreSQL ends a client that is %s: nothing is thrown', async (when) => {
  const errors = thrown()
  const url = await newDatabase()
  const client = clientOf({ connectionString: url })
  await client.connect()
  const gone = new Promise((resolve) => client.once('end', resolve))
  const session = await stopped(client)
  const goodbye = when === 'ended' ? client.end() : undefined
  await Promise.all([session.endedBy(url), gone, goodbye])
  await client.end()
  expect(errors).toEqual([])
})

test('an error of a client that was never connected is nobody’s', () => {
  expect(clientOf({}).emit('error', new Error('no such hash'))).toBe(true)
})
