import { describe, expect, test } from 'vitest'
import {
  NotOfferedError,
  ProtocolError,
  RefusedError,
  ThrottledError,
  TokenError,
  UnreachableError,
} from '../src/index.ts'
import { bad, clientOf, ok, startBroker } from './broker.ts'
import type { Reply } from './broker.ts'

const PRICE = {
  stck_prpr: '70500',
  stck_sdpr: '70000',
  stck_oprc: '70100',
  stck_hgpr: '70800',
  stck_lwpr: '69900',
  stck_mxpr: '91000',
  stck_llam: '49000',
  acml_vol: '11540',
  aspr_unit: '100',
  iscd_stat_cls_code: '55',
  temp_stop_yn: 'N',
  rprs_mrkt_kor_name: 'KOSPI200',
}
const GOOD: Reply = { body: ok({ output: PRICE }, 'MCA00000') }

/** Asks for one quote of a broker that answers with these one after the other. */
async function quoteFrom(answers: Reply[]) {
  await using broker = await startBroker((seen, nth) =>
    seen.path.startsWith('/oauth2/') ? undefined : (answers[nth - 1] ?? answers.at(-1)),
  )
  const { rest } = clientOf(broker.url, { timeouts: { totalMs: answers.includes('hang') ? 1_500 : 10_000 } })
  const result = await rest.quote('005930').then(
    (quote) => ({ quote, error: null }),
    (error: unknown) => ({ quote: null, error }),
  )
  await rest.close()
  return { ...result, calls: broker.seen.length, tokens: broker.tokens.length }
}

describe('a query may be sent again', () => {
  test.each<[string, Reply]>([
    ['after a reset', 'reset'],
    ['after silence', 'hang'],
    ['after maintenance', { status: 500, body: bad('') }],
    ['after a page instead of an answer', { status: 502, body: '<html></html>' }],
    ['after a gateway time-out', { status: 500, body: bad('EGW00302') }],
    ['after too many calls, at 500', { status: 500, body: bad('EGW00201') }],
    ['after too many calls, at 200', { status: 200, body: bad('EGW00201') }],
    ['after a busy ledger', { status: 500, body: bad('EGW00215') }],
    ['with a new token, after a dead one', { status: 200, body: bad('EGW00123') }],
  ])('%s', async (_name, first) => {
    const { quote, calls } = await quoteFrom([first, GOOD])
    expect(quote?.price).toBe(70_500)
    expect(calls).toBe(2)
  })

  test.each<[string, Reply, new (message: string) => Error, number]>([
    ['unreachable, a bounded number of times', { status: 500, body: bad('') }, UnreachableError, 3],
    ['throttled, a bounded number of times', { status: 500, body: bad('EGW00201') }, ThrottledError, 3],
    ['a dead token, once', { status: 500, body: bad('EGW00121') }, TokenError, 2],
    ['a refusal, not at all', { body: bad('OPSQ2001', 'ERROR INVALID') }, RefusedError, 1],
    ['not offered, not at all', { status: 500, body: bad('EGW02006') }, NotOfferedError, 1],
    ['an answer without the fields', { body: ok({ output: 'x' }) }, ProtocolError, 1],
    ['an answer without an output', { body: ok({}) }, ProtocolError, 1],
    ['a number that is none', { body: ok({ output: { ...PRICE, stck_prpr: '70,500' } }) }, ProtocolError, 1],
  ])('%s', async (_name, always, kind, expected) => {
    const { error, calls } = await quoteFrom([always])
    expect(error).toBeInstanceOf(kind)
    expect(calls).toBe(expected)
  })
})

describe('tokens', () => {
  test('many first calls share one', async () => {
    await using broker = await startBroker((seen) => (seen.path.startsWith('/oauth2/') ? undefined : GOOD))
    const { rest } = clientOf(broker.url)
    await Promise.all(['005930', '000660', '035420'].map((code) => rest.quote(code)))
    expect(broker.tokens).toHaveLength(1)
    await rest.close()
  })

  test.each<[string, Reply]>([
    ['once a minute', { status: 403, body: { error_description: '1분당 1회', error_code: 'EGW00133' } }],
    ['the msg_cd form of it', { status: 403, body: bad('EGW00133', '1분당 1회') }],
    ['wrong keys', { status: 403, body: { error_description: '유효하지 않은 AppKey', error_code: 'EGW00103' } }],
    ['a page', { status: 500, body: '<html></html>' }],
    ['nothing', 'reset'],
  ])('%s: TokenError, and the call never leaves', async (_name, reply) => {
    await using broker = await startBroker((seen) => (seen.path === '/oauth2/tokenP' ? reply : GOOD))
    const { rest } = clientOf(broker.url, { tokenTimes: { spacingMs: 60_000, backOffMs: 120_000 } })
    await expect(rest.quote('005930')).rejects.toThrow(TokenError)
    await expect(rest.quote('005930')).rejects.toThrow(TokenError)
    expect(broker.seen).toEqual([])
    await rest.close()
  })
})

test('an unknown code is answered with zeros: no quote', async () => {
  const { quote, error } = await quoteFrom([{ body: ok({ output: { ...PRICE, stck_prpr: '0' } }) }])
  expect([quote, error]).toEqual([null, null])
})

test('blank and (null) values are zeros where none is needed', async () => {
  const { quote } = await quoteFrom([{ body: ok({ output: { ...PRICE, stck_oprc: ' ', acml_vol: '(null)' } }) }])
  expect(quote).toMatchObject({ open: 0, volume: 0, base: 70_000, upper: 91_000, lower: 49_000, halted: false })
})

test('58 is a halted issue', async () => {
  const { quote } = await quoteFrom([{ body: ok({ output: { ...PRICE, iscd_stat_cls_code: '58' } }) }])
  expect(quote?.halted).toBe(true)
})
