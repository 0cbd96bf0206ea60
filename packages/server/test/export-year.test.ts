import readXlsxFile from 'read-excel-file/node'
import { NotOfferedError, UnreachableError } from '@digger/kis'
import { fakeKis } from '@digger/engine/testing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { CODES, csv, dayOf, fillTables, type GainReply } from './past-trades.ts'
import { problemIn } from './request.ts'
import { startFixture } from './shared-fixture.ts'
import { type Person, type ServerFixture } from './server-fixture.ts'

/** The workbook, read by another program, is what the API says, to the won, whether or not the broker answers. */
let fixture: ServerFixture
let owner: Person

beforeEach(async () => {
  fixture = await startFixture()
  owner = await fixture.addPerson('owner')
  await fillTables(fixture, owner)
})
afterEach(() => fixture[Symbol.asyncDispose]())

const call = (path: string) => fixture.call('GET', `/api/user/${path}`, { cookie: owner.cookie })
const get = async <T>(path: string): Promise<T> => (await call(path)).json<T>()
/** What the broker says of days on which Digger sold, with a fee that is a won lower each time. */
function brokerOf(days: readonly GainReply[]) {
  const day = { buyAmount: 0, fee: 0, tax: 0 }
  return fakeKis({
    env: 'real',
    periodProfit: async (from, to) => ({
      days: days
        .filter(({ date }) => date >= from && date <= to)
        .map(({ date, gain }) => ({ ...day, day: date, sellAmount: 0, gainAmount: gain.netGainAmount })),
      gainAmount: 0,
      fee: 0,
      tax: 0,
    }),
    periodTradeProfit: async (from, to) =>
      days
        .filter(({ date }) => date >= from && date <= to)
        .flatMap(({ date, stockGainList }) =>
          stockGainList.map(({ code, name, gain }) => ({
            ...day,
            day: date,
            code,
            name,
            soldCount: 1,
            sellAmount: 0,
            gainAmount: gain.netGainAmount,
          })),
        ),
  })
}

const workbook = async () => {
  const reply = await call('export/year/2026')
  expect(reply.statusCode).toBe(200)
  const sheets = await readXlsxFile(reply.rawPayload)
  return (name: string) => sheets.find(({ sheet }) => sheet === name)?.data ?? []
}
/** By heading. */
const valueIn = (data: readonly (readonly unknown[])[], row: readonly unknown[] | undefined, heading: string) =>
  row?.[data[0]?.indexOf(heading) ?? -1]

const sum = (list: readonly { readonly gain: GainReply['gain'] }[], of: keyof GainReply['gain']) =>
  list.reduce((all, { gain }) => all + gain[of], 0)

describe('the workbook of a year', () => {
  test('has the sums of the API, by month, by stock and all together', async () => {
    const sheet = await workbook()
    const days = await get<GainReply[]>('balance/gain?fromDate=20260101&toDate=20261231')
    const summary = sheet('요약')
    for (const [name, list] of [
      ['2026-10', days.filter(({ date }) => date.startsWith('202610'))],
      ['2026-11', days.filter(({ date }) => date.startsWith('202611'))],
      ['합계', days],
    ] as const) {
      const row = summary.find(([first]) => first === name)
      expect([name, valueIn(summary, row, '손익'), valueIn(summary, row, '순손익')]).toEqual([
        name,
        sum(list, 'gainAmount'),
        sum(list, 'netGainAmount'),
      ])
    }
    const stocks = sheet('종목별')
    for (const code of CODES) {
      const own = days.flatMap(({ stockGainList }) => stockGainList.filter((one) => one.code === code))
      const row = stocks.find(([first]) => first === code)
      expect([code, valueIn(stocks, row, '순손익')]).toEqual([code, sum(own, 'netGainAmount')])
    }
  })

  test('has every closed lot, the oldest sale first, as the table has it', async () => {
    const sheet = await workbook()
    const [headings = [], ...rows] = sheet('실현손익')
    const lots = csv((await call('export/trades')).body)
      .filter((row) => row['판 시각'] !== '')
      .toReversed()
    expect(
      rows.map((row) => Object.fromEntries(headings.map((heading, at) => [heading, String(row[at] ?? '')]))),
    ).toEqual(lots)
    expect(rows).toHaveLength(40)
  })

  test('holds each day and stock against the broker', async () => {
    const days = await get<GainReply[]>('balance/gain?fromDate=20260101&toDate=20261231')
    fixture.accounts.kisOf = () => brokerOf(days)
    const sheet = (await workbook())('증권사 대조')
    const stocks = days.flatMap(({ date, stockGainList }) => stockGainList.map(({ code }) => `${dayOf(date)} ${code}`))
    const rows = sheet.slice(1).filter(([, code]) => typeof code === 'string')
    expect(rows.map(([day, code]) => `${String(day)} ${String(code)}`)).toEqual(expect.arrayContaining(stocks))
    const gains = rows.map((row) => valueIn(sheet, row, '실현손익 차이'))
    expect(gains.filter((gain) => gain !== 0)).toEqual([])
    // The broker above sold nothing: that is a difference nobody can explain.
    expect(valueIn(sheet, rows[0], '이유')).toContain('설명되지 않음')
  })

  test.each([
    [
      'is away',
      () => fakeKis({ periodProfit: () => Promise.reject(new UnreachableError('응답이 없습니다.')) }),
      '증권사에 연결하지 못했습니다',
    ],
    [
      'does not offer it, as on paper',
      () =>
        fakeKis({
          periodTradeProfit: () => Promise.reject(new NotOfferedError('모의투자에서 제공하지 않는 기능입니다.')),
        }),
      '모의투자에서 제공하지 않는 기능입니다.',
    ],
  ])('says so where the broker %s, and is whole otherwise', async (_name, kis, sentence) => {
    fixture.accounts.kisOf = kis
    const sheet = await workbook()
    expect(
      sheet('증권사 대조')
        .flat()
        .filter((cell) => typeof cell === 'string')
        .join('\n'),
    ).toContain(sentence)
    expect(sheet('실현손익')).toHaveLength(41)
  })

  test('says so where the person’s key is not open', async () => {
    await fixture.vault.remove(owner.userId)
    await fixture.accounts.lock(owner.userId)
    const sheet = await workbook()
    expect(sheet('증권사 대조').at(-1)?.[0]).toMatch(
      /^증권사와 견주지 못했습니다\. .*키.*\. 다른 시트는 그대로 쓸 수 있습니다\.$/,
    )
    expect(sheet('실현손익')).toHaveLength(41)
  })

  test('of a year that has not come is empty and asks nobody', async () => {
    fixture.accounts.kisOf = () => fakeKis({ periodProfit: () => Promise.reject(new Error('asked')) })
    const reply = await call('export/year/2027')
    const [summary] = await readXlsxFile(reply.rawPayload)
    expect(summary?.data[13]?.slice(0, 2)).toEqual(['합계', 0])
  })

  test('a third file of a person at the same time is BUSY, and the two are made', async () => {
    const asked = Promise.withResolvers<void>()
    const answer = Promise.withResolvers<void>()
    let asking = 0
    const wait = async () => {
      if ((asking += 1) === 2) asked.resolve()
      await answer.promise
      return []
    }
    fixture.accounts.kisOf = () => fakeKis({ periodTradeProfit: wait })
    const two = [call('export/year/2026'), call('export/year/2026')]
    await asked.promise
    expect(problemIn(await call('export/trades'))).toBe('BUSY')
    const mate = await fixture.addPerson('mate')
    expect((await fixture.call('GET', '/api/user/export/trades', { cookie: mate.cookie })).statusCode).toBe(200)
    answer.resolve()
    expect((await Promise.all(two)).map(({ statusCode }) => statusCode)).toEqual([200, 200])
    expect((await call('export/trades')).statusCode).toBe(200)
  })
})
