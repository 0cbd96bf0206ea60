import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { remainCount } from '@digger/core'
import { UnreachableError } from '@digger/kis'
import { execution, fakeKis, SETTINGS } from '@digger/engine/testing'
import { BrokerBalances } from '@digger/screens'
import { problemIn } from './request.ts'
import { startFixture } from './shared-fixture.ts'
import { type Person, type ServerFixture } from './server-fixture.ts'

const unexpected = (userId: string, error: unknown): never => expect.unreachable(`${userId}: ${String(error)}`)

let fixture: ServerFixture
let owner: Person

beforeEach(async () => {
  fixture = await startFixture()
  // Logging in asks for the balance: here nothing is known of it yet.
  fixture.accounts.kisOf = () => fakeKis({ balance: () => Promise.reject(new UnreachableError('away')) })
  owner = await fixture.addPerson('owner')
  fixture.accounts.kisOf = () => fakeKis()
  fixture.giveStock(owner.userId)
})
afterEach(() => fixture[Symbol.asyncDispose]())

test.each([
  ['GET', '/api/user/kis/balance', undefined],
  ['GET', '/api/user/stock/005930/candle?unit=day', undefined],
  ['POST', '/api/user/stock/000660', SETTINGS],
  ['POST', '/api/OWNER/kis/ordered?code=005930&fromDate=20261101&toDate=20261120', undefined],
] as const)('%s %s: a broker that keeps silent does not keep a person waiting', async (method, path, payload) => {
  const { cookie } = await fixture.addPerson('boss', true)
  // What the log-in read of the balance is old by then.
  fixture.clock.advance(10_000)
  const asked = Promise.withResolvers<void>()
  const silent = () => (asked.resolve(), new Promise<never>(() => undefined))
  fixture.accounts.kisOf = () => fakeKis({ balance: silent, dayCandles: silent, stockInfo: silent, executions: silent })
  const answer = fixture.call(method, path.replace('OWNER', owner.userId), { cookie, ...(payload ? { payload } : {}) })
  await asked.promise
  fixture.clock.advance(35_000)
  expect(problemIn(await answer)).toBe('BROKER_UNREACHABLE')
})

const get = async <T>(url: string): Promise<T> => (await fixture.call('GET', url, { cookie: owner.cookie })).json<T>()

const importAll = (admin: Person, rest = '') =>
  fixture.call('POST', `/api/${owner.userId}/kis/ordered?code=005930&fromDate=20261101&toDate=20261120${rest}`, {
    cookie: admin.cookie,
  })

interface Sold {
  readonly id: number
  readonly code: string
  readonly sell: number | null
  readonly day: string
}

/** The same, in the table. The stock's row gives the name. */
async function soldRow({ id, code, sell, day }: Sold): Promise<void> {
  const { db, pool } = fixture.database
  await pool.query(`insert into account values ($1, '20261120', 'active', 1, 1, 0) on conflict do nothing`, [
    owner.userId,
  ])
  const at = fixture.clock.now()
  await db
    .insertInto('trade')
    .values({
      user_id: owner.userId,
      id,
      code,
      count: 2,
      buy_price: 70_000,
      buy_amount: 140_000,
      bought_at: at - 1_000 * id,
      buy_order_id: null,
      held_back: false,
      taken_over: false,
      by_person: false,
      bought_before: 0,
      closed: true,
      sell_price: sell,
      sell_amount: sell === null ? null : sell * 2,
      sold_at: at,
      sell_day: day,
      fee: 42,
      tax: 284,
    })
    .execute()
}

describe('realised gain', () => {
  beforeEach(async () => {
    await soldRow({ id: 11, code: '005930', sell: 71_000, day: '20261119' })
    await soldRow({ id: 12, code: '005930', sell: 70_500, day: '20261119' })
    await soldRow({ id: 13, code: '000660', sell: 69_000, day: '20261119' })
    await soldRow({ id: 14, code: '005930', sell: 70_100, day: '20261120' })
    await soldRow({ id: 15, code: '005930', sell: null, day: '20261120' })
    await soldRow({ id: 16, code: '005930', sell: 90_000, day: '20261031' })
  })

  test('by day, newest first, per stock, this month when no range is given; corrections without a sale left out', async () => {
    const days =
      await get<{ date: string; gain: object; stockGainList: { code: string; gain: object }[] }[]>(
        '/api/user/balance/gain',
      )
    expect(days.map(({ date }) => date)).toEqual(['20261120', '20261119'])
    expect(days[0]?.gain).toMatchObject({ buyAmount: 140_000, gainAmount: 200, netGainAmount: 200 - 326 })
    expect(days[1]?.gain).toMatchObject({ buyAmount: 420_000, gainAmount: 1_000 })
    // Of three trades the one that fell cost money, and the one of 500 won a share paid its costs; held 11, 12 and 13 s.
    expect(days[1]?.gain).toMatchObject({ sales: 3, wins: 2, heldMs: 36_000 })
    expect(days[0]?.gain).toMatchObject({ sales: 1, wins: 0, heldMs: 14_000 })
    expect(days[1]?.stockGainList.map(({ code }) => code)).toEqual(['000660', '005930'])
    expect(days[1]?.stockGainList[1]?.gain).toMatchObject({ gainAmount: 3_000, gainRatio: (100 * 3_000) / 280_000 })
  })

  test('of one day, and of an empty range', async () => {
    expect(await get('/api/user/balance/gain?fromDate=20261031&toDate=20261031')).toHaveLength(1)
    expect(await get('/api/user/balance/gain?fromDate=20260101&toDate=20260131')).toEqual([])
  })

  test('past trades appear among the open ones when asked for, newest buy first', async () => {
    const open = await get<{ id: number }[]>('/api/user/stock/005930/trade')
    expect(open.map(({ id }) => id)).toEqual([1, 2])
    const all = await get<{ id: number; netGainAmount: number | null }[]>(
      '/api/user/stock/005930/trade?withOldTrade=true',
    )
    expect(all.map(({ id }) => id)).toEqual([1, 2, 11, 12, 14, 15, 16])
    expect(all.find(({ id }) => id === 11)).toMatchObject({
      sellPrice: 71_000,
      gainAmount: 2_000,
      netGainAmount: 1_674,
    })
    expect(all.find(({ id }) => id === 15)).toMatchObject({ sellPrice: null, gainAmount: null, netGainAmount: null })
  })
})

describe('executed orders', () => {
  test('are imported once however often asked, and a fill that grew is taken over', async () => {
    const admin = await fixture.addPerson('boss', true)
    const list = [execution(), execution({ odno: '2', day: '20261118' }), execution({ odno: '3', filledCount: 0 })]
    fixture.accounts.kisOf = () => fakeKis({ executions: async () => list })
    expect((await importAll(admin)).json()).toEqual({ imported: 2, skipped: 0 })
    expect((await importAll(admin)).json()).toEqual({ imported: 0, skipped: 2 })
    list.splice(0, 1, execution({ filledCount: 3, filledAmount: 210_100 }))
    expect((await importAll(admin)).json()).toMatchObject({ imported: 0 })
    const shown = await get<{ qty: number; price: number }[]>('/api/user/kis/ordered?fromDate=20261120&toDate=20261120')
    expect(shown).toMatchObject([{ qty: 3, price: 70_034, orderType: 'BUY', exchangeCode: 'KRX', name: '삼성전자' }])
  })

  test('from the last one on, when asked', async () => {
    const admin = await fixture.addPerson('boss', true)
    const asked: unknown[] = []
    fixture.accounts.kisOf = () =>
      fakeKis({ executions: async (query) => (asked.push(query), [execution({ day: '20261115' })]) })
    await importAll(admin, '&fromLastOrder=true')
    await importAll(admin, '&fromLastOrder=true')
    expect(asked).toEqual([
      { from: '20261101', to: '20261120', code: '005930' },
      { from: '20261115', to: '20261120', code: '005930' },
    ])
  })

  test('Digger’s own appear without an import, and once with it', async () => {
    await fixture.database.pool.query(`insert into account values ($1, '20261120', 'active', 1, 1, 0)`, [owner.userId])
    await fixture.database.pool.query(
      `insert into account_order (user_id, id, code, side, origin, type, price, count, venue, session, status, live, day,
         odno, orgno, filled_count, filled_amount, reserved_price, created_at, updated_at, why, cancel_asked)
       values ($1, 7, '005930', 'buy', 'auto', 'limit', 70000, 2, 'SOR', 'regular', 'filled', false, '20261120',
         '0000001111', '06010', 2, 140000, 0, $2, $2, '', false)`,
      [owner.userId, fixture.clock.now()],
    )
    expect(await get<object[]>('/api/user/kis/ordered')).toMatchObject([{ qty: 2, price: 70_000, code: '005930' }])
    await importAll(await fixture.addPerson('boss', true))
    expect(await get<object[]>('/api/user/kis/ordered')).toHaveLength(1)
  })

  test('a range that ends before it begins is INVALID', async () => {
    const url = '/api/user/kis/ordered?fromDate=20261120&toDate=20261101'
    expect(problemIn(await fixture.call('GET', url, { cookie: owner.cookie }))).toBe('INVALID')
  })
})

describe('money', () => {
  test('today’s entry follows every reading of the balance, and the bank balance follows its owner', async () => {
    expect(await get('/api/user/balance')).toMatchObject({ depositAmount: 2_000_000, stockBuyAmount: 278_600 })
    await fixture.call('POST', '/api/user/money/bank-balance', { cookie: owner.cookie, payload: { amount: '500,000' } })
    const entry = { date: '20261120', depositAmount: 2_000_000, stockBuyAmount: 278_600, bankBalanceAmount: 500_000 }
    expect(await get('/api/user/money')).toEqual([entry])
    fixture.clock.advance(86_400_000)
    expect(await get('/api/user/money')).toEqual([{ ...entry, date: '20261121' }, entry])
  })

  test('while the broker is away the last known deposit is shown; before any, none', async () => {
    fixture.accounts.kisOf = () => fakeKis({ balance: () => Promise.reject(new UnreachableError('away')) })
    expect(await get('/api/user/balance')).toMatchObject({ depositAmount: null })
    fixture.accounts.kisOf = () => fakeKis()
    await get('/api/user/balance')
    fixture.clock.advance(10_000)
    fixture.accounts.kisOf = () => fakeKis({ balance: () => Promise.reject(new UnreachableError('away')) })
    expect(await get('/api/user/balance')).toMatchObject({ depositAmount: 2_000_000 })
    const reply = await fixture.call('GET', '/api/user/kis/balance', { cookie: owner.cookie })
    expect(problemIn(reply)).toBe('BROKER_UNREACHABLE')
  })

  test('a slow broker does not hold up the screen', async () => {
    const slow = Promise.withResolvers<void>()
    const kis = fakeKis()
    fixture.accounts.kisOf = () => fakeKis({ balance: () => slow.promise.then(() => kis.balance()) })
    const shown = get('/api/user/balance')
    let seen: unknown = null
    void shown.then((balance) => (seen = balance))
    const wait = () => {
      fixture.clock.advance(1_000)
      return seen
    }
    await expect.poll(wait, { timeout: 10_000 }).toMatchObject({ depositAmount: null, stockBuyAmount: 278_600 })
    slow.resolve()
  })

  test('a known deposit is shown at once, and screens receive a new one as soon as the broker reports it', async () => {
    const { database, clock, accounts } = fixture
    const changed: string[] = []
    const live = { publish: (userId: string) => void changed.push(userId) }
    const balances = new BrokerBalances({ db: database.db, clock, wall: clock, accounts, live, failed: unexpected })
    const count = remainCount(accounts.book(owner.userId).stocks.get('005930')?.lots ?? [])
    const { holdings, ...rest } = await fakeKis().balance()
    const balance = { ...rest, holdings: holdings.slice(0, 1).map((one) => ({ ...one, code: '005930', count })) }
    const more = { ...balance, depositAmount: balance.depositAmount + 1_000_000 }
    accounts.kisOf = () => fakeKis({ balance: async () => balance })
    await balances.read(owner.userId)

    clock.advance(6_000)
    const slow = Promise.withResolvers<typeof balance>()
    accounts.kisOf = () => fakeKis({ balance: () => slow.promise })
    let seen: number | null = null
    void balances.refreshDeposit(owner.userId).then((deposit) => (seen = deposit))
    const askedAt = clock.now()
    await expect.poll(() => (clock.advance(50), seen)).toBe(balance.depositAmount)
    expect(clock.now() - askedAt).toBeLessThan(1_000)
    expect(changed).toEqual([])
    slow.resolve(more)
    await expect.poll(() => changed).toEqual([owner.userId])
    expect(await balances.refreshDeposit(owner.userId)).toBe(more.depositAmount)
  })

  test('many screens at once ask the broker once', async () => {
    let asked = 0
    const kis = fakeKis()
    fixture.accounts.kisOf = () => fakeKis({ balance: () => (asked++, kis.balance()) })
    await Promise.all(Array.from({ length: 10 }, () => get('/api/user/balance')))
    expect(asked).toBe(1)
  })
})
