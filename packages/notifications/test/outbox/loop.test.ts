import { emptyBook } from '@digger/core'
import { type TestDatabase, testDatabase } from '@digger/database/testing'
import { newKey } from '@digger/identity'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Sent } from '../../src/channels/channel.ts'
import { addChannel } from '../../src/outbox/addresses.ts'
import { makeBundles } from '../../src/outbox/bundles.ts'
import { notify as publish } from '../../src/outbox/notify.ts'
import { readChannels } from '../../src/setup/channel-rows.ts'
import { HOUR, NOW, other, TestAccount } from './fixture.ts'
import { LoopProcess } from './loop-fixture.ts'

const ROUNDS = 30
const SOON = { timeout: 15_000, interval: 20 }
let database: TestDatabase
const running: LoopProcess[] = []
beforeAll(async () => {
  database = await testDatabase()
})
afterEach(async () => {
  await Promise.all(running.splice(0).map(({ run }) => run.stop()))
})
afterAll(() => database[Symbol.asyncDispose]())

async function accountWith(...channels: string[]): Promise<TestAccount> {
  const account = await TestAccount.add(database.db)
  await account.stock()
  for (const name of channels) await account.channel(name)
  return account
}
function processOf(...accounts: readonly TestAccount[]): LoopProcess {
  const made = new LoopProcess(
    database,
    accounts.flatMap(({ shards }) => shards),
  )
  running.push(made)
  return made
}
function started(...accounts: readonly TestAccount[]): LoopProcess {
  const made = processOf(...accounts)
  made.run.start()
  return made
}
const bought = (count: number): string => `삼성전자 ${count}주를 샀습니다\n주당 100원, 모두 ${count * 100}원`
const notify = ({ id: userId }: TestAccount, subject: string) =>
  publish(database.db, [{ userId, subject, kind: 'test', at: NOW, text: subject }])

test('what happened before it began, and what happens then', async () => {
  const account = await accountWith('a')
  await account.buy(1, 3)
  const one = started(account)
  await expect.poll(() => one.texts(), SOON).toEqual([bought(3)])
  await one.fills(account, 2, 4)
  await expect.poll(() => one.texts(), SOON).toEqual([bought(3), bought(4)])
})

test('fills that come together go together, and nothing is looked up for other facts', async () => {
  const account = await accountWith('a')
  const one = started(account)
  await expect.poll(() => one.looks, SOON).toBeGreaterThan(1)
  await account.write(other())
  one.changed(account, other())
  for (let order = 1; order <= 3; order += 1) await account.buy(order, order)
  for (let order = 1; order <= 3; order += 1)
    one.changed(account, { kind: 'orderFilled', orderId: order, count: 1, amount: 1, at: NOW })
  await expect.poll(() => one.arrived.length, SOON).toBe(1)
  expect(one.texts()[0]).toMatch(/^Digger: 매수 3건\n/)
})

test('woken it tells at once what others have written', async () => {
  const account = await accountWith('a')
  const one = started(account)
  await notify(account, '시험')
  one.run.wake()
  await expect.poll(() => one.texts(), SOON).toEqual(['시험'])
})

test('stopped while it sends: it ends when the send has ended, begins nothing more, and loses nothing', async () => {
  const account = await accountWith('a', 'b')
  const one = processOf(account)
  const held = Promise.withResolvers<Sent>()
  one.answer = ({ channel }) => (channel === 'a' ? held.promise : { kind: 'sent' })
  await notify(account, '하나')
  one.run.start()
  await expect.poll(() => [one.inFlight, one.texts('b').length], SOON).toEqual([1, 1])
  // A second one for both channels: that of b goes, that of a waits for the first.
  await notify(account, '둘')
  one.run.wake()
  await expect.poll(() => one.texts('b'), SOON).toEqual(['하나', '둘'])
  let isOver = false
  const stopping = one.run.stop().then(() => (isOver = true))
  await notify(account, '셋')
  one.run.wake()
  expect([isOver, one.observers]).toEqual([false, 0])
  held.resolve({ kind: 'sent' })
  await stopping
  expect([one.texts('a'), one.inFlight]).toEqual([['하나'], 0])
  // The look that was under way may have made a bundle of the third.
  expect((await account.deliveries('a')).map(({ state }) => state).slice(0, 2)).toEqual(['sent', 'waiting'])
  const next = started(account)
  await expect.poll(() => next.texts('a'), SOON).toEqual(['둘', '셋'])
  await expect.poll(() => next.texts('b'), SOON).toEqual(['셋'])
})

test('a database that is away for a while: what came meanwhile is told when it is back, once', async () => {
  const account = await accountWith('a')
  const one = started(account)
  await one.fills(account, 1)
  await expect.poll(() => account.states(), SOON).toBe('1 sent')
  for (const table of ['notification_cursor', 'notification', 'notification_delivery']) {
    const before = one.problems.length
    await database.pool.query(`alter table ${table} rename to ${table}_away`)
    const order = account.seq + 1
    await one.fills(account, order)
    await expect.poll(() => one.problems.length, SOON).toBeGreaterThan(before)
    await database.pool.query(`alter table ${table}_away rename to ${table}`)
    await expect.poll(() => one.texts().at(-1), SOON).toContain(`${order}주를 샀습니다`)
    // Written down, too: what was sent while the table is away could not be, and would be sent again.
    await expect.poll(() => account.states(), SOON).toMatch(/^\d sent$/)
  }
  expect(await account.states()).toBe('4 sent')
  expect(new Set(one.arrived.map(({ id }) => id)).size).toBe(one.arrived.length)
})

test('while a channel does not answer the loop sleeps, and the others go on', async () => {
  const account = await accountWith('a', 'b')
  const one = processOf(account)
  const held = Promise.withResolvers<Sent>()
  one.answer = ({ channel }) => (channel === 'a' ? held.promise : { kind: 'sent' })
  one.run.start()
  for (let order = 1; order <= 2; order += 1) {
    await one.fills(account, order)
    await expect.poll(() => one.texts('b'), SOON).toHaveLength(order)
  }
  const before = one.looks
  await one.clock.passed(30_000)
  // One look every five seconds, each of which asks for the shards a few times.
  expect(one.looks - before).toBeLessThan(60)
  held.resolve({ kind: 'sent' })
  await expect.poll(() => one.texts('a'), SOON).toHaveLength(2)
  expect(one.texts('a')).toEqual(one.texts('b'))
})

test('and while one fails, too: tried again by its back-off, in order, under the same id', async () => {
  const account = await accountWith('a')
  const one = processOf(account)
  const tried: string[] = []
  one.answer = ({ id }) => {
    tried.push(id)
    if (tried.length === 2) throw new Error('a fault of ours')
    return tried.length > 3 ? { kind: 'sent' } : { kind: 'again', afterMs: null, why: '나중에' }
  }
  await notify(account, '하나')
  one.run.start()
  await expect.poll(() => tried.length, SOON).toBe(1)
  await notify(account, '둘')
  one.run.wake()
  const before = one.looks
  await expect.poll(() => one.texts(), SOON).toEqual(['하나', '둘'])
  // 5 + 15 + 45 s.
  expect(one.looks - before).toBeLessThan(150)
  expect(new Set(tried.slice(0, 4)).size).toBe(1)
  expect(one.problems.map(String)).toEqual(['Error: a fault of ours'])
  expect((await account.deliveries()).map(({ tries }) => tries)).toEqual([4, 1])
})

test('the server was off for three days: what waited is told, and when it was', async () => {
  const account = await accountWith('a')
  const one = processOf(account)
  const before = one.clock.now() - 72 * HOUR
  await notify(account, '하나')
  await makeBundles(database.db, account.shards, before)
  one.run.start()
  await expect.poll(() => one.texts(), SOON).toHaveLength(1)
  expect(one.texts()[0]).toMatch(/^하나\n늦게 전해 드립니다\. \d+월 \d+일 \d\d:\d\d의 일입니다\.$/)
})

test('no more than eight of a kind are sent to at a time, and everybody gets theirs', async () => {
  const accounts = await Promise.all(Array.from({ length: 12 }, () => accountWith('a', 'b')))
  for (const account of accounts) await notify(account, '안녕하세요')
  const one = processOf(...accounts)
  const gate = Promise.withResolvers<Sent>()
  one.answer = () => gate.promise
  one.run.start()
  await expect.poll(() => one.inFlight, SOON).toBe(8)
  const before = one.looks
  one.run.wake()
  await expect.poll(() => one.looks, SOON).toBeGreaterThan(before + 1)
  gate.resolve({ kind: 'sent' })
  await expect.poll(() => one.arrived.length, SOON).toBe(24)
  expect(one.maxInFlight).toBe(8)
  expect(new Set(one.arrived.map(({ userId, channel }) => `${userId} ${channel}`)).size).toBe(24)
})

test('a channel that is gone is switched off, and its person told over the other', async () => {
  const account = await accountWith('a', 'b')
  const one = processOf(account)
  one.answer = ({ channel }) => (channel === 'a' ? { kind: 'dead', why: '없는 주소입니다.' } : { kind: 'sent' })
  await notify(account, '하나')
  await notify(account, '둘')
  one.run.start()
  await expect.poll(() => one.texts('b'), SOON).toHaveLength(2)
  expect(one.texts('b')[1]).toBe('알림 받는 곳이 꺼짐: a. 없는 주소입니다.')
  expect((await readChannels(database.db, account.id)).map(({ on, note }) => [on, note])).toEqual([
    [false, '없는 주소입니다.'],
    [true, null],
  ])
  expect(await account.states('a')).toBe('1 dropped')
})

test('an address that another key sealed is told as that', async () => {
  const account = await accountWith('b')
  const address = { kind: 'webhook', url: `https://a.example/${account.id}`, template: 'json' } as const
  await addChannel(database.db, newKey(), account.id, { address, label: 'a', amounts: true }, NOW)
  await notify(account, '하나')
  const one = started(account)
  await expect.poll(() => one.texts('b').at(-1), SOON).toMatch(/알림 키가 바뀌어/)
  expect(one.texts('a')).toEqual([])
})

test('an account that cannot be looked at keeps no fill from anybody', async () => {
  const account = await accountWith('a')
  const one = processOf(account)
  one.attention = () => {
    throw new RangeError('no trading day')
  }
  one.run.start()
  await one.fills(account, 5)
  await expect.poll(() => one.texts(), SOON).toEqual([bought(5)])
  expect(String(one.problems[0])).toContain('no trading day')
})

test('what an account calls for goes out like everything else', async () => {
  const account = await accountWith('a')
  const one = processOf(account)
  const found = [
    { kind: 'stockStopped', subject: '005930', code: '005930', forMs: 0, text: '삼성전자: 멈췄습니다.' },
  ] as const
  one.attention = () => [{ userId: account.id, book: emptyBook('20261116'), found, endOf: () => '풀렸습니다.' }]
  one.run.start()
  await expect.poll(() => one.texts(), SOON).toEqual(['삼성전자: 멈췄습니다.'])
  one.attention = () => [{ userId: account.id, book: emptyBook('20261116'), found: [], endOf: () => '풀렸습니다.' }]
  await expect.poll(() => one.texts().at(-1), SOON).toBe('풀렸습니다.')
})

test('all its shards go and come back: what another process booked meanwhile is told', async () => {
  const account = await accountWith('a')
  const one = started(account)
  await expect.poll(() => one.looks, SOON).toBeGreaterThan(1)
  const own = one.shards
  one.shards = []
  const before = one.looks
  one.run.wake()
  await expect.poll(() => one.looks, SOON).toBeGreaterThan(before)
  // Booked by a process that died before it could tell anybody.
  await account.buy(1, 9)
  one.shards = own
  await expect.poll(() => one.texts(), SOON).toEqual([bought(9)])
})

test('accounts that move between two processes: each fill once, nothing lost', async () => {
  const { db } = database
  const accounts = await Promise.all(Array.from({ length: 4 }, () => accountWith('a')))
  const both = [started(...accounts.slice(0, 2)), started(...accounts.slice(2))]
  const ownerOf = ({ shards: [shard = -1] }: TestAccount) => both.find(({ shards }) => shards.includes(shard))
  for (let round = 1; round <= ROUNDS; round += 1) {
    for (const account of accounts) {
      await account.buy(round, round)
      ownerOf(account)?.changed(account, { kind: 'orderFilled', orderId: round, count: round, amount: 1, at: NOW })
    }
    const [shard = -1] = accounts[round % 4]?.shards ?? []
    const [from, to] = both[0]?.shards.includes(shard) === true ? both : both.toReversed()
    if (from === undefined || to === undefined) throw new Error('two processes')
    // Sometimes both believe to have it, sometimes nobody does.
    if (round % 3 === 0) to.shards = [...to.shards, shard]
    else from.shards = from.shards.filter((one) => one !== shard)
    await from.clock.passed(1_000)
    to.shards = [...new Set([...to.shards, shard])]
    from.shards = from.shards.filter((one) => one !== shard)
  }
  const ids = accounts.map(({ id }) => id)
  const missing = async (): Promise<number> => {
    const { rows } = await sql<{ count: number }>`
      select ${4 * ROUNDS} - count(*) as count from notification n join notification_delivery d using (bundle_id)
      where n.fill is not null and d.state = 'sent' and n.user_id = any(${ids}::text[])`.execute(db)
    return rows[0]?.count ?? -1
  }
  await expect.poll(missing, { timeout: 30_000, interval: 50 }).toBe(0)
  for (const account of accounts) {
    const texts = await account.texts()
    expect(texts.toSorted()).toEqual(
      Array.from({ length: ROUNDS }, (_, n) => `삼성전자 ${n + 1}주를 샀습니다`).toSorted(),
    )
  }
  const arrived = both.flatMap((one) => one.arrived)
  expect(new Set(arrived.map(({ id, text }) => `${id} ${text}`)).size).toBe(new Set(arrived.map(({ id }) => id)).size)
  expect(both.flatMap(({ problems }) => problems)).toEqual([])
}, 60_000)
