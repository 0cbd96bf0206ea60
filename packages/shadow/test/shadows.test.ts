import { evolve, type Fact } from '@digger/core'
import { FencedError } from '@digger/storage'
import { beforeEach, expect, test } from 'vitest'
import { appendShadow, loadShadow } from '../src/journal.ts'
import { verifyShadow } from '../src/verify.ts'
import { openScene, type Scene } from './scene.ts'
import { CODE, SETTINGS, shown } from './stage.ts'

let scene: Scene

beforeEach(async () => {
  scene = await openScene()
})

test('prices make orders that nobody sends, and what is shown is in the table', async () => {
  await scene.price(70_000)
  expect(scene.orders).toEqual(['S1 buy 2 @ 70000 open'])
  await scene.price(69_900)
  expect(scene.orders.at(-1)).toBe('S2 sell 2 @ 70700 open')
  const { state } = await loadShadow(scene.database.db, scene.userId)
  expect([...state.account.book.orders.values()].map(shown)).toEqual(scene.orders)
  expect(scene.problems).toEqual([])
})

test('killed at any moment: the next process shows what was shown, and goes on from there', async () => {
  for (const price of [70_000, 69_900, 69_300, 69_000]) {
    await scene.price(price)
    const [orders, outlay] = [scene.orders, scene.shadows.state(scene.userId)?.outlay]
    scene.shadows = scene.process()
    await scene.tick(3)
    expect(scene.orders).toEqual(orders)
    expect(scene.shadows.state(scene.userId)?.outlay).toEqual(outlay)
  }
  await scene.price(80_000)
  expect(scene.account?.book.stocks.get(CODE)?.lots).toEqual([])
})

test('killed between both journals: a stock that went back meanwhile is rehearsed no more', async () => {
  await scene.price(70_000)
  scene.shadows = scene.process()
  scene.real = evolve(scene.real, { kind: 'stockShadowed', code: CODE, shadow: false, at: 1 })
  scene.isEverything = true
  await scene.tick(2)
  scene.isEverything = false
  await scene.happens({ kind: 'stockChecked', code: CODE, at: 2 })
  expect([...(scene.account?.book.stocks.keys() ?? [])]).toEqual([])
  expect(scene.orders).toEqual(['S1 buy 2 @ 70000 cancelled'])
})

test('killed while a person saves: the next process goes by what was saved, and writes nothing when it meets it again', async () => {
  await scene.price(70_000)
  await scene.price(69_900)
  scene.shadows = scene.process()
  const settings = { ...SETTINGS, maxBuyPrice: 50_000, sellPercent: 5 }
  const saved: Fact[] = [
    { kind: 'settingsSaved', code: CODE, settings, at: 1 },
    { kind: 'stockStopped', code: CODE, stop: 'reduce', at: 1 },
  ]
  scene.real = saved.reduce(evolve, scene.real)
  await scene.tick(3)
  expect(scene.account?.book.stocks.get(CODE)).toMatchObject({
    settings: { ...settings, lastBuyPrice: 70_000 },
    stop: 'reduce',
  })
  expect(scene.orders.at(-1)).toBe('S3 sell 2 @ 73500 open')
  const { db } = scene.database
  const { seq } = await loadShadow(db, scene.userId)
  scene.shadows = scene.process()
  await scene.tick(3)
  await scene.happens({ kind: 'stockChecked', code: CODE, at: 2 })
  expect((await loadShadow(db, scene.userId)).seq).toBe(seq)
  expect((await verifyShadow(db, scene.userId)).problems).toEqual([])
})

test('what a person orders by hand goes here and says so; of other stocks it says nothing', async () => {
  await scene.price(70_000)
  await scene.price(69_900)
  const sale = { kind: 'sellAtMarket', code: CODE } as const
  await expect(scene.take(sale)).rejects.toThrow('연습: 보내지 않았습니다. 그림자 장부에 주문 1건을 적었습니다.')
  await scene.tick()
  expect(scene.account?.book.stocks.get(CODE)?.lots).toEqual([])
  await expect(scene.take(sale)).rejects.toThrow('연습: 보내지 않았습니다. 그림자 장부에도')
  await expect(scene.take({ kind: 'sellAtMarket', code: '000660' })).resolves.toBeUndefined()
  await expect(scene.take({ kind: 'cancelOrders', code: CODE })).resolves.toBeUndefined()
  await scene.happens({ kind: 'stockShadowed', code: CODE, shadow: false, at: 1 })
  await expect(scene.take(sale)).resolves.toBeUndefined()
})

test('a market buy by hand costs no more than both leave of the cash', async () => {
  await scene.price(69_000)
  const buy = { kind: 'marketBuy', code: CODE, amount: 200_000 } as const
  await scene.happens({ kind: 'settingsSaved', code: CODE, settings: { ...SETTINGS, autoBuy: false }, at: 1 })
  await scene.tick(2)
  await expect(scene.take(buy)).rejects.toThrow('주문 1건을 적었습니다')
  expect(scene.orders).toContain('S2 buy 2 @ 70000 filled')
  expect(scene.shadows.state(scene.userId)?.outlay.get(CODE)).toBe(2 * 69_000)
})

test('an account that another process has taken is rehearsed by that one alone', async () => {
  await scene.database.db.updateTable('account').set({ epoch: 7 }).execute()
  await scene.price(70_000)
  expect(scene.problems).toEqual([expect.any(FencedError)])
  expect(scene.account).toBeUndefined()
  scene.own(7)
  await scene.tick(3)
  await scene.price(69_900)
  expect(scene.orders[0]).toBe('S1 buy 2 @ 70000 filled')
})

test('whoever asks is answered, though the rehearsal ends while the broker is asked for the cash', async () => {
  await scene.price(69_000)
  const cash = Promise.withResolvers<{ amount: number; askedAt: number }>()
  scene.cash = () => cash.promise
  const buy = scene.take({ kind: 'marketBuy', code: CODE, amount: 200_000 })
  scene.own(7)
  scene.shadows.ticked(scene.userId)
  cash.resolve({ amount: 10_000_000, askedAt: scene.now })
  await expect(buy).rejects.toThrow('계좌를 맡은 서버가 바뀌었습니다. 잠시 뒤 다시 해 주세요.')
})

test('cash that is told too late rehearses nothing of what was answered by then', async () => {
  await scene.price(69_000)
  const cash = Promise.withResolvers<{ amount: number; askedAt: number }>()
  scene.cash = () => cash.promise
  const orders = [...scene.orders]
  const buy = scene.take({ kind: 'marketBuy', code: CODE, amount: 200_000 })
  scene.clock.advance(35_000)
  await expect(buy).rejects.toThrow('아무것도 바꾸지 않았습니다.')
  cash.resolve({ amount: 10_000_000, askedAt: scene.now })
  await scene.tick(2)
  expect(scene.orders).toEqual(orders)
})

test('whoever waits already is answered, though what was decided cannot be written', async () => {
  await scene.price(70_000)
  await scene.price(69_900)
  await scene.database.db.updateTable('account').set({ epoch: 7 }).execute()
  const sales = [1, 2].map(() => scene.take({ kind: 'sellAtMarket', code: CODE }))
  for (const { status } of await Promise.allSettled(sales)) expect(status).toBe('rejected')
  expect(scene.problems).toEqual([expect.any(FencedError)])
})

test('a rehearsal that lacks a row is read ever more rarely, and reported once', async () => {
  const { db } = scene.database
  const { seq } = await loadShadow(db, scene.userId)
  const fact: Fact = { kind: 'stockChecked', code: CODE, at: 1 }
  await db
    .insertInto('shadow_fact')
    .values({ user_id: scene.userId, seq: seq + 2, at: 1, fact })
    .execute()
  scene.shadows = scene.process()
  scene.queries = 0
  await scene.tick(600)
  expect(scene.problems).toEqual([new Error(`${scene.userId}: row ${seq + 1} of the rehearsal is missing`)])
  expect(scene.queries).toBeLessThan(15)
  // It is read again, and goes on, once its row is there.
  await db
    .insertInto('shadow_fact')
    .values({ user_id: scene.userId, seq: seq + 1, at: 1, fact })
    .execute()
  await scene.tick(300)
  expect(scene.account).toBeDefined()
})

test('one whose first event fails is no rehearsal, and is read ever more rarely', async () => {
  scene.shadows = scene.process()
  scene.broken = true
  scene.queries = 0
  await scene.tick(60)
  expect(scene.problems).toEqual([new Error('a rehearsal does not come to rest')])
  expect(scene.queries).toBeLessThan(10)
  expect(scene.account).toBeUndefined()
  expect(scene.shadows.hasFailed(scene.userId)).toBe(true)
  await expect(scene.take({ kind: 'sellAtMarket', code: CODE })).rejects.toThrow('열지 못했습니다')
  scene.broken = false
  await scene.tick(60)
  expect(scene.account).toBeDefined()
  expect(scene.shadows.hasFailed(scene.userId)).toBe(false)
})

test('rows are written once, in their order, and stay', async () => {
  const { db } = scene.database
  const { seq } = await loadShadow(db, scene.userId)
  const position = { seq, epoch: scene.owned.of(scene.userId)?.epoch ?? -1 }
  const facts: Fact[] = [{ kind: 'stockChecked', code: CODE, at: 1 }]
  await appendShadow(db, scene.userId, position, facts)
  await expect(appendShadow(db, scene.userId, position, facts)).rejects.toThrow(/duplicate/)
  await expect(db.deleteFrom('shadow_fact').execute()).rejects.toThrow(/append-only|append only|never/)
  expect((await loadShadow(db, scene.userId)).seq).toBe(seq + 1)
})

test('nothing of it is in the real journal', async () => {
  await scene.price(70_000)
  const rows = await scene.database.db.selectFrom('journal').select('fact').execute()
  expect(rows.map(({ fact }) => fact.kind)).toEqual(['dayOpened'])
  expect(await scene.database.db.selectFrom('account_order').selectAll().execute()).toEqual([])
})
