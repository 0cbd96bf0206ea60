import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { takeBackup, withSource } from '@digger/backup'
import { seedFolder, testPlace } from '@digger/database/testing'
import { demoCredentials, startSim } from '@digger/kis-sim'
import { Browser } from '@digger/server/testing'
import { expect, onTestFinished, test } from 'vitest'
import { run, ServerProcess } from './programs.ts'

/*
 * The programs themselves, on the embedded database that they open by themselves. What they do is asked of their functions, in the
 * tests beside this one; what only shows with many of them is in `*.prove.ts`.
 */

const OWNER = { ...demoCredentials(0), email: 'owner@digger.test', password: '되살려 볼 비밀번호 1' }

test('a server that cannot begin says so in one line and ends with one', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void taken.close())
  await once(taken, 'listening')
  const address = taken.address()
  const port = typeof address === 'object' ? String(address?.port) : ''
  const KIS = { KIS_REST_URL: 'http://127.0.0.1:9', KIS_WS_URL: 'ws://127.0.0.1:9' }
  const DATA_DIR = join(tmpdir(), 'digger-never-made')
  const ends = await Promise.all([
    run('../src/main.ts', [], { DATABASE_URL: 'mysql://u:geheim@h/d' }),
    run('../src/main.ts', [], { DATA_DIR, ...KIS, PORT: port }),
  ])
  expect(ends).toEqual([
    { code: 1, output: expect.stringMatching(/^DATABASE_URL=\(숨김\)(?!.*geheim).*$/) },
    { code: 1, output: expect.stringMatching(/^Digger를 시작합니다.*\nPORT=\d+.*다른 프로그램이 쓰고 있습니다.*$/) },
  ])
  rmSync(DATA_DIR, { recursive: true })
})

test('a server that is killed is there again with its people, ends in order at Ctrl-C, and is put back elsewhere', async () => {
  const home = mkdtempSync(join(tmpdir(), 'digger-life-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  const at = (name: string): string => join(home, name)
  const sim = await startSim({ port: 0, hours: 'always', walk: 'off', limits: 'off', latency: 'none' })
  onTestFinished(() => sim.close())
  await seedFolder(at('data'))
  const env = { DATA_DIR: at('data'), KIS_REST_URL: sim.url, KIS_WS_URL: sim.wsUrl, LOG_LEVEL: 'warn' }

  const killed = await ServerProcess.start(env)
  onTestFinished(async () => void (await killed.stop('SIGKILL')))
  const owner = new Browser(killed.base, OWNER)
  await owner.signUp()
  expect(await killed.stop('SIGKILL')).toBe(null)

  const server = await ServerProcess.start(env)
  onTestFinished(async () => void (await server.stop('SIGKILL')))
  owner.goTo(server.base)
  await owner.logIn()
  // Neither the inspector opens, nor does a Ctrl-C that arrives twice, from the terminal and from npm, cut the end short.
  for (const signal of ['SIGUSR1', 'SIGINT'] as const) server.signal(signal)
  expect(await server.stop('SIGINT')).toBe(0)
  expect(server.output).not.toMatch(/Debugger listening/)
  expect(server.output.match(/멈추는 중입니다/g)).toHaveLength(1)
  // The folder is free and whole at once.
  const { folder } = await withSource({ dataDir: at('data') }, (source) => takeBackup(source, at('backups')))
  await using elsewhere = await testPlace({ empty: true })
  expect(await run('../src/restore.ts', [folder], { ...elsewhere.config })).toEqual({
    code: 0,
    output: expect.stringMatching(/^되살렸습니다.*계좌 1개\)\n모든 계좌의 기록.*\n서버 전체가 멈춘 채로 켜집니다/),
  })
}, 120_000)
