import { openDatabase } from '@digger/database'
import { startPostgres } from '@digger/database/testing'
import { expect, test } from 'vitest'

test('a server that answers nothing: the lease runs out by itself, and is back with it', async () => {
  await using server = await startPostgres()
  const database = await openDatabase({ dataDir: '', databaseUrl: await server.newDatabase() })
  server.freeze()
  try {
    await expect.poll(() => database.lease.held(), { timeout: 10_000 }).toBe(false)
    await expect.poll(() => database.silentMs(), { timeout: 15_000 }).toBeGreaterThan(8_000)
  } finally {
    server.thaw()
  }
  await expect.poll(() => database.lease.held(), { timeout: 10_000 }).toBe(true)
  await expect.poll(() => database.silentMs(), { timeout: 15_000 }).toBeLessThan(4_000)
  await database.close()
}, 60_000)
