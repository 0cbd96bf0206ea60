import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { KEY_HEADER } from '@digger/contract'
import { type TestPlace, testPlace } from '@digger/database/testing'
import { SETTINGS } from '@digger/engine/testing'
import { demoCredentials, startSim, type Sim } from '@digger/kis-sim'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { writeMasterKey } from './master-key-file.ts'

const CODE = '005930'
const PERSON = { email: 'minji@example.com', password: '열려라참깨1234' }
const CREDENTIALS = demoCredentials(0)
const SOON = { timeout: 100_000, interval: 50 }

let place: TestPlace
let master: ReturnType<typeof writeMasterKey>
let sim: Sim
let child: ChildProcess
let origin = ''
let cookie = ''

beforeAll(async () => {
  place = await testPlace()
  master = writeMasterKey()
  const accounts = [{ credentials: CREDENTIALS, cash: 100_000_000 }]
  const time = {
    hours: 'always',
    clock: { mode: 'real', speed: 1 },
    walk: 'off',
    latency: 'none',
    limits: 'off',
  } as const
  sim = await startSim({ port: 0, accounts, ...time })
})
afterAll(async () => {
  child.kill('SIGKILL')
  await sim.close()
  master.remove()
  await place[Symbol.asyncDispose]()
})

async function start(): Promise<void> {
  const program = fileURLToPath(new URL('killed-server.ts', import.meta.url))
  const { DATA_DIR, DATABASE_URL = '' } = place.config
  child = spawn(process.execPath, [program, DATA_DIR, DATABASE_URL, master.file, sim.url, sim.wsUrl], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  origin = await outputLine()
}
async function outputLine(): Promise<string> {
  if (child.stdout === null) throw new Error('no output')
  const [data] = await once(child.stdout, 'data')
  return String(data).trim()
}
async function kill(): Promise<void> {
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}
const post = (path: string, body: object, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${origin}${path}`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', cookie, ...headers },
  })
const orders = (): number => sim.orders(CREDENTIALS.accountNumber).length

test('a press that is repeated after kill -9 and a new start is one order', async () => {
  await start()
  await post('/api/user/user', { ...PERSON, ...CREDENTIALS })
  // An administrator may buy by hand.
  child.stdin?.write(`${PERSON.email}\n`)
  expect(await outputLine()).toBe('true')
  const entered = await post('/api/login', PERSON)
  cookie = entered.headers
    .getSetCookie()
    .flatMap((line) => line.split(';')[0] ?? [])
    .join('; ')
  const settings = { ...SETTINGS, autoBuy: false, autoSell: false, maxBuyPrice: null }
  await vi.waitFor(async () => expect((await post(`/api/user/stock/${CODE}`, settings)).status).toBe(200), SOON)
  const press = () => post(`/api/user/stock/${CODE}/order/buy`, { amount: 100 }, { [KEY_HEADER]: 'press-0123456789' })
  // A price comes first.
  const killed = new AbortController()
  const isDone = async (): Promise<boolean> => {
    const reply = await press().catch(() => null)
    return reply?.ok === true
  }
  const pressing = (async () => {
    while (!killed.signal.aborted && !(await isDone())) await delay(200)
  })()
  await vi.waitFor(() => expect(orders()).toBe(1), SOON)
  killed.abort()
  await kill()
  await pressing
  await start()
  const again = await press()
  // Done, or with an order whose outcome the broker's list is asked for; never a second one.
  const text = await again.text()
  expect(again.ok || text.includes('확인하고 있습니다') ? '' : text).toBe('')
  await vi.waitFor(async () => expect((await press()).status).toBe(200), SOON)
  expect(orders()).toBe(1)
}, 240_000)
