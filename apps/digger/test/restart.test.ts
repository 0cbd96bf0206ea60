import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { demoCredentials, type Sim, startSim } from '@digger/kis-sim'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type TestPlace, testPlace } from '@digger/database/testing'
import { SETTINGS } from '@digger/engine/testing'
import { Browser } from '@digger/server/testing'
import { operate } from './operator.ts'
import { StartedServer } from './started.ts'

const CODE = '005930'
const OWNER = { ...demoCredentials(0), email: 'owner@digger.test', password: '열쇠 없는 비밀번호 1' }
const ADMIN = { ...demoCredentials(1), email: 'boss@digger.test', password: '열쇠 없는 비밀번호 2' }

let sim: Sim
let place: TestPlace
let server: StartedServer | null = null
let price = 157_000
const owner = new Browser('', OWNER)
const admin = new Browser('', ADMIN)

beforeAll(async () => {
  sim = await startSim({ port: 0, hours: 'always', walk: 'off', limits: 'off', latency: 'none' })
  place = await testPlace()
})
afterAll(async () => {
  await end()
  await place[Symbol.asyncDispose]()
  await sim.close()
})

const env = () => ({ ...place.config, KIS_REST_URL: sim.url, KIS_WS_URL: sim.wsUrl })

async function start(): Promise<void> {
  server = await StartedServer.start(env())
  for (const person of [owner, admin]) person.goTo(server.base)
}

async function end(): Promise<void> {
  await server?.stop()
  server = null
}

/** `forgetful`: the operator's key file is gone, so that no master key opens anything. */
async function restart(forgetful: 'forgetful' | 'with its key file'): Promise<void> {
  await end()
  if (forgetful === 'forgetful') rmSync(join(place.config.DATA_DIR, 'demo-master.key'))
  await start()
}

const buys = (): number => sim.orders(OWNER.accountNumber).filter(({ side }) => side === 'buy').length

/** The price falls and stays down: how often an account bought by then, once is right. */
async function boughtInFall(): Promise<number> {
  const before = buys()
  price -= 3_000
  await vi.waitFor(
    () => {
      sim.setPrice(CODE, price)
      if (buys() === before) throw new Error('nothing bought')
    },
    { timeout: 30_000, interval: 250 },
  )
  return buys() - before
}

/** The same where nobody should buy: nothing to wait for but time, of which an account with its key needs a part. */
async function boughtWithoutKey(): Promise<number> {
  const before = buys()
  for (let times = 0; times < 4; times++) {
    sim.setPrice(CODE, price - 6_000)
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
  sim.setPrice(CODE, price)
  return buys() - before
}

const code = ({ text }: { text: string }): string | undefined => /"code":"([A-Z_]+)"/.exec(text)?.[1]

/** What the owner gets as answers without a key. What needs no broker goes on. */
async function answers(): Promise<unknown[]> {
  return [
    code(await owner.ask('GET', '/api/user/kis/balance')),
    code(await owner.ask('POST', `/api/user/stock/${CODE}/sell`)),
    /"userKey":(\w+)/.exec((await owner.ask('GET', '/api/user/user')).text)?.[1],
    (await owner.ask('GET', '/api/user/stock')).status,
  ]
}
const WITHOUT_KEY = ['NEED_USERKEY', 'NEED_USERKEY', 'false', 200]

test('the command line makes an administrator while the server is off', async () => {
  await start()
  for (const person of [owner, admin]) await person.signUp()
  await end()
  const granted = await operate(env(), 'grant', ADMIN.email)
  expect([granted.code, granted.output]).toEqual([0, expect.stringContaining('관리자로 만들었습니다')])
  await start()
  for (const person of [owner, admin]) await person.logIn()
})

test('an account with its key buys', async () => {
  sim.setPrice(CODE, price)
  const settings = { ...SETTINGS, lastBuyPrice: null, maxBuyPrice: 160_000, buyUnitPrice: 200_000, sellPercent: 50 }
  const owners = /"userId":"([^"]+)"/.exec((await owner.ask('GET', '/api/user/user')).text)?.[1] ?? ''
  expect((await admin.ask('POST', `/api/${owners}/stock/${CODE}`, settings)).status).toBe(200)
  expect(await boughtInFall()).toBe(1)
})

test('after a restart with the master key it goes on by itself', async () => {
  await restart('with its key file')
  expect(await boughtInFall()).toBe(1)
})

test('after a restart without it nothing is bought and the broker is out of reach, until the user logs in', async () => {
  await restart('forgetful')
  expect([await boughtWithoutKey(), await answers()]).toEqual([0, WITHOUT_KEY])
  await owner.logIn()
  expect(await boughtInFall()).toBe(1)
})

test('or until an administrator opens the keys of everyone', async () => {
  await restart('forgetful')
  expect([await boughtWithoutKey(), await answers()]).toEqual([0, WITHOUT_KEY])
  await admin.logIn()
  const { text } = await admin.ask('GET', '/api/admin/8017/user')
  const users: { userId: string; email: string }[] = JSON.parse(text.slice(text.indexOf('\n')))
  for (const { userId, email } of users) {
    const body = { email, password: ADMIN.password }
    expect((await admin.ask('POST', `/api/admin/8017/user/${userId}/userKey`, body)).status).toBe(200)
  }
  expect(await boughtInFall()).toBe(1)
})
