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

  test('a short page that comes twice is one: nothing can be missing behind it', async () => {
    const rows = [ORDER_ROW, { ...ORDER_ROW, odno: '2' }]
    const { value, seen } = await asking(
      (_seen, nth) => page(rows, nth === 1 ? 'F' : 'E', { ctx_area_nk100: `n${nth}` }),
      (rest) => rest.executions(today),
    )
    expect(value?.map(({ odno }) => odno)).toEqual(['0000000002', '0000012345'])
    expect(seen).toHaveLength(2)
  })

  test('rows listed twice over pages count once, as they were listed last', async () => {
    const grown = { ...ORDER_ROW, tot_ccld_qty: '5', tot_ccld_amt: '350000', rmn_qty: '5', cncl_yn: 'N' }
    const { value } = await asking(
      (_seen, nth) =>
        nth === 1
          ? page([ORDER_ROW, { ...ORDER_ROW, odno: '2' }], 'F', { ctx_area_nk100: 'n1' })
          : page([{ ...ORDER_ROW, odno: '2' }, grown, { ...ORDER_ROW, odno: '3' }], 'E'),
      (rest) => rest.executions(today),
    )
    expect(value?.map(({ odno, filledCount }) => `${Number(odno)}: ${filledCount}`)).toEqual([
      '2: 4',
      '3: 4',
      '12345: 5',
    ])
  })

  test('rows of one number on two days, or of two branches, are two orders', async () => {
    const rows = [ORDER_ROW, { ...ORDER_ROW, ord_dt: '20261113' }, { ...ORDER_ROW, ord_gno_brno: '91252' }]
    const { value } = await asking(
      () => page(rows, 'D'),
      (rest) => rest.executions(today),
    )
    expect(value).toHaveLength(3)
  })

  const changed = { status: 200, body: { rt_cd: '1', msg_cd: 'SYDB0050', msg1: '조회이후에 자료가 변경되었습니다.' } }

  test('a list that changed while it was read is read again from its beginning', async () => {
    const { value, seen } = await asking(
      (_seen, nth) =>
        nth === 2
          ? changed
          : page([{ ...ORDER_ROW, odno: String(nth) }], nth === 3 ? 'D' : 'F', { ctx_area_nk100: `n${nth}` }),
      (rest) => rest.executions(today),
    )
    expect(value?.map(({ odno }) => odno)).toEqual(['0000000003'])
    expect(seen.map(({ headers }) => headers['tr_cont'])).toEqual(['', 'N', ''])
  })

  test('one that changes for ever is an error, never a part of it', async () => {
    const { error, seen } = await asking(
      (_seen, nth) => (nth % 2 === 0 ? changed : page([ORDER_ROW], 'F', { ctx_area_nk100: `n${nth}` })),
      (rest) => rest.executions(today),
    )
    expect(error).toMatchObject({ code: 'SYDB0050' })
    expect(seen).toHaveLength(8)
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
    ['with a row that cannot be read', page([{ ...ORDER_ROW, ord_qty: 'x' }], 'D')],
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
