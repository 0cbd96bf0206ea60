import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Database, openDatabase } from '@digger/database'
import { seedFolder } from '@digger/database/testing'
import { readConfig } from '@digger/config'
import { lockMarket, withDemoKey } from '../src/market.ts'

const NOBODY = 65_534
const isRoot = process.getuid?.() === 0

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

function everythingIn(folder: string): string[] {
  const inside = readdirSync(folder, { withFileTypes: true, recursive: true })
  return [folder, ...inside.map(({ parentPath, name }) => join(parentPath, name))]
}

/** Paths with their modes, where somebody else has a bit. */
const open = (folder: string): string[] =>
  everythingIn(folder)
    .map((path): [string, number] => [path, statSync(path).mode])
    .filter(([, mode]) => (mode & 0o077) !== 0)
    .map(([path, mode]) => `${relative(folder, path)} ${(mode & 0o777).toString(8)}`)

/** Which of them another user of this computer can read or write. */
function openedByNobody(paths: readonly string[]): string[] {
  const script = 'while read -r f; do { (: < "$f") || (: >> "$f"); } 2>/dev/null && echo "$f"; done; true'
  const identity = { uid: NOBODY, gid: NOBODY, cwd: '/' }
  return spawnSync('/bin/sh', ['-c', script], { ...identity, input: `${paths.join('\n')}\n`, encoding: 'utf8' })
    .stdout.split('\n')
    .filter(Boolean)
}

/** Tables, indexes and log files made after the start. */
async function use({ pool }: Database): Promise<void> {
  await pool.query('create table later as select n, repeat(md5(n::text), 20) as text from generate_series(1, 20000) n')
  await pool.query('create index on later (text)')
  await pool.query('checkpoint')
}

describe.skipIf(process.platform === 'win32')('nobody else on this computer reaches the embedded database', () => {
  test('made from nothing, and its files of later', { timeout: 180_000 }, async () => {
    const database = await openDatabase({ dataDir })
    await use(database)
    expect(everythingIn(dataDir).length).toBeGreaterThan(900)
    expect(open(dataDir)).toEqual([])
    await database.close()
    expect(open(dataDir)).toEqual([])
  })

  test('as an earlier version left it: repaired at the start', { timeout: 60_000 }, async () => {
    await seedFolder(dataDir)
    for (const path of everythingIn(dataDir)) chmodSync(path, statSync(path).isDirectory() ? 0o755 : 0o666)
    const database = await openDatabase({ dataDir })
    await use(database)
    expect(open(dataDir)).toEqual([])
    await database.close()
  })

  test.runIf(isRoot)('another user can open none of it, not even with the folders open', async () => {
    await seedFolder(dataDir)
    await (await openDatabase({ dataDir })).close()
    const planted = join(outside, 'planted')
    writeFileSync(planted, '')
    const paths = [...everythingIn(dataDir).filter((path) => statSync(path).isFile()), planted]
    expect(openedByNobody(paths)).toEqual([planted])
    for (const path of everythingIn(dataDir)) if (statSync(path).isDirectory()) chmodSync(path, 0o755)
    expect(openedByNobody(paths)).toEqual([planted])
  })

  test('the demonstration’s state and key too', async () => {
    mkdirSync(join(dataDir, 'sim'), { recursive: true })
    writeFileSync(join(dataDir, 'sim', 'facts.jsonl'), '')
    const config = withDemoKey(readConfig({ DATA_DIR: dataDir }))
    chmodSync(join(dataDir, 'demo-master.key'), 0o644)
    const unlock = await lockMarket(config)
    await unlock()
    expect(open(dataDir)).toEqual([])
  })

  test('a folder with other things in it keeps its mode, and is refused where everybody may write', async () => {
    await seedFolder(dataDir)
    writeFileSync(join(dataDir, 'diary.txt'), '')
    chmodSync(dataDir, 0o775)
    const database = await openDatabase({ dataDir })
    await database.close()
    expect(open(dataDir)).toEqual([' 775', 'diary.txt 666'])
    chmodSync(dataDir, 0o777)
    await expect(openDatabase({ dataDir })).rejects.toThrow(/아무나 .*data 폴더에 쓸 수 있어.*DATA_DIR.*chmod o-w/)
    chmodSync(dataDir, 0o1777)
    await (await openDatabase({ dataDir })).close()
  })
})
