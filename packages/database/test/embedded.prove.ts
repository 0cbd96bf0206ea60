import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openDatabase } from '../src/open.ts'
import { seedFolder } from './database.ts'
import { newFolder } from './new-folder.ts'
import { keptAll, killedAfter, startChild } from './writer.ts'

test(
  'the embedded database is made from nothing, also after an interrupted start, and keeps what was written',
  { timeout: 180_000 },
  async () => {
    const dataDir = newFolder()
    mkdirSync(join(dataDir, 'database.init', 'base'), { recursive: true })
    writeFileSync(join(dataDir, 'database.init', 'PG_VERSION'), '18\n')
    const first = await openDatabase({ dataDir })
    await first.db.insertInto('server_setting').values({ name: 'a', value: '값' }).execute()
    await first.close()
    const again = await openDatabase({ dataDir })
    expect(await again.db.selectFrom('server_setting').select(['name', 'value', 'why']).execute()).toEqual([
      { name: 'a', value: '값', why: null },
    ])
    const { rows } = await again.pool.query('show fsync')
    expect(rows).toEqual([{ fsync: 'on' }])
    await again.close()
  },
)

test(
  'kill -9 again and again while writing loses no commit that was reported, and tears none',
  { timeout: 180_000 },
  async () => {
    const dataDir = newFolder()
    await seedFolder(dataDir)
    let reported = 0
    for (let round = 0; round < 3; round++) {
      const writer = startChild(dataDir, 'write')
      await writer.lines.next()
      reported = await killedAfter(reported + 20 + round * 37, writer)
    }
    expect(await keptAll(dataDir, reported)).toBe(true)
  },
)
