import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openDatabase } from '@digger/database'
import { seedFolder } from '@digger/database/testing'
import { readConfig } from '@digger/config'
import { lockMarket, withDemoKey } from '../src/market.ts'
import { everythingIn, openIn, use } from './open-to-others.ts'

let outside: string
let dataDir: string
const usual = process.umask()
beforeEach(() => {
  outside = mkdtempSync(join(tmpdir(), 'digger-private-'))
  chmodSync(outside, 0o755)
  dataDir = join(outside, 'data')
  // The worst an operator can have: everything that is not set is open to everybody.
  process.umask(0)
})
afterEach(() => {
  process.umask(usual)
  rmSync(outside, { recursive: true, force: true })
})

describe.skipIf(process.platform === 'win32')('nobody else on this computer reaches the embedded database', () => {
  test('as an earlier version left it: repaired at the start', { timeout: 60_000 }, async () => {
    await seedFolder(dataDir)
    for (const path of everythingIn(dataDir)) chmodSync(path, statSync(path).isDirectory() ? 0o755 : 0o666)
    const database = await openDatabase({ dataDir })
    await use(database)
    expect(openIn(dataDir)).toEqual([])
    await database.close()
  })

  test('the demonstration’s state and key too', async () => {
    mkdirSync(join(dataDir, 'sim'), { recursive: true })
    writeFileSync(join(dataDir, 'sim', 'facts.jsonl'), '')
    const config = withDemoKey(readConfig({ DATA_DIR: dataDir }))
    chmodSync(join(dataDir, 'demo-master.key'), 0o644)
    const unlock = await lockMarket(config)
    await unlock()
    expect(openIn(dataDir)).toEqual([])
  })

  test('a folder with other things in it keeps its mode, and is refused where everybody may write', async () => {
    await seedFolder(dataDir)
    writeFileSync(join(dataDir, 'diary.txt'), '')
    chmodSync(dataDir, 0o775)
    const database = await openDatabase({ dataDir })
    await database.close()
    expect(openIn(dataDir)).toEqual([' 775', 'diary.txt 666'])
    chmodSync(dataDir, 0o777)
    await expect(openDatabase({ dataDir })).rejects.toThrow(/아무나 .*data 폴더에 쓸 수 있어.*DATA_DIR.*chmod o-w/)
    chmodSync(dataDir, 0o1777)
    await (await openDatabase({ dataDir })).close()
  })
})
