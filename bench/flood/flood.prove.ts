import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { seedFolder } from '@digger/database/testing'
import { startFlooded, startStrangers } from './flooded.ts'

/** Two processes and a database start first, ms. */
const TEST_TIMEOUT_MS = 120_000
/** `npm run prove -- flood` takes longer and measures what trading notices. */
const FLOOD_MS = 6_000

test(
  'strangers who send requests without pause get few replies and little log, and the server stays healthy',
  { timeout: TEST_TIMEOUT_MS },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'digger-flood-'))
    await seedFolder(folder)
    const nowhere = { restUrl: 'http://127.0.0.1:9', wsUrl: 'ws://127.0.0.1:9' }
    const plan = { ...nowhere, place: { DATA_DIR: folder }, users: [], maxBuyPrice: 0, limited: true }
    try {
      await using server = await startFlooded(plan)
      await using strangers = await startStrangers(server.base)
      const before = server.logBytes()
      strangers.start()
      await delay(FLOOD_MS)
      const tally = await strangers.stop()
      const answered = (tally['400'] ?? 0) + (tally['404'] ?? 0)
      // What an address has at once, what it gets back in that time, and slack for a busy machine.
      expect(answered).toBeGreaterThan(0)
      expect(answered).toBeLessThan(300 + 10 * 2 * (FLOOD_MS / 1_000))
      // One in two seconds and connection, and slack again.
      expect(tally['429']).toBeGreaterThan(0)
      expect(tally['429']).toBeLessThan(52 * (FLOOD_MS / 1_000))
      // At this rate 1 MB a minute.
      expect(server.logBytes() - before).toBeLessThan((FLOOD_MS / 60_000) * 1_000_000)
      await delay(1_500)
      expect((await fetch(`${server.base}/health`)).status).not.toBe(500)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
)
