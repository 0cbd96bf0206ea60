import { demoCredentials, startSim, type Sim } from '@digger/kis-sim'
import { HtsIdError, type StoredToken, UNLIMITED } from '@digger/kis'
import { realClock } from '@digger/database'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { Connector } from './connector.ts'

const credentials = demoCredentials(0)

let sim: Sim
let problems: [string | null, string][]
let stored: Map<string, StoredToken>
/** No token can be stored. */
let sealed = false

beforeAll(async () => {
  sim = await startSim({ port: 0, hours: 'always', walk: 'off', limits: 'off', latency: 'none' })
})
afterAll(async () => {
  await sim.close()
})
beforeEach(() => {
  sim.faults.clear()
  sealed = false
  problems = []
  stored = new Map()
})

const newConnector = (): Connector =>
  new Connector({
    env: 'real',
    restUrl: sim.url,
    wsUrl: sim.wsUrl,
    clock: realClock,
    limits: UNLIMITED,
    tokens: {
      load: async (userId, place) => stored.get(`${userId} ${place}`) ?? null,
      save: async (userId, place, token) => {
        if (sealed) throw new Error('the vault is sealed')
        stored.set(`${userId} ${place}`, token)
      },
    },
    problem: (userId, error) => problems.push([userId, error instanceof Error ? error.message : String(error)]),
  })

/** As the broker does for a minute after each one. */
const refuseTokens = (): unknown =>
  sim.faults.add({ kind: 'refuse', code: 'EGW00133', text: '접근토큰 발급 잠시 후 다시 시도하세요', endpoint: 'token' })

/** The deposit, as the broker says it. */
async function balanceOf(connector: Connector, userId: string): Promise<number> {
  const broker = connector.connect(userId, credentials)
  try {
    return (await broker.rest.balance()).depositAmount
  } finally {
    await broker.rest.close()
  }
}

test('credentials that do not belong together are refused with the broker’s message, and leave nothing', async () => {
  const wrong = { ...credentials, appSecret: 'not the secret' }
  await expect(newConnector().check(wrong)).rejects.toThrow(/./)
  expect([...stored]).toEqual([])
})

test('an HTS ID that the broker does not know is refused before there is a user, and the key is free afterwards', async () => {
  const connector = newConnector()
  await expect(connector.check({ ...credentials, htsId: 'nobody' })).rejects.toThrow(HtsIdError)
  expect(await connector.check(credentials)).toBe(true)
  const { rest, socket } = connector.connect('first', credentials)
  await socket.connect()
  // While another connection has the key nobody learns whether the HTS ID is right.
  expect(await connector.check(credentials)).toBe(false)
  await socket.close()
  await rest.close()
})

test('the token of credentials just tried is the one of the user who follows, and outlives a restart', async () => {
  const connector = newConnector()
  await connector.check(credentials)
  expect([...stored]).toEqual([])
  // The broker would refuse a second one within the minute.
  refuseTokens()
  expect(await balanceOf(connector, 'first')).toBeGreaterThan(0)
  expect(await balanceOf(newConnector(), 'first')).toBeGreaterThan(0)
  expect([...stored.keys()]).toEqual(['first real'])
  expect(problems).toEqual([])
})

test('a token that was dropped after the sign-up is not handed over again: a new log-in gets a new one', async () => {
  const connector = newConnector()
  await connector.check(credentials)
  await balanceOf(connector, 'first')
  const before = stored.get('first real')
  stored.clear()
  refuseTokens()
  await expect(balanceOf(connector, 'first')).rejects.toThrow(/접근토큰/)
  expect([before !== undefined, stored.size]).toEqual([true, 0])
})

test('a token that cannot be stored is used all the same, and the problem is reported', async () => {
  const connector = newConnector()
  await connector.check(credentials)
  refuseTokens()
  sealed = true
  expect(await balanceOf(connector, 'second')).toBeGreaterThan(0)
  expect(problems).toEqual([['second', 'the vault is sealed']])
})

test('a user without tried credentials gets a token of their own, which is stored for them alone', async () => {
  await balanceOf(newConnector(), 'third')
  expect([...stored.keys()]).toEqual(['third real'])
  refuseTokens()
  await expect(balanceOf(newConnector(), 'fourth')).rejects.toThrow(/접근토큰/)
  expect(await balanceOf(newConnector(), 'third')).toBeGreaterThan(0)
})
