import { kstDay } from '@digger/core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { CODE, Exchange, execution, fakeKis } from '@digger/engine/testing'
import { gainRows } from '@digger/screens'
import { startFixture } from './shared-fixture.ts'
import type { Person, ServerFixture } from './server-fixture.ts'

const kst = (text: string): number => Date.parse(`${text}+09:00`)

interface Sale {
  readonly at: string
  readonly count?: number
  readonly buy?: number
  readonly sell: number | null
  readonly code?: string
}

let fixture: ServerFixture
let owner: Person
beforeEach(async () => {
  fixture = await startFixture()
  owner = await fixture.addPerson('owner')
  await fixture.database.pool.query(`insert into account values ($1, '20261120', 'active', 1, 1, 0)`, [owner.userId])
})
afterEach(() => fixture[Symbol.asyncDispose]())

async function sold(sales: readonly Sale[]): Promise<void> {
  for (const [index, { at, count = 2, buy = 70_000, sell, code = CODE }] of sales.entries()) {
    const soldAt = kst(at)
    await fixture.database.pool.query(
      `insert into trade values ($1, $2, $3, $4, $5, $6, $7, null, false, true, $8, $9, $10, $11, 40, 280, false, false, 0)`,
      [
        owner.userId,
        index + 1,
        code,
        count,
        buy,
        count * buy,
        soldAt - 1,
        sell,
        sell && count * sell,
        soldAt,
        kstDay(soldAt),
      ],
    )
  }
}

const get = async <T>(path: string): Promise<T> => (await fixture.call('GET', path, { cookie: owner.cookie })).json<T>()

interface Day {
  readonly date: string
  readonly gain: { readonly buyAmount: number; readonly gainAmount: number; readonly gainRatio: number }
}
const gainOf = async (query: string) =>
  (await get<Day[]>(`/api/user/balance/gain${query}`)).map(({ date, gain }) => `${date} ${gain.gainAmount}`)

describe('gain by day', () => {
  test.each<[string, Sale[], string, string[]]>([
    [
      'the last instant of a day and the first of the next',
      [
        { at: '2026-11-19T23:59:59.999', sell: 71_000 },
        { at: '2026-11-20T00:00:00.000', sell: 72_000 },
      ],
      '?fromDate=20261101&toDate=20261130',
      ['20261120 4000', '20261119 2000'],
    ],
    [
      'a month ends at Korean midnight, nine hours before it does in Greenwich',
      [
        { at: '2026-10-31T23:59:59.999', sell: 71_000 },
        { at: '2026-11-01T00:00:00.000', sell: 72_000 },
      ],
      '?fromDate=20261101&toDate=20261130',
      ['20261101 4000'],
    ],
    [
      'a year ends',
      [
        { at: '2025-12-31T23:59:59.999', sell: 71_000 },
        { at: '2026-01-01T00:00:00.000', sell: 72_000 },
      ],
      '?fromDate=20250101&toDate=20251231',
      ['20251231 2000'],
    ],
    [
      'a leap day',
      [{ at: '2028-02-29T12:00:00', sell: 71_000 }],
      '?fromDate=20280229&toDate=20280229',
      ['20280229 2000'],
    ],
    [
      'parts of one lot, sold apart on one day and on the next',
      [
        { at: '2026-11-19T10:00:00', count: 1, sell: 71_000 },
        { at: '2026-11-19T15:29:59', count: 3, sell: 71_500 },
        { at: '2026-11-20T09:00:00', count: 1, sell: 71_000 },
      ],
      '?fromDate=20261119&toDate=20261120',
      ['20261120 1000', '20261119 5500'],
    ],
    [
      'a loss and a gain that add up to nothing are a day all the same',
      [
        { at: '2026-11-19T10:00:00', sell: 69_000 },
        { at: '2026-11-19T11:00:00', sell: 71_000 },
      ],
      '?fromDate=20261119&toDate=20261119',
      ['20261119 0'],
    ],
    [
      'shares that a correction took away without a known sale are no gain; with one they are',
      [
        { at: '2026-11-19T10:00:00', sell: null },
        { at: '2026-11-19T10:00:01', sell: 70_500 },
      ],
      '?fromDate=20261119&toDate=20261119',
      ['20261119 1000'],
    ],
    [
      'a day of corrections only is no day',
      [{ at: '2026-11-19T10:00:00', sell: null }],
      '?fromDate=20261119&toDate=20261119',
      [],
    ],
    [
      'amounts beyond 2^31 stay exact',
      [{ at: '2026-11-19T10:00:00', count: 100_000, buy: 1_000_000, sell: 1_000_001 }],
      '?fromDate=20261119&toDate=20261119',
      ['20261119 100000'],
    ],
    [
      'only a beginning: to the end of this month',
      [{ at: '2026-11-30T10:00:00', sell: 71_000 }],
      '?fromDate=20261119',
      ['20261130 2000'],
    ],
    [
      'a beginning after this month: that day',
      [{ at: '2026-12-24T10:00:00', sell: 71_000 }],
      '?fromDate=20261224',
      ['20261224 2000'],
    ],
  ])('%s', async (_name, sales, query, expected) => {
    await sold(sales)
    expect(await gainOf(query)).toEqual(expected)
  })

  test('is this month’s unless asked otherwise, and the month changes at Korean midnight', async () => {
    await sold([
      { at: '2026-11-30T23:59:59', sell: 71_000 },
      { at: '2026-12-31T23:59:59', sell: 72_000 },
      { at: '2027-01-01T00:00:00', sell: 73_000 },
    ])
    const seen: string[][] = []
    for (const at of ['2026-11-30T23:59:59', '2026-12-01T00:00:00', '2026-12-31T23:59:59', '2027-01-01T00:00:00']) {
      fixture.clock.advance(kst(at) - fixture.clock.now())
      owner = { ...owner, cookie: await fixture.logIn(owner.email) }
      seen.push(await gainOf(''))
    }
    expect(seen).toEqual([['20261130 2000'], ['20261231 4000'], ['20261231 4000'], ['20270101 6000']])
  })
})

test('money has one entry a Korean day, the last reading of each, over the end of a year', async () => {
  const deposits = [
    ['2026-12-30T10:00:00', 1_000_000],
    ['2026-12-31T00:00:00', 2_000_000],
    ['2026-12-31T23:59:50', 3_000_000],
    ['2027-01-01T00:00:00', 4_000_000],
  ] as const
  for (const [at, depositAmount] of deposits) {
    fixture.clock.advance(kst(at) - fixture.clock.now())
    fixture.accounts.kisOf = () =>
      fakeKis({ balance: async () => ({ holdings: [], depositAmount, stockValueAmount: 0, leftAt: 0 }) })
    owner = { ...owner, cookie: await fixture.logIn(owner.email) }
    await get('/api/user/balance')
  }
  const days = await get<{ date: string; depositAmount: number }[]>('/api/user/money?fromDate=20261201&toDate=20270131')
  expect(days.map(({ date, depositAmount }) => `${date} ${depositAmount}`)).toEqual([
    '20270101 4000000',
    '20261231 3000000',
    '20261230 1000000',
  ])
})

test('executed orders are of the day their broker lists them under; part fills grow, amounts that do not divide round up', async () => {
  const admin = await fixture.addPerson('boss', true)
  fixture.giveStock(owner.userId)
  const list = [
    execution({
      day: '20261231',
      odno: '1',
      orderedAt: kst('2026-12-31T23:59:59'),
      filledCount: 1,
      filledAmount: 70_000,
    }),
    execution({
      day: '20270101',
      odno: '1',
      orderedAt: kst('2027-01-01T00:00:00'),
      filledCount: 3,
      filledAmount: 210_100,
    }),
  ]
  fixture.accounts.kisOf = () => fakeKis({ executions: async () => list })
  const take = () => fixture.call('POST', `/api/${owner.userId}/kis/ordered?code=${CODE}`, { cookie: admin.cookie })
  await take()
  list.splice(0, 1, execution({ day: '20261231', odno: '1', orderedAt: kst('2026-12-31T23:59:59') }))
  await take()
  const shown = await get<{ orderDateTime: string; qty: number; price: number }[]>(
    '/api/user/kis/ordered?fromDate=20261231&toDate=20270101',
  )
  expect(shown.map(({ orderDateTime, qty, price }) => [orderDateTime.slice(0, 19), qty, price])).toEqual([
    ['2027-01-01T00:00:00', 3, 70_034],
    ['2026-12-31T23:59:59', 2, 70_000],
  ])
})

test('an executed order whose time the broker did not say is listed at the beginning of its day', async () => {
  const admin = await fixture.addPerson('boss', true)
  fixture.giveStock(owner.userId)
  const list = [execution({ day: '20261231', odno: '1', orderedAt: null, filledCount: 1, filledAmount: 70_000 })]
  fixture.accounts.kisOf = () => fakeKis({ executions: async () => list })
  await fixture.call('POST', `/api/${owner.userId}/kis/ordered?code=${CODE}`, { cookie: admin.cookie })
  const shown = await get<{ orderDateTime: string }[]>('/api/user/kis/ordered?fromDate=20261231&toDate=20270101')
  expect(shown.map(({ orderDateTime }) => orderDateTime.slice(0, 19))).toEqual(['2026-12-31T00:00:00'])
})

describe('an account that trades around midnight', () => {
  let market: Exchange
  beforeAll(async () => {
    market = await Exchange.open()
    market.sim.setPrice(CODE, 158_000)
  })
  afterAll(() => market.close())

  test('books each sale on the Korean day of its execution', async () => {
    await market.watch({ maxBuyPrice: 157_000 })
    await market.price(156_900)
    await market.wait(1_000)
    await market.price(155_300)
    await market.wait(1_000)
    expect(market.stock?.lots).toHaveLength(2)
    await market.advance(kst('2026-01-05T23:59:40') - market.sim.clock.now())
    await market.wait(5_000)
    await market.price(156_900)
    await market.wait(30_000)
    await market.price(158_500)
    await market.wait(2_000)
    expect(market.stock?.lots).toEqual([])
    const rows = await gainRows(market.database.db, market.userId, '20260101', '20260131')
    expect(rows.map(({ day }) => day)).toEqual(['20260106', '20260105'])
    expect(market.stock?.accGainAmount).toBe(rows.reduce((sum, { gain }) => sum + gain, 0))
  }, 120_000)
})
