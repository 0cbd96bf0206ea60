import { evolve, type Book, type Fact, type Order } from '@digger/core'
import type { KyselyPlugin } from 'kysely'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { KERNEL_LEASE } from '@digger/database'
import { type TestDatabase, testDatabase } from '@digger/database/testing'
import { SETTINGS } from '../test/settings.ts'
import { Committer } from './committer.ts'
import { loadBook } from './books.ts'
import { loadOrCreate } from './load.ts'
import { changesOf } from './rows-of.ts'
import { verifyAccount } from './verify.ts'

let database: TestDatabase
let users = 0
let userId: string
let book: Book
let seq: number
let epoch: number

const NOW = Date.UTC(2026, 0, 5, 1)

beforeAll(async () => {
  database = await testDatabase()
})
afterAll(async () => {
  await database[Symbol.asyncDispose]()
})

beforeEach(async () => {
  userId = `user${'abcdefgh'[users % 8]}${'abcdefgh'[users >> 3]}aaaaaaaa`
  users += 1
  await database.db
    .insertInto('users')
    .values({
      id: userId,
      email: `${userId}@example.com`,
      password_hash: 'x',
      account_masked: '****1234',
      account_mark: Buffer.from(userId),
      created_at: NOW,
      digger_admin: false,
      bank_balance: 0,
    })
    .execute()
  ;({ book, seq, epoch } = await loadOrCreate(database, userId, NOW))
  await write([{ kind: 'stockAdded', at: NOW, code: '005930', name: '삼성전자', issue, settings }])
})

const issue = { code: '005930', kind: 'stock', market: 'KOSPI', nxt: true } as const
const settings = { ...SETTINGS, lastBuyPrice: null }

const order = (id: number, change: Partial<Order> = {}): Order => ({
  id,
  code: '005930',
  side: 'buy',
  origin: 'auto',
  type: 'limit',
  price: 70_000,
  count: 2,
  venue: 'KRX',
  session: 'regular',
  lots: [{ lotId: id, count: 2 }],
  status: 'intended',
  day: '20260105',
  odno: null,
  orgno: null,
  filledCount: 0,
  filledAmount: 0,
  reservedPrice: 70_000,
  createdAt: NOW,
  updatedAt: NOW,
  why: 'test',
  note: null,
  absentFrom: null,
  cancelAsked: false,
  cancelWanted: false,
  ...change,
})
const intend = (one: Order): Fact => ({ kind: 'orderIntended', at: NOW, order: one })
const lot = (id: number, count: number) => ({
  id,
  count,
  buyPrice: 70_000,
  buyAmount: count * 70_000,
  boughtAt: NOW,
  buyOrderId: null,
  heldBack: false,
  takenOver: false,
})

async function write(facts: readonly Fact[]): Promise<void> {
  const next = facts.reduce(evolve, book)
  await new Committer(database.pool, KERNEL_LEASE).commit(changesOf(userId, { seq, epoch }, facts, next))
  book = next
  seq += facts.length
}

test('a second live buy of a stock is refused by the database itself', async () => {
  await write([intend(order(1))])
  await expect(write([intend(order(2))])).rejects.toThrow(/one_live_buy/)
})

test('a second live order of a lot is refused by the database itself', async () => {
  const sell = { side: 'sell', lots: [{ lotId: 7, count: 2 }] } as const
  await write([{ kind: 'lotBought', at: NOW, code: '005930', lot: lot(7, 2) }, intend(order(1, sell))])
  await expect(write([intend(order(2, sell))])).rejects.toThrow(/one_live_order_per_lot/)
})

test('an order may follow another that ended in the same commit', async () => {
  await write([intend(order(1))])
  await write([{ kind: 'orderEnded', at: NOW, orderId: 1, end: 'notPlaced', note: null }, intend(order(2))])
  expect((await loadBook(database.db, userId))?.book.orders.get(2)?.status).toBe('intended')
})

test('more filled than ordered is refused by the database itself', async () => {
  await write([intend(order(1)), { kind: 'orderAccepted', at: NOW, orderId: 1, odno: '1', orgno: '0' }])
  await expect(write([{ kind: 'orderFilled', at: NOW, orderId: 1, count: 3, amount: 210_000 }])).rejects.toThrow(
    /filled_within_order/,
  )
})

test('the same broker number twice on a day is refused by the database itself', async () => {
  const accepted = (orderId: number): Fact => ({ kind: 'orderAccepted', at: NOW, orderId, odno: '77', orgno: '0' })
  await write([
    intend(order(1)),
    accepted(1),
    { kind: 'orderEnded', at: NOW, orderId: 1, end: 'cancelled', note: null },
  ])
  await expect(write([intend(order(2)), accepted(2)])).rejects.toThrow(/one_odno/)
})

test('a writer that missed a journal row is refused and writes nothing', async () => {
  const before = { book, seq }
  await write([{ kind: 'userStopped', at: NOW, stop: 'reduce' }])
  ;({ book, seq } = before)
  await expect(write([{ kind: 'userStopped', at: NOW, stop: 'halt' }])).rejects.toThrow(/division by zero/)
  expect((await loadBook(database.db, userId))?.book.stop).toBe('reduce')
})

test('the journal cannot be changed', async () => {
  await expect(database.db.deleteFrom('journal').where('user_id', '=', userId).execute()).rejects.toThrow(/append-only/)
})

test('one refused account does not hold back the others of its batch', async () => {
  await write([intend(order(1))])
  const committer = new Committer(database.pool, KERNEL_LEASE)
  const good = changesOf(userId, { seq, epoch }, [{ kind: 'userStopped', at: NOW, stop: 'halt' }], {
    ...book,
    stop: 'halt',
  })
  const bad = changesOf('nobodyaaaaaaaa', { seq: 0, epoch }, [], book)
  const [first, second] = await Promise.allSettled([committer.commit(bad), committer.commit(good)])
  expect([first.status, second.status]).toEqual(['rejected', 'fulfilled'])
  expect((await loadBook(database.db, userId))?.book.stop).toBe('halt')
})

test('what is loaded is what was in memory, and the journal rebuilds it', async () => {
  await write([intend(order(1)), { kind: 'orderAccepted', at: NOW, orderId: 1, odno: '12', orgno: '06010' }])
  await write([
    { kind: 'orderFilled', at: NOW, orderId: 1, count: 2, amount: 139_999 },
    { kind: 'lotBought', at: NOW, code: '005930', lot: { ...lot(1, 2), buyAmount: 139_999, buyOrderId: 1 } },
    { kind: 'orderEnded', at: NOW, orderId: 1, end: 'filled', note: null },
    { kind: 'referenceMoved', at: NOW, code: '005930', price: 70_000, why: 'fill' },
    { kind: 'lotSplit', at: NOW, code: '005930', lotId: 1, newLotId: 2, count: 1 },
    {
      kind: 'stockBlocked',
      at: NOW,
      code: '005930',
      blocked: { code: 'rejects', short: false, text: '멈춤', at: NOW },
    },
  ])
  const trade = {
    id: 2,
    code: '005930',
    count: 1,
    buyPrice: 70_000,
    buyAmount: 69_999,
    boughtAt: NOW,
    sellPrice: 70_900,
    sellAmount: 70_900,
    soldAt: NOW,
    day: '20260105',
    fee: 20,
    tax: 141,
  }
  await write([
    { kind: 'lotSold', at: NOW, lotId: 2, trade },
    { kind: 'lotsHeldBack', at: NOW, code: '005930', lotIds: [1], heldBack: true },
  ])
  expect((await loadBook(database.db, userId))?.book).toEqual(book)
  expect((await verifyAccount(database.db, userId)).differences).toEqual([])
})

test('shares that never come: lots at their new cost, and a loss that was no lot, come back as the journal has them', async () => {
  const [at, code] = [NOW, '005930']
  await write([
    { kind: 'lotBought', at, code, lot: lot(1, 2) },
    { kind: 'lotBought', at, code, lot: lot(2, 2) },
    { kind: 'sharesExpected', at, code, expected: { count: 2, amount: 90_000 } },
  ])
  await write([{ kind: 'expectedGivenUp', at, code, lots: [{ id: 1, buyPrice: 115_000, buyAmount: 230_000 }] }])
  expect(book.stocks.get(code)).toMatchObject({
    expected: null,
    lots: [{ buyAmount: 230_000 }, { buyAmount: 140_000 }],
  })
  expect((await loadBook(database.db, userId))?.book).toEqual(book)
  const trade = { id: 3, code, count: 2, buyPrice: 45_000, buyAmount: 90_000, boughtAt: NOW }
  const loss = { sellPrice: 0, sellAmount: 0, soldAt: NOW, day: '20260105', fee: 12, tax: 0 }
  await write([
    { kind: 'lotSold', at, lotId: 3, trade: { ...trade, ...loss } },
    { kind: 'expectedGivenUp', at, code, lots: [] },
  ])
  expect((await loadBook(database.db, userId))?.book).toEqual(book)
  expect(book).toMatchObject({ gainToday: -90_012, nextLotId: 4 })
  expect((await verifyAccount(database.db, userId)).differences).toEqual([])
})

test('the journal check finds a row that was changed behind its back', async () => {
  await write([{ kind: 'lotBought', at: NOW, code: '005930', lot: lot(5, 3) }])
  await database.db.updateTable('trade').set({ count: 4 }).where('user_id', '=', userId).execute()
  expect((await verifyAccount(database.db, userId)).differences).toEqual([expect.stringContaining('lot: journal')])
})

test('the journal check looks at one moment: a server that goes on meanwhile makes no difference', async () => {
  const writes: Promise<void>[] = []
  const goesOn: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      if (writes.length === 0) writes.push(write([{ kind: 'lotBought', at: NOW, code: '005930', lot: lot(6, 3) }]))
      // The embedded database has one connection, and the write its turn after the check.
      await Promise.race([...writes, delay(200)])
      return result
    },
  }
  expect((await verifyAccount(database.db.withPlugin(goesOn), userId)).differences).toEqual([])
  await Promise.all(writes)
  expect((await verifyAccount(database.db, userId)).differences).toEqual([])
})

test('limits, their stops and what today realised come back as the journal has them, also of accounts from before', async () => {
  // What the migration gave them.
  await database.pool.query('update account set limits = default where user_id = $1', [userId])
  expect((await loadBook(database.db, userId))?.book).toEqual(book)
  const at = NOW
  await write([
    { kind: 'lotBought', at, code: '005930', lot: lot(1, 2) },
    { kind: 'limitsSet', at, own: { lossAmount: 5 }, pending: [{ limit: 'lossAmount', value: 9, from: '20260106' }] },
    { kind: 'limitReached', at, limit: 'lossAmount', text: '손실' },
    { kind: 'stockLimitReached', at, code: '005930', limit: 'repeatCount', text: '반복' },
    { kind: 'unknownCounted', at, lostAt: [NOW] },
  ])
  const trade = { id: 1, code: '005930', count: 2, buyPrice: 70_000, buyAmount: 140_000, boughtAt: NOW }
  const sale = { sellPrice: 69_000, sellAmount: 138_000, soldAt: NOW, day: '20260105', fee: 20, tax: 200 }
  await write([{ kind: 'lotSold', at, lotId: 1, trade: { ...trade, ...sale } }])
  const loaded = await loadBook(database.db, userId)
  expect(loaded?.book).toEqual(book)
  expect(loaded?.book).toMatchObject({ gainToday: -2_220, stop: 'reduce', limits: { own: { lossAmount: 5 } } })
  expect((await verifyAccount(database.db, userId)).differences).toEqual([])
})

test('where in its buy a split lot lies comes back as the journal has it, also once it is sold', async () => {
  const stamp = { at: NOW, code: '005930' } as const
  await write([
    { ...stamp, kind: 'lotBought', lot: lot(1, 3) },
    { ...stamp, kind: 'lotSplit', lotId: 1, newLotId: 2, count: 1, boughtBefore: 140_000 },
    { ...stamp, kind: 'lotSplit', lotId: 1, newLotId: 3, count: 1, boughtBefore: 70_000 },
  ])
  const loaded = await loadBook(database.db, userId)
  expect(loaded?.book).toEqual(book)
  expect(loaded?.book.stocks.get('005930')?.lots.map(({ boughtBefore }) => boughtBefore)).toEqual([
    undefined,
    140_000,
    70_000,
  ])
  const trade = { id: 2, code: '005930', count: 1, buyPrice: 70_000, buyAmount: 70_000, boughtAt: NOW }
  const sale = { sellPrice: 71_000, sellAmount: 71_000, soldAt: NOW, day: '20260105', fee: 21, tax: 142 }
  await write([{ kind: 'lotSold', at: NOW, lotId: 2, trade: { ...trade, ...sale } }])
  expect((await verifyAccount(database.db, userId)).differences).toEqual([])
})

test('who bought a lot comes back as the journal has it, and also after a part of it was sold', async () => {
  const bought = { kind: 'lotBought', at: NOW, code: '005930' } as const
  await write([
    { ...bought, lot: lot(1, 2) },
    { ...bought, lot: { ...lot(2, 3), byPerson: true } },
    { kind: 'lotSplit', at: NOW, code: '005930', lotId: 2, newLotId: 3, count: 1 },
  ])
  const loaded = await loadBook(database.db, userId)
  expect(loaded?.book).toEqual(book)
  expect(loaded?.book.stocks.get('005930')?.lots.map(({ byPerson }) => byPerson)).toEqual([undefined, true, true])
  expect((await verifyAccount(database.db, userId)).differences).toEqual([])
})
