import { vitalsOf } from '@digger/engine'
import { afterEach, expect, test } from 'vitest'
import type { ServerFixture } from './server-fixture.ts'
import { startFixture } from './shared-fixture.ts'

let fixture: ServerFixture

afterEach(() => fixture[Symbol.asyncDispose]())

test('a database whose connections are all taken is on /metrics, which waits for none of them', async () => {
  const vitals = vitalsOf([], { leaseHeld: false, silentMs: 0, brokerDown: false })
  const counts = { counts: () => fixture.database.pool.query('select 1').then(() => ({ waiting: 0, failing: 0 })) }
  fixture = await startFixture({
    parts: { probe: () => ({ ...vitals, broker: 'ok' }), notifications: Object.assign(Object.create(null), counts) },
  })
  const { pool } = fixture.database
  const taken = await Promise.all(Array.from({ length: pool.options.max ?? 1 }, () => pool.connect()))
  try {
    const { statusCode, body } = await fixture.call('GET', '/metrics')
    expect(statusCode).toBe(200)
    const lines = body.split('\n')
    expect(Number(lines.find((line) => line.startsWith('digger_database_waiting'))?.split(' ')[1])).toBeGreaterThan(0)
    // Nobody knows them now.
    expect(lines.filter((line) => line.startsWith('digger_sockets{'))).toEqual([])
    expect(lines).toContain('digger_due 0')
  } finally {
    for (const client of taken) client.release()
  }
}, 15_000)
