import type { Db } from '@digger/database'
import { sharedDatabase } from '@digger/database/testing'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { makeBundles } from '../../src/outbox/bundles.ts'
import {
  type Delivery,
  itemsOf,
  markFailed,
  markSent,
  nextDeliveryAt,
  switchOff,
  takeDeliveries,
} from '../../src/outbox/deliveries.ts'
import { dropOld, notify as publish } from '../../src/outbox/notify.ts'
import { changeChannel, readChannels, removeChannel } from '../../src/setup/channel-rows.ts'
import { HOUR, MINUTE, NOW, TestAccount } from './fixture.ts'

let db: Db
beforeAll(async () => {
  ;({ db } = await sharedDatabase())
})

let subjects = 0
/** A bundle of one notification each, a minute apart. */
async function bundle(account: TestAccount, count = 1, from = NOW): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    const one = {
      userId: account.id,
      subject: `s${++subjects}`,
      kind: 'orderLate',
      at: from,
      text: `${subjects}`,
    } as const
    await publish(db, [one])
    await makeBundles(db, account.shards, from + n * MINUTE)
  }
}
async function accountWith(...channels: string[]): Promise<TestAccount> {
  const account = await TestAccount.add(db)
  for (const name of channels) await account.channel(name)
  return account
}
const LATER = NOW + HOUR
const take = ({ shards }: TestAccount, now = LATER, limit = 100, busy: readonly number[] = []): Promise<Delivery[]> =>
  takeDeliveries(db, shards, { now, limit, busy })
async function takeOne(account: TestAccount, now = LATER): Promise<Delivery> {
  const [delivery, ...more] = await take(account, now)
  if (delivery === undefined || more.length > 0) throw new Error(`${more.length} more than one`)
  return delivery
}
const fail = (delivery: Delivery, now: number, afterMs: number | null = null): Promise<boolean> =>
  markFailed(db, delivery, { now, why: '받지 않습니다.', afterMs })
const next = ({ shards }: TestAccount, now = LATER): Promise<number | null> => nextDeliveryAt(db, shards, now)

test('each channel gets its bundles in order, one at a time', async () => {
  const account = await accountWith('a', 'b')
  await bundle(account, 3)
  const order: string[] = []
  for (let n = 0; n < 3; n += 1) {
    const taken = await take(account)
    expect(taken.map(({ channel }) => channel.label).toSorted()).toEqual(['a', 'b'])
    expect(await take(account)).toEqual([])
    for (const delivery of taken) {
      if (delivery.channel.label === 'a') order.push(delivery.bundleId)
      expect(await itemsOf(db, delivery.bundleId)).toHaveLength(1)
      await markSent(db, delivery, LATER)
    }
  }
  expect(order).toEqual((await account.deliveries()).map(({ bundleId }) => bundleId))
  expect([await take(account), await account.states('a')]).toEqual([[], '3 sent'])
})

test('bundles of one ms, and of a clock set back, go in the order of their making', async () => {
  const account = await accountWith('a')
  for (const at of [NOW, NOW - HOUR, NOW - HOUR, NOW]) {
    await bundle(account, 1, at)
    await sql`update notification_bundle set at = at - 100000 where user_id = ${account.id}`.execute(db)
  }
  const texts: string[] = []
  for (let n = 0; n < 4; n += 1) {
    const delivery = await takeOne(account)
    texts.push(...(await itemsOf(db, delivery.bundleId)).map(({ text }) => text))
    await markSent(db, delivery, LATER)
  }
  expect(texts).toEqual(await account.texts())
})

test('processes that ask at a time get different ones, and no channel two', async () => {
  const accounts = await Promise.all(Array.from({ length: 4 }, () => accountWith('a', 'b', 'c')))
  for (const account of accounts) await bundle(account, 2)
  const shards = accounts.flatMap((account) => account.shards)
  const taken = (
    await Promise.all(Array.from({ length: 6 }, () => takeDeliveries(db, shards, { now: LATER, limit: 5 })))
  ).flat()
  expect(new Set(taken.map(({ channel }) => channel.id)).size).toBe(taken.length)
  expect(taken.length).toBeLessThanOrEqual(12)
  const rest = await takeDeliveries(db, shards, { now: LATER, limit: 100 })
  expect(taken.length + rest.length).toBe(12)
})

test('what failed is tried after its back-off, under the same id, and what comes after it waits', async () => {
  const account = await accountWith('a')
  await bundle(account, 2)
  let now = LATER
  const ids = new Set<string>()
  for (const seconds of [5, 15, 45, 135, 405, 900, 900]) {
    const delivery = await takeOne(account, now)
    ids.add(delivery.bundleId)
    expect(await fail(delivery, now)).toBe(false)
    expect(await take(account, now + seconds * 1_000 - 1)).toEqual([])
    expect(await next(account, now)).toBe(now + seconds * 1_000)
    now += seconds * 1_000
  }
  expect(ids.size).toBe(1)
  const delivery = await takeOne(account, now)
  expect(delivery.tries).toBe(8)
  await fail(delivery, now, 3 * HOUR)
  expect(await next(account, now)).toBe(now + HOUR)
})

test('nothing is due before the next look while a channel is waited for: the loop may sleep', async () => {
  const account = await accountWith('a', 'b')
  await bundle(account, 3)
  const taken = await take(account)
  expect(taken).toHaveLength(2)
  // Of both channels the second is due by its own row; it waits for the first.
  expect(await next(account)).toBe(LATER + MINUTE)
  for (const delivery of taken) await markSent(db, delivery, LATER)
  // Due now: whoever asks for the time of the next look has taken them, or has no room.
  expect(await next(account)).toBeNull()
})

test('one that a process took and left is there for the next after a minute', async () => {
  const account = await accountWith('a')
  await bundle(account)
  const first = await takeOne(account)
  expect(await take(account, LATER + MINUTE - 1)).toEqual([])
  const again = await takeOne(account, LATER + MINUTE)
  expect([again.bundleId, again.tries]).toEqual([first.bundleId, 2])
})

test('not by the process that is still sending it', async () => {
  const account = await accountWith('a', 'b')
  await bundle(account)
  const [one] = await take(account, LATER, 1)
  const busy = one === undefined ? [] : [one.channel.id]
  const more = await take(account, LATER + 5 * HOUR, 100, busy)
  expect(more.map(({ channel }) => channel.id)).toHaveLength(1)
  expect(busy).not.toContain(more[0]?.channel.id)
})

test('a clock that is set back makes none wait for the time it lost', async () => {
  const account = await accountWith('a')
  await bundle(account)
  await fail(await takeOne(account, LATER), LATER)
  // An hour and more: the row's time is further away than anything ever waits.
  const back = LATER - 2 * HOUR
  const delivery = await takeOne(account, back)
  expect(delivery.tries).toBe(2)
  // Set back again while it is taken by somebody who is gone.
  expect((await takeOne(account, back - 2 * MINUTE)).tries).toBe(3)
  // By less than that: no later than the hour that the other side may ask for.
  await fail(delivery, LATER)
  expect(await take(account, LATER - HOUR + 15_000)).toEqual([])
  expect(await take(account, LATER + 15_000)).toHaveLength(1)
})

/** Tries that failed before. */
const tried = async ({ bundleId }: Delivery, tries: number): Promise<void> => {
  await sql`update notification_delivery set tries = ${tries} where bundle_id = ${bundleId}`.execute(db)
}

test('a channel that takes nothing for a day is to be switched off; one success begins it anew', async () => {
  const account = await accountWith('a')
  await bundle(account, 2)
  let delivery = await takeOne(account)
  expect(await fail(delivery, LATER)).toBe(false)
  await tried(delivery, 90)
  delivery = await takeOne(account, LATER + 23 * HOUR)
  expect(await fail(delivery, LATER + 24 * HOUR - 1)).toBe(false)
  await markSent(db, await takeOne(account, LATER + 25 * HOUR), LATER + 25 * HOUR)
  delivery = await takeOne(account, LATER + 26 * HOUR)
  expect(delivery.channel.failingSince).toBeNull()
  expect(await fail(delivery, LATER + 26 * HOUR)).toBe(false)
  await tried(delivery, 90)
  delivery = await takeOne(account, LATER + 50 * HOUR)
  expect(await fail(delivery, LATER + 50 * HOUR)).toBe(true)
  expect((await readChannels(db, account.id)).map(({ on, note }) => [on, note])).toEqual([[true, '받지 않습니다.']])
})

test('neither a clock that jumps nor days without the server lose what waits', async () => {
  const account = await accountWith('a')
  await bundle(account, 2)
  const first = await takeOne(account)
  expect(await fail(first, LATER)).toBe(false)
  const days = LATER + 72 * HOUR
  for (const tries of [2, 3]) {
    const again = await takeOne(account, days + tries * HOUR)
    expect([again.bundleId, again.tries]).toEqual([first.bundleId, tries])
    expect(await fail(again, days + tries * HOUR)).toBe(false)
  }
  await tried(first, 18)
  expect(await fail(await takeOne(account, days + 4 * HOUR), days + 4 * HOUR)).toBe(false)
  expect(await fail(await takeOne(account, days + 5 * HOUR), days + 5 * HOUR)).toBe(true)
  expect(await account.states()).toBe('2 waiting')
})

test('switched off: its queue is dropped, once, and the others go on', async () => {
  const account = await accountWith('a', 'b')
  await bundle(account, 3)
  const taken = await take(account)
  const id = taken.find(({ channel }) => channel.label === 'a')?.channel.id ?? 0
  const both = await Promise.all([switchOff(db, id, '없는 곳입니다.'), switchOff(db, id, '없는 곳입니다.')])
  expect(both.toSorted()).toEqual([false, true])
  expect([await account.states('a'), await account.states('b')]).toEqual(['3 dropped', '3 waiting'])
  expect(await take(account, LATER + HOUR)).toHaveLength(1)
  await bundle(account, 1, LATER)
  expect([await account.states('a'), await account.states('b')]).toEqual(['3 dropped', '4 waiting'])
  // On again it begins with what comes then.
  await changeChannel(db, { userId: account.id, id }, { on: true })
  await bundle(account, 1, LATER + HOUR)
  expect(await account.states('a')).toBe('3 dropped, 1 waiting')
})

test('what was sent while its channel was dropped counts as sent', async () => {
  const account = await accountWith('a')
  await bundle(account, 2)
  const delivery = await takeOne(account)
  await changeChannel(db, { userId: account.id, id: delivery.channel.id }, { on: false })
  await markSent(db, delivery, LATER)
  expect((await account.deliveries()).map(({ state }) => state)).toEqual(['sent', 'dropped'])
})

test('thirty days old: forgotten, with its bundle and deliveries', async () => {
  const account = await accountWith('a')
  await bundle(account)
  await publish(db, [{ userId: account.id, subject: 'off', kind: 'bought', at: NOW, text: 'off' }])
  await sql`update notification set state = 'off' where user_id = ${account.id} and subject = 'off'`.execute(db)
  await bundle(account, 1, NOW + 24 * HOUR)
  await dropOld(db, account.shards, NOW + 30 * 24 * HOUR)
  expect(await account.texts()).toHaveLength(3)
  await dropOld(db, account.shards, NOW + 30 * 24 * HOUR + 1)
  expect([await account.texts(), await account.states()]).toEqual([[`${subjects}`], '1 waiting'])
})

test('a channel that is removed while a bundle is on its way to it', async () => {
  const account = await accountWith('a', 'b')
  await bundle(account, 2)
  const [one, two] = await take(account)
  if (one === undefined || two === undefined) throw new Error('two were to be taken')
  expect(await removeChannel(db, account.id, one.channel.id)).toBe(true)
  await markSent(db, one, LATER)
  expect(await fail(one, LATER)).toBe(false)
  expect(await switchOff(db, one.channel.id, '')).toBe(false)
  await markSent(db, two, LATER)
  expect(await take(account)).toHaveLength(1)
})

test('a person who is removed takes all along', async () => {
  const account = await accountWith('a', 'b')
  await bundle(account, 2)
  const [delivery] = await take(account)
  if (delivery === undefined) throw new Error('one was to be taken')
  await sql`delete from users where id = ${account.id}`.execute(db)
  expect(await itemsOf(db, delivery.bundleId)).toEqual([])
  await markSent(db, delivery, LATER)
  expect(await fail(delivery, LATER)).toBe(false)
  const { rows } = await sql<{ left: number }>`
    select (select count(*) from notification where user_id = ${account.id})
      + (select count(*) from notification_bundle where user_id = ${account.id})
      + (select count(*) from notification_channel where user_id = ${account.id})
      + (select count(*) from notification_delivery where user_id = ${account.id}) as left`.execute(db)
  expect(rows).toEqual([{ left: 0 }])
})
