import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Config, readConfig } from '@digger/config'
import { seedFolder, testPlace } from '@digger/database/testing'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { askedOf, backUp } from '../src/backup.ts'
import { drill } from '../src/drill.ts'
import { restore } from '../src/restore.ts'
import { ServerProcess } from './process.ts'

const home = mkdtempSync(join(tmpdir(), 'digger-backup-tools-'))
const at = (name: string) => join(home, name)
const { PATH, NODE_COMPILE_CACHE } = process.env

afterAll(() => rmSync(home, { recursive: true, force: true }))

const WAIT = { timeout: 120_000, interval: 200 }

interface End {
  readonly code: number | null
  readonly output: string
}

/** An operator's command in a process of its own. */
async function run(name: string, args: readonly string[], env: Readonly<Record<string, string>>): Promise<End> {
  const script = join(import.meta.dirname, `../src/${name}.ts`)
  const child = spawn(process.execPath, ['--no-warnings', script, ...args], {
    env: { PATH, NODE_COMPILE_CACHE, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (output += part.toString()))
  const [code]: (number | null)[] = await once(child, 'close')
  return { code: code ?? null, output: output.trim() }
}

/** Counts who comes, and answers nobody. */
async function brokerThatCounts() {
  let connections = 0
  const server = createServer((socket) => {
    connections += 1
    socket.destroy()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  const env = { KIS_REST_URL: `http://127.0.0.1:${port}`, KIS_WS_URL: `ws://127.0.0.1:${port}` }
  return { env, count: () => connections, close: () => server.close() }
}

describe('a server that runs', { timeout: 300_000 }, () => {
  test('takes its first backup by itself, gives one to whoever asks, and a drill reaches no broker', async () => {
    const broker = await brokerThatCounts()
    const place = { DATA_DIR: at('data'), BACKUP_DIR: at('daily'), ...broker.env }
    await seedFolder(at('data'))
    const server = await ServerProcess.start(place)

    const backups = (): string[] => readdirSync(at('daily')).filter((name) => name.startsWith('digger-'))
    await vi.waitFor(() => expect(backups()).toHaveLength(1), WAIT)
    // The drill of the daily one goes on meanwhile: it does not make the server bad.
    const taken = await run('backup', [at('by hand'), '--clean'], place)
    expect(taken).toEqual({ code: 0, output: expect.stringMatching(/^백업했습니다: \S+by hand\/digger-/) })
    expect(taken.output).toContain('마스터 키 파일(MASTER_KEY_FILE)은 들어 있지 않습니다')
    const health = await fetch(`${server.base}/health`)
    expect([health.status, await health.json()]).toMatchObject([200, { ok: true, troubles: [] }])
    expect(await server.stop()).toBe(0)

    const before = broker.count()
    const drilled = await run('backup', ['--drill'], place)
    expect(drilled).toMatchObject({ code: 0, output: expect.stringMatching(/되살려 보았습니다/) })
    expect(drilled.output).toMatch(/표 \d+개의 줄 수와 내용이 백업과 같습니다/)
    expect(backups()).toHaveLength(2)
    const empty = await testPlace({ empty: true })
    const there = { ...place, DATA_DIR: empty.config.DATA_DIR }
    expect(await run('restore', [join(at('daily'), backups()[0] ?? '')], there)).toEqual({
      code: 0,
      output: expect.stringMatching(/서버 전체가 멈춘 채로 켜집니다/),
    })
    expect(broker.count()).toBe(before)
    broker.close()
    await empty[Symbol.asyncDispose]()
  })
})

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

  test.each<[Tool, RegExp]>([
    ['backup', /^쓰는 법: npm run backup/],
    ['restore', /^쓰는 법: npm run restore/],
    ['drill', /^쓰는 법: npm run drill/],
  ])('npm run %s ends with one, and nothing else', async (name, message) => {
    expect(await run(name, name === 'drill' ? ['--what'] : [], {})).toEqual({
      code: 1,
      output: expect.stringMatching(message),
    })
  })

  test('where a backup goes: as it was said, else where the daily ones are', () => {
    expect(askedOf(['/a', '--drill'], { BACKUP_DIR: '/b' })).toEqual({ into: '/a', drill: true, clean: false })
    expect(askedOf(['--clean'], { BACKUP_DIR: '/b' })).toEqual({ into: '/b', drill: false, clean: true })
    expect(() => askedOf(['/a', '/c'], { BACKUP_DIR: undefined })).toThrow(/쓰는 법/)
  })
})
