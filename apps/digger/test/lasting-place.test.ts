import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { assertLasting, backupPlaceWarnings } from '../src/lasting-place.ts'

const home = mkdtempSync(join(tmpdir(), 'digger-lasting-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))
const mounts = (type: string): string => `22 1 8:1 / / rw - ${type} x rw\n23 22 8:2 / ${home}/disk rw - ext4 y rw\n`

test.each([
  ['a folder that is still to be made', 'new/data'],
  ['a link to one', 'link'],
])('real money is refused in %s of a container', (_name, folder) => {
  if (folder === 'link') symlinkSync(home, join(home, 'link'))
  const config = { KIS_ENV: 'real', DATA_DIR: join(home, folder) } as const
  expect(() => assertLasting(config, mounts('overlay'))).toThrow(/^DATA_DIR=.*overlay/)
  expect(() => assertLasting(config, mounts('ext4'))).not.toThrow()
  expect(() => assertLasting({ ...config, KIS_ENV: 'paper' }, mounts('overlay'))).not.toThrow()
})

test('backups on the disk of the data are named, unless all money is pretended', () => {
  const [DATA_DIR, beside] = [join(home, 'data'), join(home, 'copies')]
  const linesOf = (KIS_ENV: 'sim' | 'paper', BACKUP_DIR?: string) =>
    backupPlaceWarnings({ KIS_ENV, DATA_DIR, BACKUP_DIR }, mounts('ext4')).length
  expect([linesOf('paper', beside), linesOf('sim', beside), linesOf('paper')]).toEqual([1, 0, 0])
})
