import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Finding } from '@digger/doctor'
import { kstInstant } from '@digger/core'
import { type StoredToken, UNLIMITED } from '@digger/kis'
import { demoCredentials, startSim, type Sim } from '@digger/kis-sim'
import { doctor, optionsOf } from '../src/doctor/doctor.ts'
import { tokenFindings } from '../src/doctor/examination.ts'

const ME = demoCredentials(0)
const SECRETS = [ME.appKey, ME.appSecret, ME.accountNumber, ME.htsId]

let folder: string
let sim: Sim
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'doctor-'))
  sim = await startSim({
    port: 0,
    latency: 'none',
    limits: 'off',
    clock: { mode: 'manual', start: kstInstant('20261116', '103000') },
    accounts: [{ credentials: ME, cash: 1_000_000 }],
  })
})
afterEach(async () => {
  await sim.close()
  rmSync(folder, { recursive: true })
})

/** As from a terminal, with the keys in the environment; at no pace, for its broker counts nothing. */
async function run(...args: string[]) {
  const [out, err] = [[] as string[], [] as string[]]
  const { appKey, appSecret, accountNumber, htsId } = ME
  const keys = { KIS_APP_KEY: appKey, KIS_APP_SECRET: appSecret, KIS_ACCOUNT: accountNumber, KIS_HTS_ID: htsId }
  const env = { ...keys, DATA_DIR: folder, SIM_PORT: String(sim.port), SIM_HOURS: 'krx' }
  const write = { out: (line: string) => void out.push(line), err: (line: string) => void err.push(line) }
  const parts = { password: () => Promise.reject(new Error('asked')), now: () => sim.clock.now(), pace: UNLIMITED }
  const code = await doctor(args, env, write, parts).catch((error: unknown) => String(error))
  return { code, out: out.join('\n'), err: err.join('\n') }
}

test('it reads, orders nothing, and neither prints nor files a secret', async () => {
  const archive = join(folder, 'replies')
  sim.faults.add({ kind: 'code', code: 'OPSQ2000', endpoint: 'sellable' })
  const { code, out, err } = await run('--token', '--archive', archive)
  expect(out.split('\n').filter((line) => line.startsWith('[다릅니다'))).toEqual([
    '[다릅니다 — 자동매매를 시작하기 전에 확인해 주세요] 1건',
  ])
  expect(out).toContain('매도 가능을(를) 읽지 못했습니다')
  expect(out).toMatch(/ {2}접근 토큰: 가지고 있던 토큰이 없어.*환경변수의 키는 토큰을 남기지 않고/)
  expect(code).toBe(1)

  const calls = [...sim.broker.calls.keys()]
  expect(calls.length).toBeGreaterThan(10)
  expect(calls.filter((name) => ['orderBuy', 'orderSell', 'orderRevise'].includes(name))).toEqual([])
  expect(sim.orders(ME.accountNumber)).toEqual([])

  const files = readdirSync(archive).map((name) => readFileSync(join(archive, name), 'utf8'))
  expect(files.length).toBeGreaterThan(20)
  const text = [out, err, ...files].join('\n')
  expect([...SECRETS, ME.accountNumber.slice(0, 8)].filter((secret) => text.includes(secret))).toEqual([])
})

test('without a token and without --token it asks nothing, and says what asking would mean', async () => {
  const { code } = await run()
  expect(code).toContain('--token')
  expect(code).toContain('알림톡')
  expect([...sim.broker.calls.keys()]).toEqual([])
  expect(sim.issuedKeys().tokens).toEqual([])
})

const findingsOfToken = async (token: boolean, stored: StoredToken | null): Promise<readonly Finding[]> => {
  let kept = stored
  return tokenFindings(
    {
      env: 'real',
      restUrl: sim.url,
      wsUrl: sim.wsUrl,
      keys: {
        credentials: ME,
        load: async () => kept,
        save: async (saved) => {
          kept = saved
        },
      },
      code: '005930',
      hours: 'krx',
      token,
      limits: false,
      listenMs: 0,
      now: () => sim.clock.now(),
      say: () => undefined,
    },
    stored,
  )
}

describe('what is said of the token', () => {
  test('nothing is issued without --token', async () => {
    const now = sim.clock.now()
    const stored = { token: 'kept', issuedAt: now, expiresAt: now + 3_600_000 }
    const findings = await findingsOfToken(false, stored)
    expect(findings.map(({ level, text }) => [level, text])).toEqual([['notTried', expect.stringContaining('--token')]])
    expect(sim.issuedKeys().tokens).toEqual([])
  })

  test('one that is kept is held against another one', async () => {
    const response = await fetch(`${sim.url}/oauth2/tokenP`, {
      method: 'POST',
      body: JSON.stringify({ grant_type: 'client_credentials', appkey: ME.appKey, appsecret: ME.appSecret }),
    })
    const { access_token: token } = z.object({ access_token: z.string() }).parse(await response.json())
    const findings = await findingsOfToken(true, {
      token,
      issuedAt: sim.clock.now(),
      expiresAt: sim.clock.now() + 60_000,
    })
    expect(findings.map(({ level, text }) => [level, text])).toEqual([['ok', expect.stringContaining('같은 토큰')]])
  })
})

describe('the command line', () => {
  test.each([[['--env', 'live']], [['--code', '삼성']], [['--order']], [['now']], [['--compare', 'x', '--token']]])(
    '%j is refused with its usage',
    (args) => {
      expect(() => optionsOf(args)).toThrow('쓰는 법')
    },
  )

  test('what it says nothing of is not done', () => {
    const { flags, archive, compare } = optionsOf([])
    const none = { json: false, token: false, limits: false, socket: false }
    expect([flags, archive, compare]).toEqual([none, undefined, undefined])
    expect(existsSync(join(folder, 'database'))).toBe(false)
  })
})
