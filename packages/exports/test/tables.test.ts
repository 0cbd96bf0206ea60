import { type ExportTable, Refused } from '@digger/contract'
import { TestClock, type TestDatabase, testDatabase } from '@digger/database/testing'
import { parse } from 'csv-parse/sync'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Exports, type TableQuery } from '../src/index.ts'
import { addAccount, addLog, addLots, addMoney, addOrder, addOrdered, ME, OTHER } from './account.ts'
import { lotOf } from './lots.ts'

let database: TestDatabase
let exports: Exports

beforeAll(async () => {
  database = await testDatabase()
  exports = new Exports(database.db, new TestClock())
  const { db } = database
  await addAccount(db)
  await addAccount(db, OTHER)
  await addLots(db, [
    lotOf({ id: 1, bought: '20261116', sold: '20261118' }),
    lotOf({ id: 2, bought: '20261117', sold: '20261118', sell: 69_000 }),
    lotOf({ id: 3, code: '000660', bought: '20261117', sold: '20261119', buy: 200_000, sell: 210_000 }),
    lotOf({ id: 4, bought: '20261117', sold: '20261119', sell: null }),
    lotOf({ id: 5, bought: '20261118', sold: null }),
    { ...lotOf({ id: 6, bought: '20261120', sold: null }), buy_order_id: 9 },
    lotOf({ id: 7, code: 'Q53001', bought: '20261116', sold: '20261117' }),
  ])
  await addOrdered(db, '20261116', '0000009999', 'buy', 70_000)
  await addOrder(db, { id: 1, day: '20261116' })
  await addOrder(db, { id: 2, day: '20261117', side: 'sell', status: 'rejected', filled_count: 0, filled_amount: 0 })
  await addOrder(db, { id: 3, day: '20261120', type: 'market', price: 0, origin: 'person', odno: null, orgno: null })
  await db.updateTable('account_order').set({ note: '=1+1, "거부"\n다시' }).where('id', '=', 2).execute()
  for (const [at, day] of ['20261116', '20261117', '20261119'].entries()) await addMoney(db, day, 1_000_000 + at)
  await addLog(db)
})
afterAll(() => database[Symbol.asyncDispose]())

async function read(table: ExportTable, query: TableQuery = {}, userId = ME): Promise<Record<string, string>[]> {
  const { body } = await exports.table({ person: userId, userId }, table, query)
  if (Buffer.isBuffer(body)) throw new Error('no stream')
  return parse(await text(body), { bom: true, columns: true, record_delimiter: '\r\n' })
}
const column = async (table: ExportTable, heading: string, query?: TableQuery) =>
  (await read(table, query)).map((row) => row[heading])

describe('lots', () => {
  test('held ones, then those closed, the last sale first', async () => {
    expect((await read('trades')).map((row) => [row['번호'], row['상태']])).toEqual([
      ['6', '사는 중'],
      ['5', '보유'],
      ['4', '장부 보정'],
      ['3', '매도'],
      ['2', '매도'],
      ['1', '매도'],
      ['7', '매도'],
    ])
  })

  test('all that is known of one, and nothing that is not', async () => {
    const rows = await read('trades')
    expect(rows.find((row) => row['번호'] === '1')).toEqual({
      번호: '1',
      상태: '매도',
      종목코드: '005930',
      종목명: '삼성전자',
      '산 시각': '2026-11-16 09:00:00',
      수량: '2',
      '산 가격': '70000',
      '산 금액': '140000',
      '판 시각': '2026-11-18 15:00:00',
      '판 가격': '71000',
      '판 금액': '142000',
      손익: '2000',
      '손익률(%)': '1.43',
      수수료: '42',
      세금: '284',
      순손익: '1674',
    })
    expect(rows.find((row) => row['번호'] === '2')).toMatchObject({ 손익: '-2000', 순손익: '-2326' })
    const unknown = { '판 가격': '', '판 금액': '', 손익: '', 수수료: '', 세금: '', 순손익: '' }
    expect(rows.find((row) => row['번호'] === '4')).toMatchObject({ ...unknown, '판 시각': '2026-11-19 15:00:00' })
    expect(rows.find((row) => row['번호'] === '5')).toMatchObject({ ...unknown, '판 시각': '' })
  })

  test.each<[name: string, query: TableQuery, ids: string[]]>([
    ['sold or bought on the days', { fromDate: '20261118', toDate: '20261118' }, ['5', '2', '1']],
    ['from a day on', { fromDate: '20261119' }, ['6', '4', '3']],
    ['up to a day', { toDate: '20261117' }, ['7']],
    ['of a stock', { code: '000660' }, ['3']],
    ['of a stock on days without it', { code: '000660', toDate: '20261118' }, []],
    ['of all, as an empty code has it', { code: '', fromDate: '20261120' }, ['6']],
  ])('%s', async (_name, query, ids) => expect(await column('trades', '번호', query)).toEqual(ids))

  test('a stock that is not there any more has the name of its orders, or its code', async () => {
    expect(await column('trades', '종목명', { code: 'Q53001' })).toEqual(['Q53001'])
    await addOrdered(database.db, '20261116', '0000009998', 'buy', 70_000)
    await database.db
      .updateTable('ordered')
      .set({ code: 'Q53001', name: '어떤 ETN' })
      .where('odno', '=', '0000009998')
      .execute()
    expect(await column('trades', '종목명', { code: 'Q53001' })).toEqual(['어떤 ETN'])
  })
})

describe('orders', () => {
  test('whatever became of them, with why and note', async () => {
    const rows = await read('orders')
    expect(rows.map((row) => [row['번호'], row['주문번호'], row['구분'], row['상태']])).toEqual([
      ['3', 'local-3', '매수', '체결'],
      ['2', '0000000002', '매도', '거부'],
      ['1', '0000000001', '매수', '체결'],
    ])
    expect(rows[0]).toMatchObject({ '낸 쪽': '직접', 방식: '시장가', 가격: '', 장: '정규장' })
    expect(rows[1]).toMatchObject({ 비고: `'=1+1, "거부"\n다시`, '체결 수량': '0', '체결 금액': '0' })
    expect(rows[2]).toMatchObject({
      주문일: '2026-11-16',
      '주문 시각': '2026-11-16 10:00:00',
      가격: '70000',
      '체결 금액': '140000',
      이유: '기준가보다 1.00% 낮아 샀습니다.',
      비고: '',
    })
  })

  test.each<[query: TableQuery, ids: string[]]>([
    [{ fromDate: '20261117', toDate: '20261117' }, ['2']],
    [{ fromDate: '20261118' }, ['3']],
    [{ toDate: '20261116' }, ['1']],
    [{ code: '000660' }, []],
  ])('of %j', async (query, ids) => expect(await column('orders', '번호', query)).toEqual(ids))
})

describe('gain, money and log', () => {
  test('gain by day and stock, newest first; what a correction closed is not in it', async () => {
    expect((await read('gain')).map((row) => [row['날짜'], row['종목코드'], row['손익'], row['순손익']])).toEqual([
      ['2026-11-19', '000660', '20000', '19674'],
      ['2026-11-18', '005930', '0', '-652'],
      ['2026-11-17', 'Q53001', '2000', '1674'],
    ])
    expect(await column('gain', '날짜', { fromDate: '20261118', toDate: '20261118' })).toEqual(['2026-11-18'])
    expect(await column('gain', '날짜', { code: '000660' })).toEqual(['2026-11-19'])
  })

  test('money of each day that has an entry', async () => {
    expect((await read('money')).map((row) => [row['날짜'], row['예수금'], row['총자산']])).toEqual([
      ['2026-11-19', '1000002', '1140007'],
      ['2026-11-17', '1000001', '1140006'],
      ['2026-11-16', '1000000', '1140005'],
    ])
    expect(await column('money', '날짜', { fromDate: '20261117', toDate: '20261118' })).toEqual(['2026-11-17'])
  })

  test('one line for each action, and the wrong passwords between them', async () => {
    expect((await read('audit')).map((row) => [row['시각'], row['무엇을'], row['내용']])).toEqual([
      ['2026-11-20 09:59:30', '종목 저장', '005930 · 진행 중'],
      ['2026-11-20 08:30:00', '종목 저장', '끝 083000'],
      ['2026-11-20 08:15:00', '비밀번호 틀림', '이 한 시간에 2번 · 마지막 주소 192.0.2.1'],
      ['2026-11-20 08:00:00', '종목 저장', '005930'],
      ['2026-11-20 07:00:00', '비밀번호 틀림', '이 한 시간에 1번 · 마지막 주소 192.0.2.1'],
    ])
    expect(await read('audit', { toDate: '20261119' })).toEqual([])
  })
})

describe('every table', () => {
  const tables = ['trades', 'orders', 'gain', 'money', 'audit'] as const
  test.each(tables)('%s of somebody else has nothing of mine', async (table) =>
    expect(await read(table, {}, OTHER)).toEqual([]),
  )

  test.each(tables)('%s without a row is a file with its headings', async (table) => {
    const { body, headers } = await exports.table({ person: OTHER, userId: OTHER }, table, {})
    if (Buffer.isBuffer(body)) throw new Error('no stream')
    expect(await text(body)).toMatch(/^\uFEFF[^\r\n]+\r\n$/)
    expect(headers['content-disposition']).toContain(`digger-${table}-2026-11-20.csv`)
  })

  test('its name says stock and days', async () => {
    const query = { code: '005930', fromDate: '20261101', toDate: '20261120' }
    const { body, headers } = await exports.table({ person: ME, userId: ME }, 'trades', query)
    if (!Buffer.isBuffer(body)) body.destroy()
    expect(headers['content-disposition']).toContain('filename="digger-trades-005930_2026-11-01_2026-11-20.csv"')
  })

  test('days that end before they begin are refused, and count as no file under way', async () => {
    const days = { fromDate: '20261120', toDate: '20261119' }
    for (let n = 0; n < 3; n++)
      await expect(exports.table({ person: ME, userId: ME }, 'gain', days)).rejects.toBeInstanceOf(Refused)
    expect(await read('gain', { fromDate: '20261119' })).toHaveLength(1)
  })
})
