import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { readOrderList } from '../src/broker.ts'
import { placeOf } from '../src/main.ts'

const NOW = Date.parse('2026-11-23T10:00:00+09:00')
const ACCESS = { appKey: 'key', appSecret: 'secret', accountNumber: '1234567801', token: 'token' }

interface Answer {
  readonly body: unknown
  readonly cont?: string
  readonly date?: string
}
let answers: Answer[] = []
let asked: { headers: IncomingMessage['headers']; query: URLSearchParams }[] = []
const http = createServer((request, response) => {
  asked.push({ headers: request.headers, query: new URL(request.url ?? '', 'http://x').searchParams })
  const { body, cont, date = new Date(NOW).toUTCString() } = answers.shift() ?? { body: {} }
  response.setHeader('date', date)
  if (cont !== undefined) response.setHeader('tr_cont', cont)
  response.end(typeof body === 'string' ? body : JSON.stringify(body))
})
let url = ''
beforeAll(async () => {
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  const address = http.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  url = `http://127.0.0.1:${address.port}`
})
afterAll(() => {
  http.closeAllConnections()
  http.close()
})
beforeEach(() => {
  answers = []
  asked = []
})

const ROW = {
  ord_dt: '20261123',
  ord_tmd: '093355',
  odno: '0000012345',
  orgn_odno: '0000000000',
  sll_buy_dvsn_cd: '02',
  pdno: '005930',
  ord_qty: '10',
  ord_unpr: '70000',
  tot_ccld_qty: '4',
  rmn_qty: '6',
}
const page = (rows: readonly object[], cursor = '', cont = 'D'): Answer => ({
  body: { rt_cd: '0', msg_cd: 'KIOK0510', msg1: '', output1: rows, ctx_area_fk100: cursor, ctx_area_nk100: cursor },
  cont,
})
const CHANGED: Answer = { body: { rt_cd: '1', msg_cd: 'SYDB0050', msg1: '조회이후에 자료가 변경되었습니다.' } }
const read = (env: 'real' | 'paper' = 'real') => readOrderList({ url, env, spacingMs: 0 }, ACCESS, NOW)
test('reads all pages, oldest first, of every exchange, and leaves out cancels', async () => {
  const cancel = { ...ROW, odno: '0000012346', orgn_odno: '0000012345' }
  answers = [
    page([ROW], 'next  ', 'M'),
    page([cancel, { ...ROW, odno: '     12347', sll_buy_dvsn_cd: '01', orgn_odno: '' }]),
  ]
  const { orders, at } = await read()
  const order = { code: '005930', count: 10, price: 70_000, filled: 4, at: Date.parse('2026-11-23T09:33:55+09:00') }
  expect(orders).toEqual([
    { ...order, odno: '12345', side: 'buy' },
    { ...order, odno: '12347', side: 'sell' },
  ])
  expect(at).toBe(NOW)
  const [first, second] = asked
  expect(first?.headers).toMatchObject({
    tr_id: 'TTTC0081R',
    tr_cont: '',
    authorization: 'Bearer token',
    appkey: 'key',
  })
  expect(Object.fromEntries(first?.query ?? [])).toMatchObject({
    CANO: '12345678',
    ACNT_PRDT_CD: '01',
    INQR_STRT_DT: '20261123',
    INQR_DVSN: '01',
    EXCG_ID_DVSN_CD: 'ALL',
    CTX_AREA_FK100: '',
  })
  expect([second?.headers['tr_cont'], second?.query.get('CTX_AREA_FK100')]).toEqual(['N', 'next  '])
})

test('a day without orders is a complete list', async () => {
  answers = [{ body: { rt_cd: '0', msg_cd: 'KIOK0560', output1: [] } }]
  expect((await read('paper')).orders).toEqual([])
  expect(asked[0]?.headers['tr_id']).toBe('VTTC0081R')
})

test.each<[string, Answer[], string]>([
  [
    'an error',
    [{ body: { rt_cd: '1', msg_cd: 'EGW00201', msg1: '초당 거래건수를 초과하였습니다.  ' } }],
    'EGW00201 초당',
  ],
  ['a reply without the list', [{ body: { rt_cd: '0' } }], 'no list'],
  ['a page of the gateway', [{ body: '<html>' }], 'no reply'],
  ['another day’s row', [page([{ ...ROW, ord_dt: '20261122' }])], '20261122'],
  ['one number for two orders', [page([ROW, { ...ROW, ord_qty: '11' }])], 'two orders'],
  [
    'a day that is not listed',
    [{ body: { rt_cd: '7', msg_cd: 'KIER2570', msg1: '조회일자를 확인하십시오' } }],
    'KIER2570',
  ],
  ['a list that changes every time', [0, 1, 2, 3].flatMap(() => [page([ROW], 'next', 'M'), CHANGED]), 'SYDB0050'],
  [
    'a full page that does not say whether it is the last',
    [{ ...page(Array.from({ length: 100 }, (_, n) => ({ ...ROW, odno: String(n + 1) }))), cont: '' }],
    'last',
  ],
  ['a next page without a name', [page([ROW], '', 'M')], 'not named'],
  ['another day at the broker', [{ ...page([ROW]), date: 'Sun, 22 Nov 2026 01:00:00 GMT' }], 'another day'],
])('%s is not readable', async (_name, given, message) => {
  answers = given
  await expect(read()).rejects.toThrow(message)
})

test('every row twice over the pages is one order each, with the fills of the later row', async () => {
  const other = { ...ROW, odno: '0000012399' }
  answers = [page([ROW, other], 'next', 'M'), page([{ ...ROW, tot_ccld_qty: '7' }, other])]
  expect((await read()).orders).toMatchObject([
    { odno: '12345', filled: 7 },
    { odno: '12399', filled: 4 },
  ])
})

test('an unpriced order that is filled between its two rows is one order', async () => {
  answers = [page([{ ...ROW, ord_unpr: '0', tot_ccld_qty: '0' }], 'next', 'M'), page([ROW])]
  expect((await read()).orders).toMatchObject([{ odno: '12345', price: 70_000, filled: 4 }])
})

test('a list that changed while it was read is read again from its first page', async () => {
  answers = [page([ROW], 'next', 'M'), CHANGED, page([ROW], 'next', 'M'), page([{ ...ROW, odno: '12346' }])]
  expect((await read()).orders.map(({ odno }) => odno)).toEqual(['12345', '12346'])
  expect(asked.map(({ query }) => query.get('CTX_AREA_FK100'))).toEqual(['', 'next', '', 'next'])
})

test.each<[string, Record<string, string | undefined>, object]>([
  [
    'no time',
    { ord_tmd: '' },
    { field: 'ord_tmd', odno: '12345', code: '005930', side: 'buy', count: 10, price: 70_000 },
  ],
  ['a time no clock shows', { ord_tmd: '256199' }, { field: 'ord_tmd', odno: '12345' }],
  ['a blank count', { ord_qty: ' ' }, { field: 'ord_qty', count: 'blank' }],
  ['no count', { ord_qty: undefined }, { field: 'ord_qty', count: 'blank' }],
  ['a negative count', { ord_qty: '-1' }, { field: 'ord_qty', count: 'foreign' }],
  ['a fraction of a share', { ord_qty: '0.25', ord_unpr: '0' }, { field: 'ord_qty', count: 'foreign', price: 0 }],
  ['blank fills', { tot_ccld_qty: ' ' }, { field: 'tot_ccld_qty', odno: '12345' }],
  ['a side of its own', { sll_buy_dvsn_cd: '03' }, { field: 'sll_buy_dvsn_cd', side: 'foreign' }],
  ['no number', { odno: '' }, { field: 'odno', odno: null, code: '005930' }],
  ['a code of another form', { pdno: 'KR103502GC34' }, { field: 'pdno', code: null, odno: '12345' }],
  ['no day', { ord_dt: '' }, { field: 'ord_dt', odno: '12345' }],
])('a row with %s is named beside the others', async (_name, odd, named) => {
  answers = [
    page([
      { ...ROW, ...odd },
      { ...ROW, odno: '777' },
    ]),
  ]
  const list = await read()
  expect(list.orders.map(({ odno }) => odno)).toEqual(['777'])
  expect(list.odd).toEqual([expect.objectContaining(named)])
})

test('an odd row that changes or cancels another order is nobody’s business', async () => {
  answers = [page([{ ...ROW, orgn_odno: '0000012344', ord_qty: '' }])]
  expect(await read()).toMatchObject({ orders: [], odd: [] })
})

test('a broker that is away is not readable', async () => {
  await expect(readOrderList({ url: 'http://127.0.0.1:9', env: 'real', spacingMs: 0 }, ACCESS, NOW)).rejects.toThrow(
    'no reply',
  )
})

test('keys go to the broker’s own hosts, and to no other in the clear', () => {
  expect(placeOf({})).toMatchObject({ url: 'http://127.0.0.1:18443', env: 'real' })
  expect(placeOf({ KIS_ENV: 'real' })).toMatchObject({ url: 'https://openapi.koreainvestment.com:9443', env: 'real' })
  expect(placeOf({ KIS_ENV: 'paper' })).toMatchObject({ env: 'paper' })
  expect(() => placeOf({ KIS_ENV: 'real', KIS_REST_URL: 'http://example.com' })).toThrow('https')
  expect(() => placeOf({ KIS_ENV: 'live' })).toThrow('KIS_ENV')
})
