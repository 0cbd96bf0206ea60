import { describe, expect, test } from 'vitest'
import { KisError, ProtocolError, UnreachableError } from '../src/index.ts'
import { asking, bad, ok } from './broker.ts'
import type { Reply } from './broker.ts'
import { ORDER_ROW, page, today } from './ledger-rows.ts'

describe('paging', () => {
  const full = Array.from({ length: 100 }, (_, i) => ({ ...ORDER_ROW, odno: String(i + 1) }))
  const next = full.map((row) => ({ ...row, ord_gno_brno: '06020' }))

  test('F and M lead on with N and the cursor as it came, D ends', async () => {
    const cursor = { ctx_area_fk100: '12345678^01^'.padEnd(100), ctx_area_nk100: 'next'.padEnd(100) }
    const replies = [
      page(full, 'F', cursor),
      page(next, 'M', { ...cursor, ctx_area_nk100: 'last'.padEnd(100) }),
      page([ORDER_ROW], 'D', cursor),
    ]
    const { value, seen } = await asking(
      (_seen, nth) => replies[nth - 1] ?? 'hang',
      (rest) => rest.executions(today),
    )
    expect(value).toHaveLength(201)
    expect(seen.map((call) => call.headers['tr_cont'])).toEqual(['', 'N', 'N'])
    expect(seen.map((call) => call.query['CTX_AREA_NK100']?.length)).toEqual([0, 100, 100])
    expect(seen[2]?.query['CTX_AREA_NK100']).toBe('last'.padEnd(100))
  })

  test('only the header decides: a cursor on the last page leads nowhere', async () => {
    const last = page([ORDER_ROW], 'D', { ctx_area_fk100: 'x'.repeat(24) })
    const { seen } = await asking(
      () => last,
      (rest) => rest.executions(today),
    )
    expect(seen).toHaveLength(1)
  })

  test.each<[string, Reply, boolean]>([
    ['a full page without a header', page(full), false],
    ['a full page with a header nobody knows', page(full, 'Z'), false],
    ['a full last page', page(full, 'E'), true],
    ['a full page with a blank header', page(full, ''), true],
    ['a short page without a header', page([ORDER_ROW]), true],
  ])('%s', async (_name, reply, complete) => {
    const { value, error } = await asking(
      () => reply,
      (rest) => rest.executions(today),
    )
    expect(value !== null).toBe(complete)
    expect(error === null || error instanceof ProtocolError).toBe(true)
  })

  test('on paper 15 rows are a full page', async () => {
    const { error } = await asking(
      () => page(full.slice(0, 15)),
      (rest) => rest.executions(today),
      'paper',
    )
    expect(error).toBeInstanceOf(ProtocolError)
  })

  test('a cursor that points to itself ends in an error, not in a circle', async () => {
    const same = page(full, 'M', { ctx_area_nk100: 'same' })
    const { error, seen } = await asking(
      () => same,
      (rest) => rest.executions(today),
    )
    expect(error).toBeInstanceOf(ProtocolError)
    expect(seen).toHaveLength(2)
  })

  test('a page lost on the way is asked again; when it stays lost there is no list', async () => {
    const first = page(full, 'F', { ctx_area_nk100: 'next' })
    const once = await asking(
      (_seen, nth) => (nth === 1 ? first : nth === 2 ? 'reset' : page([ORDER_ROW], 'D')),
      (rest) => rest.executions(today),
    )
    expect(once.value).toHaveLength(101)
    const lost = await asking(
      (_seen, nth) => (nth === 1 ? first : { status: 500, body: bad('') }),
      (rest) => rest.executions(today),
    )
    expect(lost.error).toBeInstanceOf(UnreachableError)
  })

  test('a page that repeats the one before is no second page, whatever its cursor says', async () => {
    const { error, seen } = await asking(
      (_seen, nth) => page(full, nth === 1 ? 'M' : 'D', { ctx_area_nk100: `n${nth}` }),
      (rest) => rest.executions(today),
    )
    expect(error).toBeInstanceOf(ProtocolError)
    expect(seen).toHaveLength(2)
  })

  test('a row that cannot be read counts for the length of its page', async () => {
    const { error } = await asking(
      () => page([...full.slice(1), { ...ORDER_ROW, ord_qty: 'x' }]),
      (rest) => rest.executions(today),
    )
    expect(error).toBeInstanceOf(ProtocolError)
  })

  test('a last page with room left that repeats the one before hides none: sixteen orders came as 32 rows', async () => {
    const sixteen = full.slice(0, 16)
    const { value, seen } = await asking(
      (_seen, nth) => page(sixteen, nth === 1 ? 'F' : 'E', { ctx_area_nk100: `n${nth}` }),
      (rest) => rest.executions(today),
    )
    expect(value?.map(({ odno }) => Number(odno))).toEqual(sixteen.map(({ odno }) => Number(odno)))
    expect(seen).toHaveLength(2)
  })

  test('holdings repeated on a second page are held once', async () => {
    const row = { pdno: '005930', prdt_name: '', hldg_qty: '4', ord_psbl_qty: '4' }
    const reply = { output1: [row], output2: [{ prvs_rcdl_excc_amt: '1' }] }
    const { value } = await asking(
      (_seen, nth) => ({ cont: nth === 1 ? 'F' : 'E', body: ok({ ...reply, ctx_area_nk100: `n${nth}` }) }),
      (rest) => rest.balance(),
    )
    expect(value?.holdings).toHaveLength(1)
  })

  test('a cursor that comes back later is a circle too', async () => {
    const { error, seen } = await asking(
      (_seen, nth) => page([{ ...ORDER_ROW, odno: String(nth) }], 'M', { ctx_area_nk100: nth % 2 === 0 ? 'a' : 'b' }),
      (rest) => rest.executions(today),
    )
    expect(error).toBeInstanceOf(ProtocolError)
    expect(seen).toHaveLength(3)
  })

  test('cursors without end: at most 200 pages', async () => {
    const { error, seen } = await asking(
      (_seen, nth) => page([{ ...ORDER_ROW, odno: String(nth) }], 'M', { ctx_area_nk100: `n${nth}` }),
      (rest) => rest.executions(today),
    )
    expect(error).toBeInstanceOf(ProtocolError)
    expect(seen).toHaveLength(200)
  })

  test.each<[string, Reply[], number]>([
    [
      'an empty page in between',
      [page(full, 'F', { ctx_area_nk100: 'a' }), page([], 'M', { ctx_area_nk100: 'b' })],
      101,
    ],
    ['two empty pages', [page([], 'F', { ctx_area_nk100: 'a' }), page([], 'M', { ctx_area_nk100: 'b' })], 1],
    ['a cursor on the second page only', [page(full, 'F'), page([], 'M', { ctx_area_nk100: 'b' })], 101],
  ])('%s ends nothing', async (_name, pages, rows) => {
    const { value } = await asking(
      (_seen, nth) => pages[nth - 1] ?? page([ORDER_ROW], 'D'),
      (rest) => rest.executions(today),
    )
    expect(value).toHaveLength(rows)
  })

  test('an empty last page ends the list', async () => {
    const { value } = await asking(
      (_seen, nth) => (nth === 1 ? page(full, 'M', { ctx_area_nk100: 'a' }) : page([], 'E')),
      (rest) => rest.executions(today),
    )
    expect(value).toHaveLength(100)
  })

  test.each<[string, Reply]>([
    ['refused', { body: bad('OPSQ2001', 'ERROR INVALID') }],
    ['without its list', { cont: 'D', body: ok({ output2: {} }) }],
    ['with a row that is none', { cont: 'D', body: ok({ output1: [['x']], output2: {} }) }],
    ['full, without a header', page(full.map((row) => ({ ...row, ord_gno_brno: '2' })))],
  ])('a second page %s: no list at all', async (_name, second) => {
    const { value, error } = await asking(
      (_seen, nth) => (nth === 1 ? page(full, 'M', { ctx_area_nk100: 'a' }) : second),
      (rest) => rest.executions(today),
    )
    expect(value).toBeNull()
    expect(error).toBeInstanceOf(KisError)
  })
})
