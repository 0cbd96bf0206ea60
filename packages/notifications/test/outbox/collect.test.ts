import { sharedDatabase } from '@digger/database/testing'
import type { Fact } from '@digger/core'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import type { Db } from '@digger/database'
import { accountsBehind, collectFills } from '../../src/outbox/collect.ts'
import { filled, other, sold, TestAccount } from './fixture.ts'

let db: Db
beforeAll(async () => {
  ;({ db } = await sharedDatabase())
})

async function accountWith(...facts: Fact[]): Promise<TestAccount> {
  const account = await TestAccount.add(db)
  await account.stock()
  await account.orders(1, 20)
  if (facts.length > 0) await account.write(...facts)
  return account
}
const late = (orderId: number, count: number): Fact => filled(orderId, count, 100 * count, 1_000)
const cursorOf = async ({ id }: TestAccount): Promise<number | undefined> =>
  (await db.selectFrom('notification_cursor').select('seq').where('user_id', '=', id).executeTakeFirst())?.seq
const fillsOf = async ({ id }: TestAccount) =>
  (
    await db.selectFrom('notification').select(['subject', 'fill']).where('user_id', '=', id).orderBy('id').execute()
  ).map(({ subject, fill }) => `${subject}: ${fill?.count} for ${fill?.amount} of ${fill?.order}`)

test('a new account has no cursor: all of it is told, once', async () => {
  const account = await accountWith(other(), filled(1, 3), other(), filled(2, 5))
  expect(await accountsBehind(db, account.shards)).toEqual([account.id])
  expect(await collectFills(db, [account.id])).toEqual([account.id])
  expect(await fillsOf(account)).toEqual(['fill 2: 3 for 300 of 1', 'fill 4: 5 for 500 of 2'])
  expect(await cursorOf(account)).toBe(4)
  expect(await accountsBehind(db, account.shards)).toEqual([])
  expect(await collectFills(db, [account.id])).toEqual([])
  expect(await fillsOf(account)).toHaveLength(2)
})

test('nothing was filled: the cursor goes on, and nobody has news', async () => {
  const [quiet, empty] = [await accountWith(other(), other()), await accountWith()]
  expect(await collectFills(db, [quiet.id, empty.id, 'nobody'])).toEqual([])
  expect([await cursorOf(quiet), await cursorOf(empty)]).toEqual([2, 0])
  expect(await quiet.texts()).toEqual([])
})

test('an order that grows over several readings is told by what it grew', async () => {
  const account = await accountWith()
  for (const count of [1, 4, 4, 9, 10]) {
    await account.write(filled(7, count), other())
    await collectFills(db, [account.id])
  }
  expect(await account.texts()).toEqual([1, 3, 5, 1].map((count) => `삼성전자 ${count}주를 샀습니다`))
})

test('and so is one of two that fill in turn, also with a clock that is set back between', async () => {
  const account = await accountWith()
  // Rows 9 and 10 have the same time: neither by that nor by the text of their numbers are they in order.
  await account.write(...Array.from({ length: 8 }, () => other()), filled(1, 2), filled(1, 5), filled(2, 1), late(2, 6))
  await collectFills(db, [account.id])
  await account.write(late(1, 6), late(2, 7))
  await collectFills(db, [account.id])
  expect(await fillsOf(account)).toEqual([
    'fill 9: 2 for 200 of 1',
    'fill 10: 3 for 300 of 1',
    'fill 11: 1 for 100 of 2',
    'fill 12: 5 for 500 of 2',
    'fill 13: 1 for 100 of 1',
    'fill 14: 1 for 100 of 2',
  ])
})

test('a sale carries what its lots brought', async () => {
  const account = await TestAccount.add(db)
  await account.stock()
  await account.orders(1, 1, { side: 'sell' })
  await account.write(filled(1, 10), sold(4, 30), sold(6, -10), other(), sold(1, -999))
  await collectFills(db, [account.id])
  const rows = await db
    .selectFrom('notification')
    .select(['text', 'amounts', 'kind', 'code'])
    .where('user_id', '=', account.id)
    .execute()
  expect(rows).toEqual([
    {
      text: '삼성전자 10주를 팔았습니다',
      amounts: '주당 100원, 모두 1,000원, 순이익 +20원',
      kind: 'sold',
      code: '005930',
    },
  ])
})

test('more than one page, in one go, though a page ends amid the sales of a fill', async () => {
  const account = await accountWith()
  await account.orders(100, 100 + 1_400, { side: 'sell' })
  // Three rows each: the 2,000th is the first sale of a fill.
  const facts = Array.from({ length: 1_400 }, (_, n) => [filled(100 + n, 2), sold(1, 1), sold(1, 2)]).flat()
  await account.write(...facts)
  expect(await collectFills(db, [account.id])).toEqual([account.id])
  expect(await cursorOf(account)).toBe(4_200)
  const { rows } = await sql<{ fills: number; shares: number; net: number; orders: number }>`
    select count(*) as fills, sum((fill ->> 'count')::bigint)::bigint as shares, sum((fill ->> 'net')::bigint)::bigint as net,
      count(distinct fill ->> 'order') as orders from notification where user_id = ${account.id}`.execute(db)
  expect(rows).toEqual([{ fills: 1_400, shares: 2_800, net: 4_200, orders: 1_400 }])
})

test('exactly a page, and a fill with more sales than a page', async () => {
  const [exact, huge] = [await accountWith(), await accountWith()]
  await exact.orders(100, 2_099)
  await exact.write(...Array.from({ length: 2_000 }, (_, n) => filled(100 + n, 1)))
  await huge.orders(100, 100, { side: 'sell' })
  await huge.write(filled(100, 900), ...Array.from({ length: 2_500 }, () => sold(1, 1)), filled(1, 5))
  await collectFills(db, [exact.id, huge.id])
  expect(await exact.texts()).toHaveLength(2_000)
  expect(await huge.texts()).toEqual(['삼성전자 900주를 팔았습니다', '삼성전자 5주를 샀습니다'])
  expect([await cursorOf(exact), await cursorOf(huge)]).toEqual([2_000, 2_502])
})

test('many collectors while the account goes on trading: each fill once, and none left over', async () => {
  const account = await accountWith()
  await account.orders(100, 400)
  const trading = { isOver: false }
  const collecting = Array.from({ length: 4 }, async () => {
    while (!trading.isOver) await collectFills(db, [account.id])
  })
  for (let n = 0; n < 100; n += 1) await account.write(filled(100 + n, 3), filled(250 + (n % 10), 1 + n), other())
  trading.isOver = true
  await Promise.all(collecting)
  await collectFills(db, [account.id])
  const { rows } = await sql<{ order: number; shares: number; most: number }>`
    select (fill ->> 'order')::bigint as "order", sum((fill ->> 'count')::bigint)::bigint as shares,
      max((fill ->> 'totalCount')::bigint) as most from notification where user_id = ${account.id} group by 1`.execute(
    db,
  )
  expect(rows).toHaveLength(110)
  expect(rows.filter(({ shares, most }) => shares !== most)).toEqual([])
  expect(rows.reduce((sum, { shares }) => sum + shares, 0)).toBe(
    300 + [91, 92, 93, 94, 95, 96, 97, 98, 99, 100].reduce((a, b) => a + b),
  )
  expect(await cursorOf(account)).toBe(300)
})

test('what the winner had not read yet is told by the one who was overtaken', async () => {
  const account = await accountWith(filled(1, 1))
  // Both read; the account goes on; the first writes; the second, which has read more, must not leave it at that.
  const first = collectFills(db, [account.id])
  await account.write(filled(2, 2))
  await Promise.all([first, collectFills(db, [account.id])])
  expect((await account.texts()).toSorted()).toEqual(['삼성전자 1주를 샀습니다', '삼성전자 2주를 샀습니다'])
})

test('one that was removed, and several hundred at a time', async () => {
  const accounts = await Promise.all(Array.from({ length: 3 }, () => accountWith(filled(1, 2))))
  const strangers = Array.from({ length: 450 }, (_, n) => `nobody${n}`)
  const ids = accounts.map(({ id }) => id)
  const news = await collectFills(db, [...strangers.slice(0, 300), ...ids, ...strangers.slice(300)])
  expect(news.toSorted()).toEqual(ids.toSorted())
})

test('a stock that was removed since is named by its code', async () => {
  const account = await TestAccount.add(db)
  await account.buy(1, 2)
  await collectFills(db, [account.id])
  expect(await account.texts()).toEqual(['005930 2주를 샀습니다'])
})
