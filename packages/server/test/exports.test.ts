import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { CODES, csv, dayOf, fillTables, type GainReply, type Row } from './past-trades.ts'
import { startFixture } from './shared-fixture.ts'
import { type Person, type ServerFixture } from './server-fixture.ts'

/** What is exported, read by another program, is what the API says, to the won. */
let fixture: ServerFixture
let owner: Person

beforeEach(async () => {
  fixture = await startFixture()
  owner = await fixture.addPerson('owner')
  await fillTables(fixture, owner)
})
afterEach(() => fixture[Symbol.asyncDispose]())

const call = (path: string, headers: Record<string, string> = {}) =>
  fixture.call('GET', `/api/user/${path}`, { cookie: owner.cookie, headers })
const get = async <T>(path: string): Promise<T> => (await call(path)).json<T>()
const table = async (path: string): Promise<Row[]> => csv((await call(`export/${path}`)).body)
const numberOf = (cell: string | undefined): number | null => (cell === '' || cell === undefined ? null : Number(cell))
const timeOf = (iso: string | null): string => (iso === null ? '' : `${iso.slice(0, 10)} ${iso.slice(11, 19)}`)

interface TradeReply {
  readonly id: number
  readonly buyDateTime: string
  readonly buyCount: number
  readonly buyPrice: number
  readonly sellDateTime: string | null
  readonly sellPrice: number | null
  readonly gainAmount: number | null
  readonly netGainAmount: number | null
}
const byId = (a: { id: number }, b: { id: number }) => a.id - b.id

const keyOf = (code: string | undefined, count: number) => `${code} ${count}`

describe('a table, read by another program, is what the API says', () => {
  test('trades of each stock; a held one has no gain yet', async () => {
    const rows = await table('trades')
    const replies = await Promise.all(CODES.map((code) => get<TradeReply[]>(`stock/${code}/trade?withOldTrade=true`)))
    const bothBooks = replies.flatMap((trades, at) =>
      trades.filter(({ sellDateTime }) => at === 0 || sellDateTime !== null),
    )
    const shown = bothBooks.map((trade) => {
      const isHeld = trade.sellDateTime === null
      return {
        id: trade.id,
        bought: timeOf(trade.buyDateTime),
        sold: timeOf(trade.sellDateTime),
        numbers: [
          trade.buyCount,
          trade.buyPrice,
          trade.sellPrice,
          isHeld ? null : trade.gainAmount,
          isHeld ? null : trade.netGainAmount,
        ],
      }
    })
    const read = rows.map((row) => ({
      id: Number(row['번호']),
      bought: row['산 시각'],
      sold: row['판 시각'],
      numbers: ['수량', '산 가격', '판 가격', '손익', '순손익'].map((heading) => numberOf(row[heading])),
    }))
    expect(read.toSorted(byId)).toEqual(shown.toSorted(byId))
    expect(read).toHaveLength(42)
  })

  test('gain by day and stock, and each day’s sum', async () => {
    const range = 'fromDate=20261001&toDate=20261130'
    const [rows, days] = [await table(`gain?${range}`), await get<GainReply[]>(`balance/gain?${range}`)]
    expect(
      rows.map((row) => [
        row['날짜'],
        row['종목코드'],
        ...['매입금액', '손익', '순손익'].map((one) => numberOf(row[one])),
      ]),
    ).toEqual(
      days.flatMap(({ date, stockGainList }) =>
        stockGainList.map(({ code, gain }) => [dayOf(date), code, gain.buyAmount, gain.gainAmount, gain.netGainAmount]),
      ),
    )
    expect(rows.length).toBeGreaterThan(30)
  })

  test('money', async () => {
    const [rows, days] = [
      await table('money?fromDate=20261001&toDate=20261031'),
      await get<Record<string, number | string>[]>('money?fromDate=20261001&toDate=20261031'),
    ]
    expect(
      rows.map((row) => [row['날짜'], ...['예수금', '주식 매입금액', '은행 잔고'].map((one) => Number(row[one]))]),
    ).toEqual(
      days.map(({ date, depositAmount, stockBuyAmount, bankBalanceAmount }) => [
        dayOf(String(date)),
        depositAmount,
        stockBuyAmount,
        bankBalanceAmount,
      ]),
    )
    expect(rows).toHaveLength(30)
  })

  test('the log', async () => {
    for (const amount of ['1', '2', '3'])
      await fixture.call('POST', '/api/user/money/bank-balance', { cookie: owner.cookie, payload: { amount } })
    const [rows, lines] = [await table('audit'), await get<Record<string, string>[]>('audit?limit=200')]
    expect(rows.map((row) => Object.values(row))).toEqual(
      lines.map(({ at, by, action, detail }) => [timeOf(at ?? null), by, action, detail]),
    )
    expect(rows.length).toBeGreaterThanOrEqual(3)
  })

  test('orders that were filled, and beside them all others', async () => {
    const range = 'fromDate=20261001&toDate=20261130'
    const [rows, filled] = [
      await table(`orders?${range}`),
      await get<{ code: string; qty: number }[]>(`kis/ordered?${range}`),
    ]
    expect(rows).toHaveLength(40)
    const own = rows.flatMap((row) =>
      row['체결 수량'] === '0' ? [] : [keyOf(row['종목코드'], Number(row['체결 수량']))],
    )
    expect(own.toSorted()).toEqual(filled.map(({ code, qty }) => keyOf(code, qty)).toSorted())
    expect(rows.every((row) => row['이유'] === `'=목표가, "도달"`)).toBe(true)
  })

  test('is the same when it comes compressed, and is named for a person', async () => {
    const [plain, packed] = [await call('export/trades'), await call('export/trades', { 'accept-encoding': 'gzip' })]
    expect(packed.headers['content-encoding']).toBe('gzip')
    expect(gunzipSync(packed.rawPayload).equals(plain.rawPayload)).toBe(true)
    expect(plain.headers).toMatchObject({ 'content-type': 'text/csv; charset=utf-8', 'cache-control': 'no-store' })
    expect(plain.headers).not.toHaveProperty('etag')
    expect(decodeURIComponent(String(plain.headers['content-disposition']))).toContain('디거_매매_2026-11-20.csv')
  })

  test('of somebody else is for administrators', async () => {
    const boss = await fixture.addPerson('boss', true)
    const { body } = await fixture.call('GET', `/api/${owner.userId}/export/trades`, { cookie: boss.cookie })
    expect(csv(body)).toHaveLength(42)
  })
})
