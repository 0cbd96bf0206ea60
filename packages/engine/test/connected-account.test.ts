import { kstInstant } from '@digger/core'
import { type TestDatabase, testDatabase } from '@digger/database/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { CODE, CREDENTIALS, EngineFixture, turn } from './engine-fixture.ts'

let database: TestDatabase
let fixture: EngineFixture

beforeAll(async () => {
  database = await testDatabase()
})
afterAll(async () => {
  await database[Symbol.asyncDispose]()
})
beforeEach(async () => {
  fixture = await EngineFixture.open(database)
})
afterEach(async () => {
  await fixture.close()
})

const vitals = () => fixture.engine.health.vitals()
const connected = () => fixture.engine.socket(fixture.userId).connected

test('a key that is opened connects, compares and arms; taken away, it closes both wires', async () => {
  const broker = await fixture.unlock()
  expect(vitals()).toMatchObject({ opened: 1, authorised: 1, armed: 1, troubles: [] })
  expect(fixture.engine.health.armed).toEqual({ opened: 1, armed: 1 })
  expect(fixture.engine.health.armedUsers()).toEqual([fixture.userId])
  expect([connected(), fixture.engine.unlocked(fixture.userId)]).toEqual([true, true])
  await fixture.engine.lock(fixture.userId)
  await fixture.second()
  expect([broker.socket.state, broker.closed]).toEqual(['disconnected', 1])
  expect(vitals()).toMatchObject({ opened: 0, authorised: 0, armed: 0 })
  expect(fixture.engine.health.armed).toEqual({ opened: 0, armed: 0 })
  expect(fixture.engine.health.armedUsers()).toEqual([])
  expect(() => fixture.engine.kis(fixture.userId)).toThrow(/키가 없습니다/)
  // Closed by us: no trouble to report.
  expect(fixture.problems).toEqual([])
  expect(fixture.seen).toEqual(['socket true true', 'socket true false'])
})

test('before the first session of a trading day the socket takes a fresh approval key, once, and that is no trouble', async () => {
  const own = await EngineFixture.open(database, 'krx')
  try {
    const { socket } = await own.unlock()
    const at = async (day: string, time: string): Promise<number> => {
      own.clock.advance(kstInstant(day, time) - own.clock.now() - 1_000)
      await own.second()
      return socket.renewals
    }
    // Tuesday: the venues open at 08:00, and each account has a minute of its own from 07:20 to 07:49.
    expect([await at('20260106', '071900'), await at('20260106', '075000'), await at('20260106', '075500')]).toEqual([
      0, 1, 1,
    ])
    expect(own.problems.filter((text) => text.includes('socket'))).toEqual([])
    expect(own.seen.slice(-2)).toEqual(['socket true false', 'socket true true'])
    expect(own.engine.health.vitals()).toMatchObject({ armed: 1 })
    // A server that slept through it leaves it; a day without trading has none.
    expect([await at('20260107', '080000'), await at('20260110', '075000'), await at('20260112', '075000')]).toEqual([
      1, 1, 2,
    ])
  } finally {
    await own.close()
  }
})

test('a key that is opened twice makes one broker', async () => {
  await Promise.all([
    fixture.engine.unlock(fixture.userId, CREDENTIALS),
    fixture.engine.unlock(fixture.userId, CREDENTIALS),
  ])
  await fixture.unlock()
  expect(fixture.brokers).toHaveLength(1)
})

test('a price below the next buy becomes one order; an expected price of an auction becomes none', async () => {
  const { socket, sent } = await fixture.unlock()
  await fixture.watch()
  expect(socket.wanted.at(-1)).toEqual([CODE])
  socket.tick(CODE, 69_300, false)
  await fixture.idle()
  expect(fixture.engine.lastPrice(CODE)?.price).toBe(71_000)
  for (let n = 0; n < 3; n += 1) {
    socket.tick(CODE, 69_300)
    await fixture.idle()
  }
  expect(sent).toMatchObject([{ code: CODE, side: 'buy', price: 69_300, count: 2 }])
  expect(fixture.orders).toMatchObject([{ status: 'open', odno: '0000000001' }])
})

test('after the socket was away the first price only re-bases, and the account compares anew before it buys', async () => {
  const { socket, sent } = await fixture.unlock()
  await fixture.watch()
  socket.tick(CODE, 71_000)
  const before = vitals().listsRead
  socket.turn('disconnected', 'the line was cut')
  expect(fixture.problems).toEqual(['socket: the line was cut'])
  expect(connected()).toBe(false)
  socket.turn('connecting')
  socket.turn('connected')
  expect(connected()).toBe(true)
  await fixture.idle()
  socket.tick(CODE, 69_300)
  await fixture.idle()
  expect(sent).toEqual([])
  for (let n = 0; n < 3; n += 1) {
    await fixture.second()
    socket.tick(CODE, 69_300)
    await fixture.idle()
  }
  expect(sent).toHaveLength(1)
  expect(vitals().listsRead).toBeGreaterThan(before)
})

test('when the clock was set no price from before counts, and the account compares anew', async () => {
  const { socket, sent } = await fixture.unlock()
  await fixture.watch()
  socket.tick(CODE, 71_000)
  const before = vitals().listsRead
  fixture.clock.set(3_600_000)
  socket.tick(CODE, 69_300)
  await fixture.idle()
  expect(sent).toEqual([])
  await fixture.second()
  expect(vitals().listsRead).toBeGreaterThan(before)
})

test('an order on its way when the key is taken away is known when its receipt comes, and not sent again', async () => {
  const broker = await fixture.unlock()
  await fixture.watch()
  const receipt = Promise.withResolvers<void>()
  broker.receipt = receipt.promise
  for (const price of [71_000, 69_300]) broker.socket.tick(CODE, price)
  await expect.poll(() => broker.sent.length).toBe(1)
  await fixture.engine.lock(fixture.userId)
  const next = fixture.prepare()
  await fixture.engine.unlock(fixture.userId, CREDENTIALS)
  await turn()
  for (const price of [69_300, 69_300, 69_300]) next.socket.tick(CODE, price)
  receipt.resolve()
  await fixture.second()
  expect([broker.sent.length, next.sent.length]).toEqual([1, 0])
  expect(fixture.orders).toMatchObject([{ status: 'open', odno: '0000000001' }])
})

test('a key that is taken away and given while its socket still connects belongs to the new broker only', async () => {
  const first = fixture.prepare()
  const line = Promise.withResolvers<void>()
  first.socket.connecting = line.promise
  await fixture.engine.unlock(fixture.userId, CREDENTIALS)
  await fixture.engine.lock(fixture.userId)
  const second = fixture.prepare()
  const otherLine = Promise.withResolvers<void>()
  second.socket.connecting = otherLine.promise
  await fixture.engine.unlock(fixture.userId, CREDENTIALS)
  line.reject(new Error('closed by us'))
  await turn()
  // The second one still connects: nothing is over, nothing is reported, nobody may trade.
  expect(fixture.engine.activity.busy).toBe(true)
  expect([fixture.problems, vitals().authorised]).toEqual([[], 0])
  otherLine.resolve()
  await fixture.second()
  expect(vitals()).toMatchObject({ authorised: 1, armed: 1 })
  expect([first.closed, second.closed, connected()]).toEqual([1, 0, true])
})

test('a new socket that fails while the old one still closes is reported', async () => {
  const first = await fixture.unlock()
  const closed = Promise.withResolvers<void>()
  first.socket.closing = closed.promise
  const locked = fixture.engine.lock(fixture.userId)
  const second = await fixture.unlock()
  second.socket.turn('disconnected', 'the key is in use')
  expect(fixture.problems).toEqual(['socket: the key is in use'])
  closed.resolve()
  await locked
})

test('an account without a socket trades all the same, after two seconds at most', { timeout: 20_000 }, async () => {
  const broker = fixture.prepare()
  broker.socket.connecting = new Promise(() => undefined)
  await fixture.engine.unlock(fixture.userId, CREDENTIALS)
  await expect.poll(() => vitals().authorised, { timeout: 5_000 }).toBe(1)
  await fixture.second()
  expect(vitals().armed).toBe(1)
})

test('a socket that cannot be had is reported, and the account armed without it', async () => {
  const broker = fixture.prepare()
  broker.socket.connecting = Promise.reject(new Error('wrong id'))
  await fixture.unlock()
  expect(fixture.problems).toEqual(['wrong id'])
  expect(vitals()).toMatchObject({ authorised: 1, armed: 1 })
  await expect(fixture.engine.connect(fixture.userId)).rejects.toThrow('wrong id')
})

test('a notice hastens the reading of the list, and is shown with its time', async () => {
  const { socket } = await fixture.unlock()
  await fixture.watch()
  const before = vitals().listsRead
  fixture.clock.advance(500)
  socket.notice('0000000001', 'filled', 1)
  expect(fixture.engine.socket(fixture.userId).orderedAt).toBe(fixture.clock.now())
  await fixture.idle()
  expect(vitals().listsRead).toBe(before + 1)
})

test('what the socket carries is shown with its names and last prices', async () => {
  const { socket } = await fixture.unlock()
  await fixture.watch()
  socket.watched.add(CODE).add('000660')
  socket.tick(CODE, 71_000)
  expect(fixture.engine.socket(fixture.userId)).toMatchObject({
    connected: true,
    updatedAt: fixture.clock.now(),
    disconnectedAt: null,
    stocks: [
      { code: '000660', name: '000660', updatedAt: null },
      { code: CODE, name: '삼성전자', updatedAt: fixture.clock.now() },
    ],
  })
  await fixture.engine.disconnect(fixture.userId)
  expect(fixture.engine.socket(fixture.userId)).toMatchObject({ connected: false, disconnectedAt: fixture.clock.now() })
  expect([fixture.problems, fixture.engine.unlocked(fixture.userId)]).toEqual([[], true])
  await fixture.engine.connect(fixture.userId)
  expect(connected()).toBe(true)
})

const troubles = () => vitals().troubles.map(({ code }) => code)
/** By the process' own clock, where a test holds it. */
async function minutes(count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    vi.advanceTimersByTime(60_000)
    await fixture.second()
  }
}

describe('a socket that is gone', () => {
  // Ages go by the process' own clock, which only `minutes` moves.
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
  afterEach(() => void vi.useRealTimers())

  test('is a trouble after five minutes, with words about what to do, until it is there again', async () => {
    const { socket } = await fixture.unlock()
    await fixture.watch()
    socket.turn('disconnected', 'HTS ID가 올바르지 않습니다.')
    await fixture.second()
    await minutes(5)
    expect(troubles()).toEqual([])
    await minutes(1)
    expect(vitals().troubles).toEqual([
      { code: 'prices', accounts: 1, text: expect.stringMatching(/HTS ID.*확인해 주세요\.$/) },
    ])
    // Tried again without success, it is as gone as before.
    socket.turn('connecting')
    await minutes(1)
    expect(troubles()).toEqual(['prices'])
    socket.turn('connected')
    await fixture.second()
    expect(troubles()).toEqual([])
  })

  test('is none where a person closed it, or the key', async () => {
    await fixture.unlock()
    await fixture.engine.disconnect(fixture.userId)
    await minutes(10)
    expect(troubles()).toEqual([])
    await fixture.engine.lock(fixture.userId)
    await minutes(10)
    expect(troubles()).toEqual([])
  })

  test('is none while the broker is down: that is told by itself', async () => {
    const broker = await fixture.unlock()
    broker.socket.turn('disconnected')
    broker.listFails = true
    fixture.clock.advance(20 * 60_000)
    await minutes(10)
    expect([fixture.engine.health.broker, troubles()]).toEqual(['down', []])
  })

  test('is none at night; the five minutes begin with the exchange', async () => {
    await fixture.close()
    fixture = await EngineFixture.open(database, 'krx')
    const { socket } = await fixture.unlock()
    fixture.clock.advance(11 * 3_600_000)
    socket.turn('disconnected')
    await minutes(60)
    expect(troubles()).not.toContain('prices')
    // Eight in the morning: the first exchange opens.
    fixture.clock.advance(11 * 3_600_000)
    await minutes(5)
    expect(troubles()).not.toContain('prices')
    await minutes(2)
    expect(troubles()).toContain('prices')
  })
})
