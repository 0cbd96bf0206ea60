import { OutcomeUnknown } from '@digger/contract'
import { type TestDatabase, testDatabase } from '@digger/database/testing'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { CODE, CREDENTIALS, EngineFixture, newUserId, turn } from './engine-fixture.ts'

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

const breakSettings = () => fixture.database.pool.query('alter table server_setting rename to server_setting_away')
const mendSettings = () => fixture.database.pool.query('alter table server_setting_away rename to server_setting')

test('an unknown user has no account, and no key', async () => {
  const { engine } = fixture
  for (const ask of [() => engine.book('nobody'), () => engine.socket('nobody'), () => engine.outlook('nobody', CODE)])
    expect(ask).toThrow(expect.objectContaining({ code: 'NOT_FOUND' }))
  await expect(engine.ask('nobody', { kind: 'cancelOrders', code: null })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await expect(engine.lock('nobody')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect([engine.unlocked('nobody'), engine.activity.frames('nobody'), engine.activity.unanswered('nobody')]).toEqual([
    false,
    0,
    0,
  ])
})

test('an account opened twice at once is loaded once, and one whose loading failed is loaded again', async () => {
  const { engine } = fixture
  const other = newUserId()
  // No user of that name is in the tables.
  const both = await Promise.allSettled([engine.open(other), engine.open(other)])
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(() => engine.book(other)).toThrow(/없습니다/)
  await fixture.addUser(other)
  await Promise.all([engine.open(other), engine.open(other), engine.open(other)])
  const book = engine.book(other)
  await engine.open(other)
  expect(engine.book(other)).toBe(book)
  const { rows } = await fixture.database.pool.query('select 1 from journal where user_id = $1', [other])
  expect(rows).toHaveLength(1)
})

test('what needs the broker is refused without a key, and settings and stops are not', async () => {
  const { engine } = fixture
  for (const kind of ['sellAtMarket', 'sellStock', 'applyOrder'] as const)
    await expect(engine.ask(fixture.userId, { kind, code: CODE })).rejects.toMatchObject({ code: 'NEED_USERKEY' })
  for (const kind of ['checkBalance', 'fixBalance', 'cancelOrders'] as const)
    await expect(engine.ask(fixture.userId, { kind, code: null })).rejects.toMatchObject({ code: 'NEED_USERKEY' })
  await fixture.watch()
  await engine.ask(fixture.userId, { kind: 'setStop', level: 'user', code: null, stop: 'reduce' })
  expect(engine.book(fixture.userId).stop).toBe('reduce')
})

test('a person who asks while the key is being opened waits until the account has it', async () => {
  await fixture.watch()
  const broker = fixture.prepare()
  const line = Promise.withResolvers<void>()
  broker.socket.connecting = line.promise
  await fixture.engine.unlock(fixture.userId, CREDENTIALS)
  let answered = false
  const asked = fixture.engine.ask(fixture.userId, { kind: 'checkBalance', code: null }).then(() => (answered = true))
  await turn()
  expect([answered, fixture.engine.activity.busy]).toEqual([false, true])
  line.resolve()
  await asked
  expect(answered).toBe(true)
})

test('a check that the broker fails to answer is refused as such, and the account goes on', async () => {
  const broker = await fixture.unlock()
  broker.listFails = true
  const check = fixture.engine.ask(fixture.userId, { kind: 'checkBalance', code: null })
  await expect(check).rejects.toMatchObject({ code: 'BROKER_UNREACHABLE' })
  broker.listFails = false
  expect((await fixture.engine.ask(fixture.userId, { kind: 'checkBalance', code: null })).differences).toEqual([])
})

test('a check that the broker answers late is refused in time, and nothing comes of it', async () => {
  const broker = await fixture.unlock()
  const line = Promise.withResolvers<void>()
  broker.list = line.promise
  const check = fixture.engine.ask(fixture.userId, { kind: 'fixBalance', code: null })
  const before = fixture.engine.book(fixture.userId)
  await turn()
  fixture.clock.advance(35_000)
  await expect(check).rejects.toThrow(/응답이 늦어/)
  line.resolve()
  await fixture.idle()
  expect(fixture.engine.book(fixture.userId)).toBe(before)
})

test('what is not decided in time goes on, and is said to be open', async () => {
  const line = Promise.withResolvers<void>()
  const answerLate = (): unknown => line.promise
  const query = vi.spyOn(fixture.database.pool, 'query').mockImplementationOnce(answerLate)
  const stop = fixture.engine.ask(fixture.userId, { kind: 'setStop', level: 'user', code: null, stop: 'halt' })
  await turn()
  fixture.clock.advance(35_000)
  await expect(stop).rejects.toBeInstanceOf(OutcomeUnknown)
  line.resolve()
  await fixture.idle()
  query.mockRestore()
  expect(fixture.engine.book(fixture.userId).stop).toBe('halt')
})

test('a stop of the server holds in the turn in which it is set, and over a restart', async () => {
  const { engine } = fixture
  const set = engine.setServerStop('halt')
  expect([engine.serverStop(), fixture.seen]).toEqual(['halt', ['stop halt']])
  await set
  await engine.start()
  expect(engine.serverStop()).toBe('halt')
  await engine.setServerStop('active')
  expect([engine.serverStop(), fixture.seen.at(-1)]).toEqual(['active', 'stop active'])
})

test('a stop that cannot be written holds all the same', async () => {
  await breakSettings()
  await expect(fixture.engine.setServerStop('halt')).rejects.toThrow(/server_setting/)
  await mendSettings()
  expect(fixture.engine.serverStop()).toBe('halt')
})

test('letting go of a stop that cannot be written sets nothing free', async () => {
  const { engine } = fixture
  await engine.setServerStop('halt')
  await breakSettings()
  for (const stop of ['reduce', 'active'] as const)
    await expect(engine.setServerStop(stop)).rejects.toThrow(/server_setting/)
  await mendSettings()
  expect([engine.serverStop(), fixture.seen]).toEqual(['halt', ['stop halt']])
})

test('of two stops set at once the later holds, in memory and in the tables', async () => {
  const { engine } = fixture
  await engine.setServerStop('reduce')
  for (const [first, second] of [
    ['active', 'halt'],
    ['halt', 'active'],
    ['reduce', 'active'],
  ] as const) {
    const both = [engine.setServerStop(first), engine.setServerStop(second)]
    await Promise.all(both)
    expect(engine.serverStop()).toBe(second)
    const row = await fixture.database.db.selectFrom('server_setting').select('value').executeTakeFirst()
    expect(row?.value).toBe(second)
  }
})

test('nobody’s stop is let go while a stricter one is being written', async () => {
  const { engine } = fixture
  await engine.setServerStop('reduce')
  const seen = fixture.seen.length
  await Promise.all([engine.setServerStop('active'), engine.setServerStop('halt')])
  expect(fixture.seen.slice(seen)).toEqual(['stop halt'])
})

/** As the watcher does it, in a process of its own. */
const stopFromBeside = async (value: string, why: string | null = null): Promise<void> => {
  const stop = { value, why }
  await fixture.database.db
    .insertInto('server_setting')
    .values({ name: 'serverStop', ...stop })
    .onConflict((conflict) => conflict.column('name').doUpdateSet(stop))
    .execute()
}

test('a stricter stop that another process wrote holds here within a second or so, with its reason; a looser one never', async () => {
  const { engine } = fixture
  await stopFromBeside('halt', '감시 프로그램이 멈췄습니다.')
  await engine.lookAround()
  expect([engine.serverStop(), engine.serverStopReason()]).toEqual(['halt', '감시 프로그램이 멈췄습니다.'])
  expect(engine.health.vitals().troubles).toContainEqual(
    expect.objectContaining({ code: 'watcher', text: '감시 프로그램이 멈췄습니다.' }),
  )
  for (const looser of ['reduce', 'active']) {
    await stopFromBeside(looser)
    await engine.lookAround()
    expect(engine.serverStop()).toBe('halt')
  }
  await engine.setServerStop('active')
  expect([engine.serverStop(), engine.serverStopReason()]).toEqual(['active', null])
  expect(engine.health.vitals().troubles.map(({ code }) => code)).not.toContain('watcher')
})

test('a person who did not see a halt does not let go of it', async () => {
  const { engine } = fixture
  await engine.setServerStop('reduce')
  await stopFromBeside('halt', '감시 프로그램이 멈췄습니다.')
  await expect(engine.setServerStop('active')).rejects.toMatchObject({ code: 'CONFLICT' })
  expect([engine.serverStop(), engine.serverStopReason()]).toEqual(['halt', '감시 프로그램이 멈췄습니다.'])
  await engine.setServerStop('active')
  expect(engine.serverStop()).toBe('active')
})

test('all that is shown of an account is the same while nothing happened, and other when anything did', async () => {
  const { engine } = fixture
  await fixture.unlock()
  await fixture.watch()
  await fixture.idle()
  let before = engine.cacheValidators(fixture.userId)
  const changed = (): boolean => {
    const now = engine.cacheValidators(fixture.userId)
    const same = now.length === before.length && now.every((part, index) => part === before[index])
    before = now
    return !same
  }
  expect(changed()).toBe(false)
  fixture.brokers[0]?.socket.tick('000660', 1)
  expect(changed()).toBe(false)
  fixture.brokers[0]?.socket.tick(CODE, 71_000)
  expect(changed()).toBe(true)
  fixture.clock.advance(999)
  fixture.clock.advance(1)
  expect(changed()).toBe(true)
  await engine.setServerStop('reduce')
  expect(changed()).toBe(true)
  await engine.ask(fixture.userId, { kind: 'setSubscribed', code: CODE, subscribed: false })
  expect(changed()).toBe(true)
  expect(changed()).toBe(false)
})

test('the broker is unused without keys, up while one list is read, and down when none is', async () => {
  const { engine } = fixture
  expect(engine.health.broker).toBe('unused')
  const other = newUserId()
  await fixture.addUser(other)
  const first = await fixture.unlock()
  const second = fixture.prepare()
  second.listFails = true
  await engine.unlock(other, CREDENTIALS)
  await fixture.second()
  expect(engine.health.broker).toBe('ok')
  expect(engine.health.vitals()).toMatchObject({ opened: 2, authorised: 2, armed: 1 })
  first.listFails = true
  first.socket.notice('0000000009', 'filled', 1)
  await fixture.second()
  expect(engine.health.broker).toBe('down')
  fixture.lease = false
  expect(engine.health.vitals().troubles.map(({ code }) => code)).toEqual(['lease'])
  fixture.lease = true
})

test('without the lease a stop is refused to the person, and holds no longer than it was asked', async () => {
  const { engine } = fixture
  fixture.lease = false
  const stop = engine.ask(fixture.userId, { kind: 'setStop', level: 'user', code: null, stop: 'halt' })
  await expect(stop).rejects.toMatchObject({ code: 'BUSY', message: expect.stringMatching(/저장하지 못했습니다/) })
  expect(engine.book(fixture.userId).stop).toBe('active')
  fixture.lease = true
  await engine.ask(fixture.userId, { kind: 'setStop', level: 'user', code: null, stop: 'halt' }).catch(() => undefined)
  await engine.ask(fixture.userId, { kind: 'setStop', level: 'user', code: null, stop: 'halt' })
  expect(engine.book(fixture.userId).stop).toBe('halt')
})

test('what is under way is counted: events, calls, frames, and whom a price concerns', async () => {
  const { activity } = fixture.engine
  const { socket } = await fixture.unlock()
  await fixture.watch()
  expect([activity.busy, activity.queue]).toEqual([false, 0])
  activity.tick()
  expect([activity.busy, activity.queue > 0]).toEqual([true, true])
  await activity.idle()
  expect([activity.busy, activity.queue]).toEqual([false, 0])
  Object.assign(socket, { frames: 7, unanswered: 2 })
  expect([activity.frames(fixture.userId), activity.unanswered(fixture.userId)]).toEqual([7, 2])
  expect([activity.concerns(CODE, 69_300), activity.concerns(CODE, 71_000)]).toEqual([true, false])
})

test('when the engine has stopped nothing is under way, and no key is open', async () => {
  const { socket, closed } = await fixture.unlock()
  await fixture.engine.stop()
  expect([fixture.engine.activity.busy, fixture.engine.unlocked(fixture.userId), socket.state, closed]).toEqual([
    false,
    false,
    'disconnected',
    0,
  ])
  expect(fixture.brokers[0]?.closed).toBe(1)
})

test('an observer that has left is called no more', async () => {
  const stops: string[] = []
  const leave = fixture.engine.observe({ serverStopChanged: (stop) => stops.push(stop) })
  await fixture.engine.setServerStop('halt')
  leave()
  await fixture.engine.setServerStop('active')
  expect(stops).toEqual(['halt'])
})
