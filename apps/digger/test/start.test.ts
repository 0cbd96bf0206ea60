import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lockFolder } from '@digger/database'
import { testPlace } from '@digger/database/testing'
import { reportOf } from '../src/report.ts'
import { verifyAll } from '../src/verify.ts'
import { StartedServer } from './started.ts'

const home = mkdtempSync(join(tmpdir(), 'digger-start-'))
const at = (name: string) => join(home, name)
let taken: Server
let takenPort = ''

beforeAll(async () => {
  taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const address = taken.address()
  takenPort = typeof address === 'object' ? String(address?.port) : ''
  writeFileSync(at('file'), 'not a folder')
  writeFileSync(at('short.key'), Buffer.alloc(16).toString('base64'), { mode: 0o600 })
  writeFileSync(at('candles.csv'), 'day,price\n20260102,1\n')
  mkdirSync(at('broken/database'), { recursive: true })
  writeFileSync(at('broken/database/PG_VERSION'), '9.6\n')
})
afterAll(() => {
  taken.close()
  rmSync(home, { recursive: true, force: true })
})

/** What the program prints when it cannot begin. */
const refusal = async (env: Readonly<Record<string, string | undefined>>): Promise<string> =>
  StartedServer.start({ DATA_DIR: at('data'), ...env }).then(
    async (server) => server.stop().then(() => 'begun'),
    (error: Error) => error.message,
  )

/** Without a broker that answers nothing can be traded. */
const OUTSIDE = { KIS_REST_URL: 'http://127.0.0.1:9', KIS_WS_URL: 'ws://127.0.0.1:9' }

// What each variable may be is asked of the configuration itself, in its own tests.
describe('what keeps the server from starting is said in one line that names it', () => {
  test.each<[string, () => Record<string, string>, RegExp]>([
    [
      'a recording of another kind',
      () => ({ SIM_REPLAY: at('candles.csv') }),
      /^SIM_REPLAY=.*the first line must be date,code/,
    ],
    ['PORT in use', () => ({ PORT: takenPort }), /^PORT=\d+.*다른 프로그램이 쓰고 있습니다/],
    ['SIM_PORT in use', () => ({ SIM_PORT: takenPort }), /^SIM_PORT=\d+.*다른 프로그램이 쓰고 있습니다/],
    ['an address that is not ours', () => ({ HOST: '203.0.113.1' }), /^PORT=0\(203\.0\.113\.1\).*주소가 아닙니다/],
    [
      'a data folder that is a file',
      () => ({ DATA_DIR: at('file') }),
      /^DATA_DIR=.*file에 쓸 수 없습니다: 폴더가 아닙니다/,
    ],
    ['a data folder inside a file', () => ({ DATA_DIR: at('file/data') }), /^DATA_DIR=.*폴더가 아닙니다/],
    [
      'a data folder that is no database',
      () => ({ DATA_DIR: at('broken'), ...OUTSIDE }),
      /broken의 데이터베이스를 열지 못했습니다/,
    ],
    [
      'a database nobody answers at',
      () => ({ DATABASE_URL: `postgres://u:geheim@127.0.0.1:1/d`, KIS_ENV: 'paper' }),
      /^DATABASE_URL\(127\.0\.0\.1:1\/d\)에 연결하지 못했습니다/,
    ],
  ])('%s', async (_name, env, message) => {
    const line = await refusal(env())
    expect(line).toMatch(message)
    expect(line.split('\n')).toHaveLength(1)
    expect(line).not.toContain('geheim')
  })

  test('a key file of the wrong length', async () => {
    await using place = await testPlace()
    expect(await refusal({ ...place.config, MASTER_KEY_FILE: at('short.key'), ...OUTSIDE })).toMatch(
      /^MASTER_KEY_FILE=.*32바이트/,
    )
  })

  test('another server on the same data folder', async () => {
    const folder = at('shared')
    const unlock = await lockFolder(join(folder, 'sim'), 0)
    const line = await refusal({ DATA_DIR: folder })
    await unlock()
    expect(line).toMatch(/shared\/sim 폴더를 다른 Digger가 쓰고 있습니다/)
    // It looked at nothing and made nothing.
    expect(readdirSync(folder)).toEqual(['sim'])
  })

  test('nothing to verify where there is no database', async () => {
    const asked = reportOf({ DATA_DIR: at('nowhere'), DATABASE_URL: undefined }, verifyAll)
    await expect(asked).rejects.toThrow(/^DATA_DIR=.*nowhere에 데이터베이스가 없습니다/)
  })

  /** Of the machine's memory, where there is such a folder. */
  test.runIf(process.platform === 'linux')('a server of real money in a folder that does not last', async () => {
    const DATABASE_URL = 'postgres:///digger?host=/nowhere'
    expect(await refusal({ KIS_ENV: 'real', DATABASE_URL, DATA_DIR: '/dev/shm/digger-of-a-test' })).toMatch(
      /DATA_DIR=\/dev\/shm\/digger-of-a-test: .*\(tmpfs\).*볼륨/,
    )
  })
})
