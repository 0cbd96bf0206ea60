import { describe, expect, test } from 'vitest'
import { ProtocolError, UnreachableError } from '../src/index.ts'
import { asking, bad } from './broker.ts'
import type { Reply } from './broker.ts'
import { ORDER_ROW, page, today } from './ledger-rows.ts'

describe('paging', () => {
  const full = Array.from({ length: 100 }, (_, i) => ({ ...ORDER_ROW, odno: String(i + 1) }))

  test('F and M lead on with N and the cursor as it came, D ends', async () => {
    const cursor = { ctx_area_fk100: '12345678^01^'.padEnd(100), ctx_area_nk100: 'next'.padEnd(100) }
    const replies = [
      page(full, 'F', cursor),
      page(full, 'M', { ...cursor, ctx_area_nk100: 'last'.padEnd(100) }),
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
})
