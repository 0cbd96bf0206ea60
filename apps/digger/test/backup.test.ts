import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Config, readConfig } from '@digger/config'
import { afterAll, describe, expect, test } from 'vitest'
import { askedOf, backUp } from '../src/backup.ts'
import { drill } from '../src/drill.ts'
import { restore } from '../src/restore.ts'

const home = mkdtempSync(join(tmpdir(), 'digger-backup-tools-'))
const at = (name: string) => join(home, name)
afterAll(() => rmSync(home, { recursive: true, force: true }))

type Tool = 'backup' | 'restore' | 'drill'
const TOOLS = {
  backup: (config, args) => backUp(config, askedOf(args, config)),
  restore,
  drill,
} satisfies Record<Tool, (config: Config, args: readonly string[]) => Promise<unknown>>

describe('what cannot be done is said', { timeout: 120_000 }, () => {
  test.each<[string, Tool, readonly string[], Readonly<Record<string, string>>, RegExp]>([
    ['no place for a backup', 'backup', [], {}, /^쓰는 법: npm run backup/],
    ['an option nobody knows', 'backup', ['--daily'], {}, /^쓰는 법: npm run backup/],
    [
      'nothing to back up',
      'backup',
      ['/tmp/x'],
      { DATA_DIR: at('none') },
      /^DATA_DIR=.*none에 데이터베이스가 없습니다\.$/,
    ],
    ['no backup to put back', 'restore', [], {}, /^쓰는 법: npm run restore/],
    ['a folder that is no backup', 'restore', [at('nothing')], { DATA_DIR: at('never') }, /manifest\.json이 없습니다/],
    ['nothing to try', 'drill', [], {}, /^쓰는 법: npm run drill/],
    ['an empty folder of backups', 'drill', [], { BACKUP_DIR: at('empty') }, /에 백업이 없습니다/],
    ['a number of days that is none', 'backup', ['x'], { BACKUP_KEEP_DAYS: '0' }, /^BACKUP_KEEP_DAYS=0 .*1–3650/],
  ])('%s', async (_, name, args, env, message) => {
    // Whoever does not end is a failure, too.
    await expect(async () => TOOLS[name](readConfig(env), args)).rejects.toThrow(
      expect.objectContaining({ name: expect.stringMatching(/^\w+Error$/), message: expect.stringMatching(message) }),
    )
  })

  test('where a backup goes: as it was said, else where the daily ones are', () => {
    expect(askedOf(['/a', '--drill'], { BACKUP_DIR: '/b' })).toEqual({ into: '/a', drill: true, clean: false })
    expect(askedOf(['--clean'], { BACKUP_DIR: '/b' })).toEqual({ into: '/b', drill: false, clean: true })
    expect(() => askedOf(['/a', '/c'], { BACKUP_DIR: undefined })).toThrow(/쓰는 법/)
  })
})
