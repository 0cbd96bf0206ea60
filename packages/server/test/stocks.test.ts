import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Stock } from '@digger/contract'
import { SETTINGS } from '@digger/engine/testing'
import { setMayAddStocks } from '@digger/identity'
import { problemIn } from './request.ts'
import { startFixture } from './shared-fixture.ts'
import type { Person, ServerFixture } from './server-fixture.ts'

let fixture: ServerFixture
let owner: Person

beforeEach(async () => {
  fixture = await startFixture()
  owner = await fixture.addPerson('owner')
  fixture.giveStock(owner.userId)
})
afterEach(() => fixture[Symbol.asyncDispose]())

const get = async <T>(url: string): Promise<T> => (await fixture.call('GET', url, { cookie: owner.cookie })).json<T>()

const save = (code: string, body: object) =>
  fixture.call('POST', `/api/user/stock/${code}`, { cookie: owner.cookie, payload: body })

interface Sold {
  readonly id: number
  readonly code: string
  readonly sell: number | null
  readonly day: string
}

/** Two shares bought at 70,000 and sold; as the accounts leave it in the book and its table. */
function soldTrade({ id, code, sell, day }: Sold): void {
  const at = fixture.clock.now()
  const [buyPrice, count, buyAmount] = [70_000, 2, 140_000]
  const sellAmount = sell === null ? null : sell * count
  const trade = {
    id,
    code,
    count,
    buyPrice,
    buyAmount,
    boughtAt: at,
    soldAt: at,
    day,
    fee: 42,
    tax: 284,
    sellPrice: sell,
    sellAmount,
  }
  fixture.accounts.happen(owner.userId, { at, kind: 'lotSold', lotId: 99, trade })
}

describe('a stock', () => {
  test('shows holding, gain against the last price, and past gain apart from it', async () => {
    soldTrade({ id: 9, code: '005930', sell: 71_000, day: '20261119' })
    const shown = await get<Stock>('/api/user/stock/005930')
    expect(shown).toMatchObject({ remainCount: 4, remainAmount: 278_600, gainAmount: 3_400, accGainAmount: 2_000 })
    expect(shown.gainRatio).toBeCloseTo(1.2204, 4)
    const without = await get<Stock>('/api/user/stock/005930?withSavedGain=false')
    expect([without.accGainAmount, without.gainAmount]).toEqual([0, 3_400])
  })

  test('says that it is only rehearsed, by its own switch or because the whole server is', async () => {
    expect(await get('/api/user/stock/005930')).not.toHaveProperty('shadow')
    fixture.accounts.shadow = true
    expect(await get('/api/user/stock/005930')).toMatchObject({ shadow: true })
    fixture.accounts.shadow = false
    fixture.accounts.happen(owner.userId, { kind: 'stockShadowed', code: '005930', shadow: true, at: 0 })
    expect(await get('/api/user/stock/005930')).toMatchObject({ shadow: true })
  })

  test('a simulated price changes what is shown and nothing else', async () => {
    expect(await get('/api/user/stock/005930?simulPrice=80000')).toMatchObject({ price: 80_000, gainAmount: 41_400 })
    expect(await get('/api/user/stock/005930')).toMatchObject({ price: 70_500 })
    expect(fixture.accounts.commands).toEqual([])
  })

  test('without a price is not a loss', async () => {
    fixture.accounts.prices.clear()
    expect(await get('/api/user/stock/005930')).toMatchObject({
      price: null,
      priceAt: null,
      gainAmount: 0,
      kind: 'stock',
    })
  })

  test('the list shows the watched ones, or all', async () => {
    fixture.giveStock(owner.userId, '000660')
    await fixture.call('POST', '/api/user/stock/000660/subscribed', { cookie: owner.cookie })
    expect((await get<Stock[]>('/api/user/stock')).map(({ code }) => code)).toEqual(['005930'])
    expect(await get<Stock[]>('/api/user/stock?showOnlyWatch=false')).toHaveLength(2)
  })
})

describe('saving settings', () => {
  test('takes the settings out of the whole stock, numbers with commas too, and names what changed', async () => {
    const whole = await get<Stock>('/api/user/stock/005930')
    const reply = await save('005930', { ...whole, maxBuyPrice: '80,000', minSellPrice: '', remainCount: 999 })
    expect(reply.json()).toMatchObject({ maxBuyPrice: 80_000, minSellPrice: null, remainCount: 4 })
    const [line] = await get<{ action: string; detail: string; by: string }[]>('/api/user/audit')
    expect(line).toMatchObject({ by: owner.email, detail: '005930 · 최고 매수가 75,000원 → 80,000원' })
  })

  test('of an old copy is a conflict', async () => {
    const whole = await get<Stock>('/api/user/stock/005930')
    await save('005930', { ...whole, maxBuyPrice: 80_000 })
    expect(problemIn(await save('005930', { ...whole, maxBuyPrice: 90_000 }))).toBe('CONFLICT')
    expect(await get('/api/user/stock/005930')).toMatchObject({ maxBuyPrice: 80_000 })
  })

  test('of a new code asks the broker for its name; one it does not know is not added', async () => {
    await setMayAddStocks(fixture.database.db, owner.userId, true)
    expect((await save('000660', SETTINGS)).json()).toMatchObject({ name: 'SK하이닉스', nxt: true })
    expect(problemIn(await save('123456', SETTINGS))).toBe('NOT_FOUND')
  })
})

test('a market buy of 100 is one million won, multiplied once', async () => {
  const admin = await fixture.addPerson('boss', true)
  const url = `/api/${owner.userId}/stock/005930/order/buy`
  await fixture.call('POST', url, { cookie: admin.cookie, payload: { amount: '100' } })
  expect(fixture.accounts.commands).toEqual([
    { userId: owner.userId, command: { kind: 'marketBuy', code: '005930', amount: 1_000_000 } },
  ])
  const [line] = await get<{ by: string; detail: string }[]>('/api/user/audit')
  expect(line).toMatchObject({ by: admin.email, detail: '005930 · 1000000원' })
})

test('an order is cancelled by the broker’s number, or by ours while it has none', async () => {
  for (const orderId of ['0000004321', 'local-1']) {
    await fixture.call('POST', `/api/user/balance/cancel/${orderId}`, { cookie: owner.cookie })
  }
  expect(fixture.accounts.commands.map(({ command }) => command)).toEqual([
    { kind: 'cancelOrder', odno: '0000004321' },
    { kind: 'cancelOrder', id: 1 },
  ])
})

test('what the engine refuses comes with its message, and is in the log of the account', async () => {
  const { Refused } = await import('@digger/contract')
  fixture.accounts.answer = new Refused('STOPPED', '이 종목은 멈춰 있습니다.')
  const reply = await fixture.call('POST', '/api/user/stock/005930/sell', { cookie: owner.cookie })
  expect(reply.json()).toEqual({ code: 'STOPPED', message: '이 종목은 멈춰 있습니다.' })
  const [line] = await get<{ detail: string }[]>('/api/user/audit')
  expect(line?.detail).toBe('005930 · 거절: 이 종목은 멈춰 있습니다.')
})

test('the log of an account cannot be changed, not even in the database', async () => {
  await fixture.call('POST', '/api/user/stock/005930/sell', { cookie: owner.cookie })
  await expect(fixture.database.pool.query(`update audit set detail = ''`)).rejects.toThrow(/append-only/)
  await expect(fixture.database.pool.query('delete from audit')).rejects.toThrow(/append-only/)
})

describe('all users at once', () => {
  test('each has a line, failures too, and the administrator’s screen counts along', async () => {
    const admin = await fixture.addPerson('boss', true)
    const keyless = await fixture.addUser('away')
    await fixture.vault.remove(keyless)
    await fixture.accounts.lock(keyless)
    const reply = await fixture.call('POST', '/api/admin/8017/order/sell', { cookie: admin.cookie })
    expect(reply.json()).toEqual({
      jobId: expect.any(Number),
      results: [
        { userId: owner.userId, email: owner.email, ok: true, message: '1종목을 목표가에 걸었습니다.' },
        { userId: admin.userId, email: admin.email, ok: true, message: '0종목을 목표가에 걸었습니다.' },
        { userId: keyless, email: 'away@digger.test', ok: false, message: expect.stringContaining('키') },
      ].sort((a, b) => (a.userId < b.userId ? -1 : 1)),
    })
    const [line] = await get<{ action: string; by: string }[]>('/api/user/audit')
    expect(line).toMatchObject({ action: '일괄 매도', by: admin.email })
  })
})

describe('stops', () => {
  test('of a stock and of everything of mine are mine; of the server an administrator’s', async () => {
    const set = (payload: object, cookie = owner.cookie) => fixture.call('POST', '/api/user/stop', { cookie, payload })
    expect((await set({ level: 'stock', code: '005930', stop: 'halt' })).json()).toMatchObject({
      stocks: [{ code: '005930', stop: 'halt' }],
    })
    expect((await set({ level: 'user', stop: 'reduce' })).json()).toMatchObject({ user: 'reduce', server: 'active' })
    expect(problemIn(await set({ level: 'server', stop: 'halt' }))).toBe('FORBIDDEN')
    expect(problemIn(await set({ level: 'stock', stop: 'halt' }))).toBe('INVALID')
    expect(problemIn(await set({ level: 'stock', code: '999999', stop: 'halt' }))).toBe('NOT_FOUND')
    const admin = await fixture.addPerson('boss', true)
    expect((await set({ level: 'server', stop: 'halt' }, admin.cookie)).json()).toMatchObject({ server: 'halt' })
  })
})
