import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '@digger/database'
import { seedFolder } from '@digger/database/testing'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { everythingIn, openIn, use } from './open-to-others.ts'

const NOBODY = 65_534
const isRoot = process.getuid?.() === 0

let outside: string
let dataDir: string
const usual = process.umask()
beforeEach(() => {
  outside = mkdtempSync(join(tmpdir(), 'digger-private-'))
  chmodSync(outside, 0o755)
  dataDir = join(outside, 'data')
  process.umask(0)
})
afterEach(() => {
  process.umask(usual)
  rmSync(outside, { recursive: true, force: true })
})

test('nobody else on this computer reaches an embedded database made from nothing, nor its files of later', async () => {
  const database = await openDatabase({ dataDir })
  await use(database)
  expect(everythingIn(dataDir).length).toBeGreaterThan(900)
  expect(openIn(dataDir)).toEqual([])
  await database.close()
  expect(openIn(dataDir)).toEqual([])
})

/** Which of them another user of this computer can read or write. */
function openedByNobody(paths: readonly string[]): string[] {
  const script = 'while read -r f; do { (: < "$f") || (: >> "$f"); } 2>/dev/null && echo "$f"; done; true'
  const identity = { uid: NOBODY, gid: NOBODY, cwd: '/' }
  return spawnSync('/bin/sh', ['-c', script], { ...identity, input: `${paths.join('\n')}\n`, encoding: 'utf8' })
    .stdout.split('\n')
    .filter(Boolean)
}

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
