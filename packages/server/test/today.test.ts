import { MAX_DONE, type Today } from '@digger/contract'
import { kstInstant, kstIso } from '@digger/core'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { problemIn } from './request.ts'
import type { Person, ServerFixture } from './server-fixture.ts'
import { startFixture } from './shared-fixture.ts'

const DAY = '20261120'
const CODE = '005930'

let fixture: ServerFixture
let owner: Person

beforeEach(async () => {
  fixture = await startFixture()
  owner = await fixture.addPerson('owner')
  fixture.giveStock(owner.userId)
  const account = sql`insert into account (user_id, day, stop, next_order_id, next_lot_id, seq) values (${owner.userId}, ${DAY}, 'active', 1, 1, 0)`
  await account.execute(fixture.database.db)
})
afterEach(() => fixture[Symbol.asyncDispose]())

const read = (cookie = owner.cookie, whose = 'user') => fixture.call('GET', `/api/${whose}/today`, { cookie })
const today = async (): Promise<z.infer<typeof Today>> => (await read()).json()
const at = (time: number): number => kstInstant(DAY, time)

interface Ordered {
  readonly id: number
  readonly side: 'buy' | 'sell'
  readonly filled: number
  readonly amount: number
  readonly at: number
  readonly lots?: readonly number[]
  readonly day?: string
  readonly code?: string
  readonly origin?: 'auto' | 'person'
}

async function ordered({ id, side, filled, amount, at: time, ...rest }: Ordered): Promise<void> {
  const { lots = [], day = DAY, code = CODE, origin = 'auto' } = rest
  await sql`
    insert into account_order (user_id, id, code, side, origin, type, price, count, venue, session, status, live, day,
      odno, orgno, filled_count, filled_amount, reserved_price, created_at, updated_at, why, cancel_asked)
    values (${owner.userId}, ${id}, ${code}, ${side}, ${origin}, 'limit', 70000, 100, 'KRX', 'regular', 'cancelled', false, ${day},
      ${String(id).padStart(10, '0')}, '06010', ${filled}, ${amount}, 0, ${time}, ${time}, ${`까닭 ${id}`}, false)`.execute(
    fixture.database.db,
  )
  for (const [position, lotId] of lots.entries())
    await fixture.database.db
      .insertInto('order_lot')
      .values({ user_id: owner.userId, order_id: id, position, lot_id: lotId, count: 1, live: false })
      .execute()
}

/** A lot of so many shares bought at 70,000. */
async function sold(id: number, count: number, price: number | null, time: number, day = DAY): Promise<void> {
  await fixture.database.db
    .insertInto('trade')
    .values({
      user_id: owner.userId,
      id,
      code: CODE,
      count,
      buy_price: 70_000,
      buy_amount: 70_000 * count,
      bought_at: at(85_000),
      buy_order_id: null,
      held_back: false,
      taken_over: false,
      by_person: false,
      bought_before: 0,
      closed: true,
      sell_price: price,
      sell_amount: price === null ? null : price * count,
      sold_at: time,
      sell_day: day,
      fee: 10 * count,
      tax: 100 * count,
    })
    .execute()
}

describe('a day', () => {
  test('on which nothing was done is empty, and says what waits', async () => {
    expect(await today()).toEqual({
      day: DAY,
      bought: { count: 0, amount: 0 },
      sold: { count: 0, amount: 0, gainAmount: 0, costAmount: 0, netGainAmount: 0 },
      curve: [],
      done: [],
      doneCount: 0,
      // The buy of the settings, and the sale that rests: nearest first.
      waiting: [
        expect.objectContaining({ orderType: 'SELL', price: 70_200, qty: 2, isOut: true, currentPrice: 70_500 }),
        expect.objectContaining({ code: CODE, name: '삼성전자', orderType: 'BUY', isOut: false, currentPrice: 70_500 }),
      ],
      waitingCount: 2,
      attention: [],
      compared: { at: null, stocks: 1, differing: [] },
    })
  })

  test('on which the whole server only rehearses waits for nothing but what is out already', async () => {
    fixture.accounts.shadow = true
    const { waiting, waitingCount } = await today()
    expect([waiting.map(({ orderType, isOut }) => [orderType, isOut]), waitingCount]).toEqual([[['SELL', true]], 1])
  })

  test('adds up: what was sold, its costs, and what is left', async () => {
    await ordered({ id: 11, side: 'buy', filled: 5, amount: 346_502, at: at(90_500) })
    await ordered({ id: 12, side: 'sell', filled: 4, amount: 286_000, at: at(93_000), lots: [21, 22] })
    await sold(21, 2, 71_000, at(93_000))
    await sold(22, 2, 72_000, at(93_000))
    await sold(23, 1, 69_000, at(101_000))
    const { bought, sold: sales, curve, done, doneCount } = await today()
    expect(bought).toEqual({ count: 1, amount: 346_502 })
    expect(sales).toEqual({
      count: 2,
      amount: 286_000 + 69_000,
      gainAmount: 2_000 + 4_000 - 1_000,
      costAmount: 550,
      netGainAmount: 5_000 - 550,
    })
    expect(curve).toEqual([
      { at: kstIso(at(93_000)), netGainAmount: 6_000 - 440 },
      { at: kstIso(at(101_000)), netGainAmount: 6_000 - 440 - 1_110 },
    ])
    expect(doneCount).toBe(3)
    expect(
      done.map(({ orderType, qty, price, netGainAmount, auto, why }) => [
        orderType,
        qty,
        price,
        netGainAmount,
        auto,
        why,
      ]),
    ).toEqual([
      // A part of a lot has a number that no order names.
      ['SELL', 1, 69_000, -1_110, null, null],
      ['SELL', 4, 71_500, 5_560, true, '까닭 12'],
      ['BUY', 5, 69_301, null, true, '까닭 11'],
    ])
  })

  test('is not another one, nor is a correction whose sale nobody knows a sale', async () => {
    await ordered({ id: 11, side: 'buy', filled: 5, amount: 346_500, at: at(90_500), day: '20261119' })
    await ordered({ id: 12, side: 'buy', filled: 0, amount: 0, at: at(90_500) })
    await sold(21, 2, 71_000, at(93_000), '20261119')
    await sold(22, 2, null, at(93_000))
    expect(await today()).toMatchObject({ doneCount: 0, bought: { count: 0 }, sold: { count: 0, netGainAmount: 0 } })
  })

  test('with thousands of fills tells the newest, how many there were, and a point a minute', async () => {
    await sql`
      insert into trade (user_id, id, code, count, buy_price, buy_amount, bought_at, held_back, taken_over, by_person,
        bought_before, closed, sell_price, sell_amount, sold_at, sell_day, fee, tax)
      select ${owner.userId}, 1000 + n, ${CODE}, 1, 70000, 70000, 0, false, false, false, 0, true, 70500, 70500,
        ${at(90_000)}::bigint + n * 10000, ${DAY}, 10, 140
      from generate_series(0, 1999) n`.execute(fixture.database.db)
    const { done, doneCount, curve, sold: sales } = await today()
    expect([done.length, doneCount, sales.count]).toEqual([MAX_DONE, 2_000, 2_000])
    expect(done[0]?.at).toBe(kstIso(at(90_000) + 19_990_000))
    expect([curve.length, curve.at(-1)?.netGainAmount, sales.netGainAmount]).toEqual([334, 700_000, 700_000])
  })

  test('of a stock that is deleted has its name no more, but all of its money', async () => {
    await sold(21, 2, 71_000, at(93_000))
    fixture.accounts.happen(owner.userId, { kind: 'stockRemoved', code: CODE, at: 0 })
    expect(await today()).toMatchObject({ done: [{ code: CODE, name: CODE }], sold: { netGainAmount: 1_780 } })
  })
})

test('what its person is called for is told with its stock and since when', async () => {
  fixture.accounts.attentions = [
    { kind: 'orderLate', subject: `buy ${CODE}`, code: CODE, forMs: 34_000, text: '늦어요' },
    { kind: 'keyAbsent', subject: '', code: null, forMs: 60_000, text: '키가 없어요' },
  ]
  fixture.accounts.compared = { at: fixture.clock.now() - 5_000, differing: [CODE] }
  const now = fixture.clock.now()
  expect(await today()).toMatchObject({
    attention: [
      { kind: 'orderLate', code: CODE, name: '삼성전자', since: kstIso(now - 34_000), text: '늦어요' },
      { kind: 'keyAbsent', code: null, name: null, since: kstIso(now - 60_000) },
    ],
    compared: { at: kstIso(now - 5_000), stocks: 1, differing: [CODE] },
  })
})

test('nobody reads another one’s day but an administrator', async () => {
  const other = await fixture.addPerson('other')
  const boss = await fixture.addPerson('boss', true)
  expect(problemIn(await read(other.cookie, owner.userId))).toBe('FORBIDDEN')
  expect((await read(boss.cookie, owner.userId)).json()).toMatchObject({ day: DAY, waitingCount: 2 })
})
