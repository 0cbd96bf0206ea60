import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lockFolder } from '@digger/database'

const MAIN = join(import.meta.dirname, '../src/main.ts')
const VERIFY = join(import.meta.dirname, '../src/verify.ts')
const { PATH, NODE_COMPILE_CACHE } = process.env

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

interface End {
  readonly code: number | null
  readonly output: string
}

/** The real process, from a place of its own. Without a broker that answers nothing can be traded. */
async function start(env: Readonly<Record<string, string>>, script = MAIN): Promise<End> {
  const child = spawn(process.execPath, ['--no-warnings', script], {
    env: { PATH, NODE_COMPILE_CACHE, DATA_DIR: at('data'), PORT: '0', SIM_PORT: '0', LOG_LEVEL: 'fatal', ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let output = ''
  child.stderr.on('data', (part: Buffer) => (output += part.toString()))
  // Not at its exit: what it printed last may still be on the way then.
  const [code]: (number | null)[] = await once(child, 'close')
  return { code: code ?? null, output: output.trim() }
}

const OUTSIDE = { KIS_REST_URL: 'http://127.0.0.1:9', KIS_WS_URL: 'ws://127.0.0.1:9' }

// What each variable may be is asked of the configuration itself, in its own tests.
// Five programs at a time: some seconds each on a free machine, twenty where others are at work, too.
describe('what keeps the server from starting is printed in one line that names it', { timeout: 120_000 }, () => {
  test.concurrent.each<[string, () => Record<string, string>, RegExp]>([
    ['a port that is no number', () => ({ PORT: 'eight' }), /^PORT=eight .*0–65535/],
    ['half of an outside exchange', () => ({ KIS_REST_URL: 'http://127.0.0.1:9' }), /KIS_REST_URL과 KIS_WS_URL을 함께/],
    ['a database address of another kind', () => ({ DATABASE_URL: 'mysql://u:geheim@h/d' }), /^DATABASE_URL=\(숨김\)/],
    ['real money without PostgreSQL', () => ({ KIS_ENV: 'real' }), /KIS_ENV=real.*DATABASE_URL/],
    ['a key file that is not there', () => ({ MASTER_KEY_FILE: at('none.key') }), /^MASTER_KEY_FILE=.*none\.key/],
    ['a recording that is not there', () => ({ SIM_REPLAY: at('none.csv') }), /^SIM_REPLAY=.*none\.csv/],
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
      'a key file of the wrong length',
      () => ({ DATA_DIR: at('short'), MASTER_KEY_FILE: at('short.key'), ...OUTSIDE }),
      /^MASTER_KEY_FILE=.*32바이트/,
    ],
    [
      'a database nobody answers at',
      () => ({ DATABASE_URL: `postgres://u:geheim@127.0.0.1:1/d`, KIS_ENV: 'paper' }),
      /^DATABASE_URL\(127\.0\.0\.1:1\/d\)에 연결하지 못했습니다/,
    ],
  ])('%s', async (_name, env, message) => {
    const { code, output } = await start(env())
    expect(output).toMatch(message)
    expect(output.split('\n')).toHaveLength(1)
    expect(output).not.toContain('geheim')
    expect(code).toBe(1)
  })

  test.concurrent('another server on the same data folder', async () => {
    const folder = at('shared')
    const unlock = await lockFolder(join(folder, 'sim'), 0)
    const { code, output } = await start({ DATA_DIR: folder })
    await unlock()
    expect([code, output]).toEqual([1, expect.stringMatching(/shared\/sim 폴더를 다른 Digger가 쓰고 있습니다/)])
    // It looked at nothing and made nothing.
    expect(readdirSync(folder)).toEqual(['sim'])
  })

  test.concurrent('nothing to verify where there is no database', async () => {
    const { code, output } = await start({ DATA_DIR: at('nowhere') }, VERIFY)
    expect([code, output]).toEqual([1, expect.stringMatching(/^DATA_DIR=.*nowhere에 데이터베이스가 없습니다/)])
  })
})

describe.skipIf(process.platform === 'win32')('SIGUSR1', () => {
  test('opens no inspector, however the server was started', async () => {
    const child = spawn(process.execPath, ['--no-warnings', MAIN], {
      env: { PATH, NODE_COMPILE_CACHE, DATA_DIR: at('inspected'), PORT: '0', LOG_LEVEL: 'warn', ...OUTSIDE },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (output += part.toString()))
    while (!output.includes('에서 열립니다')) await once(child.stdout, 'data')
    child.kill('SIGUSR1')
    // Whatever the first signal began is printed before the server has ended in order.
    child.kill('SIGTERM')
    await once(child, 'close')
    expect(output).toContain('멈추는 중입니다')
    expect(output).not.toMatch(/Debugger listening/)
  }, 120_000)
})

describe('the end', () => {
  test('one Ctrl-C that arrives twice ends the server in order, once', async () => {
    const child = spawn(process.execPath, ['--no-warnings', MAIN], {
      env: { PATH, NODE_COMPILE_CACHE, DATA_DIR: at('twice'), PORT: '0', LOG_LEVEL: 'warn', ...OUTSIDE },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    const listening = new Promise<void>((resolve) => {
      child.stdout.on('data', (part: Buffer) => {
        output += part.toString()
        if (output.includes('에서 열립니다')) resolve()
      })
    })
    await listening
    child.kill('SIGINT')
    child.kill('SIGINT')
    const [code]: (number | null)[] = await once(child, 'close')
    expect(code).toBe(0)
    expect(output.match(/멈추는 중입니다/g)).toHaveLength(1)
    // The folder is free and whole at once.
    const { code: verified, output: complaint } = await start({ DATA_DIR: at('twice') }, VERIFY)
    expect([verified, complaint]).toEqual([0, ''])
  }, 120_000)
})
