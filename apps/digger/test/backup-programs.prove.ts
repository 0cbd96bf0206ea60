import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { seedFolder, testPlace } from '@digger/database/testing'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { run, ServerProcess } from './programs.ts'

const home = mkdtempSync(join(tmpdir(), 'digger-backup-tools-'))
const at = (name: string) => join(home, name)

afterAll(() => rmSync(home, { recursive: true, force: true }))

const WAIT = { timeout: 120_000, interval: 200 }

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
    const taken = await run('../src/backup.ts', [at('by hand'), '--clean'], place)
    expect(taken).toEqual({ code: 0, output: expect.stringMatching(/^백업했습니다: \S+by hand\/digger-/) })
    expect(taken.output).toContain('마스터 키 파일(MASTER_KEY_FILE)은 들어 있지 않습니다')
    const health = await fetch(`${server.base}/health`)
    expect([health.status, await health.json()]).toMatchObject([200, { ok: true, troubles: [] }])
    expect(await server.stop()).toBe(0)

    const before = broker.count()
    const drilled = await run('../src/backup.ts', ['--drill'], place)
    expect(drilled).toMatchObject({ code: 0, output: expect.stringMatching(/되살려 보았습니다/) })
    expect(drilled.output).toMatch(/표 \d+개의 줄 수와 내용이 백업과 같습니다/)
    expect(backups()).toHaveLength(2)
    const empty = await testPlace({ empty: true })
    const there = { ...place, DATA_DIR: empty.config.DATA_DIR }
    expect(await run('../src/restore.ts', [join(at('daily'), backups()[0] ?? '')], there)).toEqual({
      code: 0,
      output: expect.stringMatching(/서버 전체가 멈춘 채로 켜집니다/),
    })
    expect(broker.count()).toBe(before)
    broker.close()
    await empty[Symbol.asyncDispose]()
  })
})

test.each<[string, RegExp]>([
  ['backup', /^쓰는 법: npm run backup/],
  ['restore', /^쓰는 법: npm run restore/],
  ['drill', /^쓰는 법: npm run drill/],
])('npm run %s ends with one, and nothing else', async (name, message) => {
  expect(await run(`../src/${name}.ts`, name === 'drill' ? ['--what'] : [], {})).toEqual({
    code: 1,
    output: expect.stringMatching(message),
  })
})
