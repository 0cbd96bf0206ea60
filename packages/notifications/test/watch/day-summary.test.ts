import { type Book, emptyBook, evolve, kstInstant, KRX_ONLY, type Timetable } from '@digger/core'
import type { Db } from '@digger/database'
import { sharedDatabase, TestClock } from '@digger/database/testing'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { DaySummaries, daySummedUp } from '../../src/watch/day-summary.ts'
import { CODE, TestAccount } from '../outbox/fixture.ts'

const DAY = '20261116'
const KRX: Timetable = { hours: 'krx', closed: new Set(), special: new Map() }

const settings = {
  maxBuyPrice: 75_000,
  maxBuyAmount: 10_000_000,
  buyUnitPrice: 200_000,
  lastBuyPrice: null,
  recoverLastBuyPrice: true,
  autoBuy: true,
  buyPercent: -1,
  autoSell: true,
  sellPercent: 1.2,
  useMinSellPrice: false,
  minSellPrice: null,
  autoSellWithAvgPrice: false,
}
const issue = { code: CODE, kind: 'stock', market: 'KOSPI', nxt: false } as const
const trading = evolve(emptyBook(DAY), { kind: 'stockAdded', code: CODE, name: '삼성전자', issue, settings, at: 0 })
const inEvenings: Book = evolve(trading, { kind: 'venuesChosen', venues: { ...KRX_ONLY, afterMarket: true }, at: 0 })

describe("a day is summed up half an hour after the account's last session, and nine hours long", () => {
  test.each<[string, Book, string, number, string | null]>([
    ['a second before', trading, DAY, 155_959, null],
    ['as it is due', trading, DAY, 160_000, DAY],
    ['at midnight', trading, '20261117', 0, DAY],
    ['as it is too late', trading, '20261117', 10_000, null],
    ['in the evening, before', inEvenings, DAY, 202_959, null],
    ['in the evening', inEvenings, DAY, 203_000, DAY],
    ['in the evening, until half past five', inEvenings, '20261117', 52_959, DAY],
    ['in the evening, then', inEvenings, '20261117', 53_000, null],
    ['on Saturday, of Friday', inEvenings, '20261121', 10_000, '20261120'],
    ['on Sunday', trading, '20261122', 0, null],
  ])('%s', (_name, book, day, hhmmss, due) => expect(daySummedUp(book, kstInstant(day, hhmmss), KRX)).toBe(due))

  test('of a closed day there is nothing', () => {
    expect(daySummedUp(trading, kstInstant(DAY, 170_000), { ...KRX, closed: new Set([DAY]) })).toBeNull()
  })

  test('a market that never closes: half past midnight, of the day before', () => {
    expect(daySummedUp(trading, kstInstant('20261117', 2_959), { ...KRX, hours: 'always' })).toBeNull()
    expect(daySummedUp(trading, kstInstant('20261117', 3_000), { ...KRX, hours: 'always' })).toBe(DAY)
  })
})

let db: Db
let account: TestAccount
let clock: TestClock
beforeAll(async () => {
  ;({ db } = await sharedDatabase())
})
beforeEach(async () => {
  account = await TestAccount.add(db)
  clock = new TestClock(kstInstant(DAY, 160_000))
})

const summaries = (book: Book, ...more: TestAccount[]): DaySummaries =>
  new DaySummaries({
    db,
    clock,
    timetable: () => KRX,
    accounts: () => [account, ...more].map(({ id }) => ({ userId: id, book })),
  })
const found = async ({ id }: TestAccount = account) =>
  db.selectFrom('notification').select(['text', 'amounts', 'subject']).where('user_id', '=', id).orderBy('id').execute()

const bought = (id: number, amount: number, day = DAY) =>
  sql`
  update account_order set filled_count = 10, filled_amount = ${amount}, day = ${day} where user_id = ${account.id} and id = ${id}`.execute(
    db,
  )
const lot = (id: number, sale: { amount: number | null; day?: string } | null) =>
  sql`
  insert into trade (user_id, id, code, count, buy_price, buy_amount, bought_at, held_back, closed, sell_price, sell_amount, sold_at, sell_day,
    fee, tax, taken_over, by_person, bought_before)
  values (${account.id}, ${id}, ${CODE}, 10, 100, 1000, 0, false, ${sale !== null}, 1, ${sale?.amount ?? null}, ${sale && 1},
    ${sale && (sale.day ?? DAY)}, ${sale && 3}, ${sale && 2}, false, false, 0)`.execute(db)

test('what was bought, sold and gained, and what is left; nothing of other days', async () => {
  await account.orders(1, 5)
  await bought(1, 12_000)
  await bought(2, 1_234_000)
  await bought(3, 5_000, '20261113')
  await lot(1, { amount: 1_500 })
  await lot(2, { amount: 900 })
  await lot(3, { amount: 7_777, day: '20261113' })
  // Corrected away: nobody knows what it brought.
  await lot(4, { amount: null })
  await lot(5, null)
  await summaries(trading).look()
  expect(await found()).toEqual([
    {
      text: '11월 16일 정리: 매수 2건, 매도 2건, 남은 매수 1건',
      amounts: '산 금액 1,246,000원, 판 금액 2,400원, 순이익 +390원',
      subject: 'day 20261116',
    },
  ])
})

test('once, also by two processes and after a restart', async () => {
  await Promise.all([summaries(trading).look(), summaries(trading).look()])
  const one = summaries(trading)
  await one.look()
  clock.advance(3_600_000)
  await one.look()
  expect(await found()).toHaveLength(1)
  clock.advance(24 * 3_600_000)
  await one.look()
  expect((await found()).map(({ subject }) => subject)).toEqual(['day 20261116', 'day 20261117'])
})

test('an account that neither traded nor was to trade is not bothered; one that was is told of a quiet day', async () => {
  const halted = evolve(trading, { kind: 'userStopped', stop: 'halt', at: 0 })
  await summaries(halted).look()
  expect(await found()).toEqual([])
  await summaries(trading).look()
  expect((await found())[0]).toMatchObject({ text: '11월 16일 정리: 매수 0건, 매도 0건, 남은 매수 0건' })
})

test('halted since, but it traded', async () => {
  await account.orders(1)
  await bought(1, 100)
  const other = await TestAccount.add(db)
  await summaries(evolve(trading, { kind: 'userStopped', stop: 'halt', at: 0 }), other).look()
  expect([(await found()).length, (await found(other)).length]).toEqual([1, 0])
})
