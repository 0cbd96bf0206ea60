import { kstInstant } from '@digger/core'
import type { Db } from '@digger/database'
import { sharedDatabase } from '@digger/database/testing'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { makeBundles } from '../../src/outbox/bundles.ts'
import { notify as publish } from '../../src/outbox/notify.ts'
import { readNotifications, writeSettings } from '../../src/setup/channel-rows.ts'
import { MINUTE, NOW, TestAccount } from './fixture.ts'

let db: Db
beforeAll(async () => {
  ;({ db } = await sharedDatabase())
})

let subjects = 0
async function notify(
  { id }: TestAccount,
  count = 1,
  kind: 'orderLate' | 'bought' | 'channelOff' = 'orderLate',
): Promise<void> {
  const all = Array.from({ length: count }, () => {
    subjects += 1
    return { userId: id, subject: `s${subjects}`, kind, at: NOW, text: `${kind} ${subjects}` }
  })
  await publish(db, all)
}
async function accountWith(...channels: string[]): Promise<TestAccount> {
  const account = await TestAccount.add(db)
  for (const name of channels) await account.channel(name)
  return account
}
interface BundleRow {
  readonly at: number
  readonly silent: boolean
  readonly items: number
  readonly deliveries: number
}
async function bundlesOf({ id }: TestAccount): Promise<BundleRow[]> {
  const { rows } = await sql<BundleRow>`
    select b.at, b.silent, (select count(*) from notification where bundle_id = b.id) as items,
      (select count(*) from notification_delivery where bundle_id = b.id) as deliveries
    from notification_bundle b where user_id = ${id}
    order by (select min(id) from notification where bundle_id = b.id)`.execute(db)
  return rows
}
const statesOf = async ({ id }: TestAccount): Promise<string[]> =>
  (await db.selectFrom('notification').select('state').where('user_id', '=', id).orderBy('id').execute()).map(
    ({ state }) => state,
  )
const make = ({ shards }: TestAccount, now: number): Promise<number | null> => makeBundles(db, shards, now)

test('what waits together goes together, to each channel that is on', async () => {
  const account = await accountWith('a', 'b', 'c')
  await sql`update notification_channel set state = 'off' where user_id = ${account.id} and label = 'b'`.execute(db)
  await notify(account, 3)
  expect(await make(account, NOW)).toBeNull()
  expect(await bundlesOf(account)).toEqual([{ at: NOW, silent: false, items: 3, deliveries: 2 }])
  expect([await account.states('a'), await account.states('b'), await account.states('c')]).toEqual([
    '1 waiting',
    '',
    '1 waiting',
  ])
  expect(await make(account, NOW)).toBeNull()
  expect(await bundlesOf(account)).toHaveLength(1)
})

test('the next one waits for its time, and says when that is', async () => {
  const account = await accountWith('a')
  await notify(account)
  await make(account, NOW)
  await notify(account)
  expect(await make(account, NOW + 9_999)).toBe(NOW + 10_000)
  await notify(account)
  expect(await make(account, NOW + 10_000)).toBeNull()
  expect(await bundlesOf(account)).toEqual([
    { at: NOW, silent: false, items: 1, deliveries: 1 },
    { at: NOW + 10_000, silent: false, items: 2, deliveries: 1 },
  ])
})

test('under load they come a minute apart', async () => {
  const account = await accountWith('a')
  for (let n = 0; n < 6; n += 1) {
    await notify(account)
    expect(await make(account, NOW + n * 10_000)).toBeNull()
  }
  await notify(account)
  const last = NOW + 50_000
  expect(await make(account, last + 10_000)).toBe(last + MINUTE)
  expect(await make(account, last + MINUTE)).toBeNull()
  expect(await bundlesOf(account)).toHaveLength(7)
})

test('a clock that is set back makes nobody wait for the time it lost, nor forget the spacing', async () => {
  const account = await accountWith('a')
  const [before, after] = [NOW + 60 * MINUTE, NOW]
  await notify(account)
  await make(account, before)
  await notify(account)
  expect(await make(account, after)).toBeNull()
  await notify(account)
  expect(await make(account, after + 1_000)).toBe(after + 10_000)
  expect((await bundlesOf(account)).map(({ at }) => at)).toEqual([before, after])
  // The order of the channel is that of the making.
  const { rows } = await sql<{
    at: number
  }>`select at from notification_delivery where user_id = ${account.id} order by place`.execute(db)
  expect(rows.map(({ at }) => at)).toEqual([before, after])
})

test('without a channel it stands on the page, and one that is added later is not flooded with it', async () => {
  const account = await accountWith()
  await notify(account, 2)
  await make(account, NOW)
  await account.channel()
  await make(account, NOW + MINUTE)
  expect(await account.deliveries()).toEqual([])
  expect((await readNotifications(db, account.id)).map(({ deliveries }) => deliveries)).toEqual([[], []])
})

test('off is on the page only; all of a bundle silent: it makes no sound; one that is on: it does', async () => {
  const account = await accountWith('a')
  await writeSettings(db, account.id, {
    levels: { bought: 'off', orderLate: 'silent', channelOff: 'off' },
    quiet: null,
  })
  await notify(account, 2, 'bought')
  expect(await make(account, NOW)).toBeNull()
  expect([await bundlesOf(account), await statesOf(account)]).toEqual([[], ['off', 'off']])
  await notify(account, 1, 'orderLate')
  await notify(account, 1, 'bought')
  await make(account, NOW)
  // Nobody can switch off that a channel went silent.
  await notify(account, 1, 'orderLate')
  await notify(account, 1, 'channelOff')
  await make(account, NOW + MINUTE)
  expect(await bundlesOf(account)).toEqual([
    { at: NOW, silent: true, items: 1, deliveries: 1 },
    { at: NOW + MINUTE, silent: false, items: 2, deliveries: 1 },
  ])
  expect(
    (await readNotifications(db, account.id)).map(({ kind, deliveries }) => [kind, deliveries?.length ?? null]),
  ).toEqual([
    ['channelOff', 1],
    ['orderLate', 1],
    ['bought', null],
    ['orderLate', 1],
    ['bought', null],
    ['bought', null],
  ])
})

test('quiet hours make it silent, and delay nothing', async () => {
  const account = await accountWith('a')
  await writeSettings(db, account.id, { levels: {}, quiet: { from: '22:00', to: '07:00' } })
  const night = kstInstant('20261116', 235_959)
  await notify(account)
  expect(await make(account, night)).toBeNull()
  await notify(account)
  await make(account, kstInstant('20261117', 70_000))
  expect((await bundlesOf(account)).map(({ silent }) => silent)).toEqual([true, false])
})

test('more than five hundred: the rest goes with the next, and none is lost', async () => {
  const account = await accountWith('a')
  await notify(account, 1_100)
  let now = NOW
  for (let looks = 0; looks < 10; looks += 1) {
    const next = await make(account, now)
    if (next === null) break
    now = Math.max(next, now)
  }
  expect(await bundlesOf(account)).toEqual([
    { at: NOW, silent: false, items: 500, deliveries: 1 },
    { at: NOW + 10_000, silent: false, items: 500, deliveries: 1 },
    { at: NOW + 20_000, silent: false, items: 100, deliveries: 1 },
  ])
})

test('five hundred that are off do not stand before one that is on', async () => {
  const account = await accountWith('a')
  await writeSettings(db, account.id, { levels: { bought: 'off' }, quiet: null })
  await notify(account, 700, 'bought')
  await notify(account)
  expect(await make(account, NOW)).toBe(NOW)
  expect(await make(account, NOW)).toBeNull()
  expect(await bundlesOf(account)).toEqual([{ at: NOW, silent: false, items: 1, deliveries: 1 }])
})

test('several processes at a time: each notification in exactly one bundle, and none of them fails', async () => {
  const accounts = await Promise.all(Array.from({ length: 6 }, () => accountWith('a')))
  const shards = accounts.flatMap((account) => account.shards)
  for (const account of accounts) await notify(account, 20)
  await Promise.all(Array.from({ length: 5 }, () => makeBundles(db, shards, NOW)))
  for (const account of accounts) {
    expect(await bundlesOf(account)).toEqual([{ at: NOW, silent: false, items: 20, deliveries: 1 }])
    expect(new Set(await statesOf(account))).toEqual(new Set(['bundled']))
  }
})

test('while more comes in, too', async () => {
  const account = await accountWith('a')
  const publishing = { isOver: false }
  let now = NOW
  const making = Array.from({ length: 3 }, async () => {
    while (!publishing.isOver) await make(account, (now += 10_000))
  })
  for (let n = 0; n < 40; n += 1) await notify(account, 3)
  publishing.isOver = true
  await Promise.all(making)
  await make(account, now + MINUTE)
  const bundles = await bundlesOf(account)
  expect(bundles.reduce((sum, { items }) => sum + items, 0)).toBe(120)
  expect(bundles.filter(({ items, deliveries }) => items === 0 || deliveries !== 1)).toEqual([])
})

test('of more than a hundred that wait for a channel the oldest are left out', async () => {
  const account = await accountWith('a', 'b')
  for (let n = 0; n < 104; n += 1) {
    await notify(account)
    await make(account, NOW + n * MINUTE)
    if (n === 50)
      await sql`update notification_channel set state = 'off' where user_id = ${account.id} and label = 'b'`.execute(db)
  }
  const deliveries = await account.deliveries()
  expect(deliveries.map(({ state }) => state)).toEqual([
    ...Array.from({ length: 4 }, () => 'dropped'),
    ...Array.from({ length: 100 }, () => 'waiting'),
  ])
  expect(deliveries[0]?.note).toMatch(/너무 많아/)
  expect(await account.states('b')).toBe('51 waiting')
})

test('beside a clock that was set back it is still the oldest that are left out', async () => {
  const account = await accountWith('a')
  for (let n = 0; n < 102; n += 1) {
    await notify(account)
    await make(account, NOW - n * MINUTE)
  }
  expect((await account.deliveries()).map(({ state }) => state).indexOf('waiting')).toBe(2)
})

test('of one subject a person is told once', async () => {
  const account = await accountWith('a')
  const one = { userId: account.id, subject: 'day 20261116', kind: 'daySummary', at: NOW, text: '정리' } as const
  const news = await Promise.all([publish(db, [one, one]), publish(db, [one]), publish(db, [one])])
  expect(news.flat()).toEqual([account.id])
  expect(await publish(db, [])).toEqual([])
  expect(await account.texts()).toEqual(['정리'])
})
