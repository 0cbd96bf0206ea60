import { describe, expect, test } from 'vitest'
import {
  KisError,
  NotOfferedError,
  NotSentError,
  OutcomeUnknownError,
  RefusedError,
  ThrottledError,
  TokenError,
  outcomeOf,
} from '../src/index.ts'
import type { NewOrder, WriteGuard } from '../src/index.ts'
import { NOW, bad, clientOf, ok, startBroker } from './broker.ts'
import type { Reply } from './broker.ts'

const BUY: NewOrder = {
  code: '005930',
  side: 'buy',
  type: 'limit',
  session: 'regular',
  price: 70_000,
  count: 10,
  venue: 'KRX',
}
const RECEIPT = { KRX_FWDG_ORD_ORGNO: '06010', ODNO: '0000012345', ORD_TMD: '093355' }
const ACCEPTED: Reply = { body: ok({ output: RECEIPT }, 'APBK0013') }
const CASH = '/uapi/domestic-stock/v1/trading/order-cash'

/** Sends one order to a broker that gives these answers one after the other. */
async function sendTo(answers: Reply[], guard?: WriteGuard) {
  await using broker = await startBroker((seen, nth) => (seen.path === CASH ? answers[nth - 1] : undefined))
  const { rest } = clientOf(broker.url, { timeouts: { totalMs: answers.includes('hang') ? 1_500 : 10_000 } })
  const result = await rest.order(BUY, guard).then(
    (receipt) => ({ receipt, error: null }),
    (error: unknown) => ({ receipt: null, error }),
  )
  await rest.close()
  return { ...result, seen: broker.seen, tokens: broker.tokens }
}

test('a limit buy: the body of the documented example, and its receipt', async () => {
  const { receipt, seen } = await sendTo([ACCEPTED])
  expect(receipt).toEqual({ odno: '0000012345', orgno: '06010', orderedAt: Date.parse('2026-11-16T00:33:55Z') })
  expect(seen[0]?.body).toEqual({
    CANO: '12345678',
    ACNT_PRDT_CD: '01',
    PDNO: '005930',
    ORD_DVSN: '00',
    ORD_QTY: '10',
    ORD_UNPR: '70000',
    EXCG_ID_DVSN_CD: 'KRX',
  })
  expect(seen[0]).toMatchObject({ method: 'POST', trId: 'TTTC0012U' })
  expect(seen[0]?.headers).toMatchObject({ custtype: 'P', authorization: 'Bearer token1' })
  expect(seen[0]?.headers['content-length']).toBeDefined()
  expect(seen[0]?.headers['transfer-encoding']).toBeUndefined()
})

describe('the order’s form', () => {
  test.each<[string, Partial<NewOrder>, string, Record<string, string>]>([
    ['sell', { side: 'sell' }, 'TTTC0011U', { ORD_DVSN: '00' }],
    ['market', { type: 'market', price: 0 }, 'TTTC0012U', { ORD_DVSN: '01', ORD_UNPR: '0' }],
    ['best', { type: 'best', price: 0 }, 'TTTC0012U', { ORD_DVSN: '03', ORD_UNPR: '0' }],
    ['SOR', { venue: 'SOR' }, 'TTTC0012U', { EXCG_ID_DVSN_CD: 'SOR' }],
    ['after-market limit', { session: 'after' }, 'TTTC0012U', { ORD_DVSN: '41', ORD_UNPR: '70000' }],
    ['after-market best', { session: 'after', type: 'best', price: 0 }, 'TTTC0012U', { ORD_DVSN: '44', ORD_UNPR: '0' }],
    ['evening on NXT', { session: 'after', venue: 'NXT' }, 'TTTC0012U', { ORD_DVSN: '00', EXCG_ID_DVSN_CD: 'NXT' }],
  ])('%s', async (_name, changes, trId, body) => {
    await using broker = await startBroker((seen) => (seen.path === CASH ? ACCEPTED : undefined))
    const { rest } = clientOf(broker.url)
    await rest.order({ ...BUY, ...changes })
    expect(broker.seen[0]).toMatchObject({ trId, body })
    await rest.close()
  })

  test.each<[string, Partial<NewOrder>, 'real' | 'paper', typeof NotSentError | typeof NotOfferedError]>([
    ['no shares', { count: 0 }, 'real', NotSentError],
    ['half a share', { count: 1.5 }, 'real', NotSentError],
    ['a limit without a price', { price: 0 }, 'real', NotSentError],
    ['market on NXT', { type: 'market', venue: 'NXT' }, 'real', NotSentError],
    ['market in the after-market', { type: 'market', session: 'after' }, 'real', NotSentError],
    ['NXT on paper', { venue: 'NXT' }, 'paper', NotOfferedError],
  ])('%s never leaves', async (_name, changes, env, kind) => {
    await using broker = await startBroker(() => undefined)
    const { rest } = clientOf(broker.url, { env })
    await expect(rest.order({ ...BUY, ...changes })).rejects.toThrow(kind)
    expect(broker.seen).toEqual([])
    await rest.close()
  })
})

describe('what became of an order', () => {
  test.each<[string, Reply, new (message: string) => KisError, 'refused' | 'unknown' | 'notSent']>([
    [
      'refused, in the broker’s words',
      { body: bad('APBK0400', '주문 가능한 수량을 초과 하였습니다.') },
      RefusedError,
      'refused',
    ],
    ['not on paper', { status: 500, body: bad('EGW02006') }, NotOfferedError, 'refused'],
    ['an unknown code', { body: bad('ZZZZ0001', '거절되었습니다.') }, OutcomeUnknownError, 'unknown'],
    [
      'too little cash, as seen',
      { body: bad('APBK0952', '주문가능금액을 초과 했습니다', '7') },
      RefusedError,
      'refused',
    ],
    ['nothing to show', { body: bad('KIOK0560', '조회할 내용이 없습니다', '7') }, OutcomeUnknownError, 'unknown'],
    ['the code of success without a verdict', { body: { msg_cd: 'APBK0013' } }, OutcomeUnknownError, 'unknown'],
    ['no answer', 'hang', OutcomeUnknownError, 'unknown'],
    ['connection reset', 'reset', OutcomeUnknownError, 'unknown'],
    ['gateway routing', { status: 500, body: bad('EGW00202') }, OutcomeUnknownError, 'unknown'],
    ['OPS routing', { status: 500, body: bad('EGW00203') }, OutcomeUnknownError, 'unknown'],
    ['internal routing', { status: 500, body: bad('EGW00204') }, OutcomeUnknownError, 'unknown'],
    ['routing', { status: 500, body: bad('EGW00300') }, OutcomeUnknownError, 'unknown'],
    ['check the previous transaction', { status: 500, body: bad('EGW00301') }, OutcomeUnknownError, 'unknown'],
    ['transaction time-out', { status: 500, body: bad('EGW00302') }, OutcomeUnknownError, 'unknown'],
    ['ledger busy', { status: 500, body: bad('EGW00215') }, OutcomeUnknownError, 'unknown'],
    ['maintenance', { status: 500, body: bad('') }, OutcomeUnknownError, 'unknown'],
    ['a page instead of an answer', { status: 502, body: '<html>Bad Gateway</html>' }, OutcomeUnknownError, 'unknown'],
    ['half an answer', { body: '{"rt_cd":"0","msg_cd":"APB' }, OutcomeUnknownError, 'unknown'],
    ['accepted without a number', { body: ok({ output: { ODNO: ' ' } }) }, OutcomeUnknownError, 'unknown'],
    [
      'accepted with an empty number',
      { body: ok({ output: { ...RECEIPT, ODNO: '' } }) },
      OutcomeUnknownError,
      'unknown',
    ],
    [
      'accepted as number zero',
      { body: ok({ output: { ...RECEIPT, ODNO: '0000000000' } }) },
      OutcomeUnknownError,
      'unknown',
    ],
    ['accepted without an output', { body: ok({}) }, OutcomeUnknownError, 'unknown'],
  ])('%s', async (_name, reply, kind, outcome) => {
    const { error, seen } = await sendTo([reply, ACCEPTED])
    expect(error).toBeInstanceOf(kind)
    expect(outcomeOf(error)).toBe(outcome)
    // Sent once, whatever came back.
    expect(seen).toHaveLength(1)
  })

  test('the message of a refusal is trimmed of its padding', async () => {
    const { error } = await sendTo([{ body: bad('APBK0400', '주문 가능한 수량을 초과 하였습니다.') }])
    expect(error).toMatchObject({ message: '주문 가능한 수량을 초과 하였습니다.', code: 'APBK0400' })
  })

  test('anything that is not an error of ours counts as unknown', () =>
    expect(outcomeOf(new TypeError('surprise'))).toBe('unknown'))

  test('no connection: nothing was sent', async () => {
    const broker = await startBroker(() => undefined)
    const { rest } = clientOf(broker.url)
    await rest.order(BUY).catch(() => null)
    await broker[Symbol.asyncDispose]()
    const error: unknown = await rest.order(BUY).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(NotSentError)
    await rest.close()
  })
})

describe('the two refusals at the gateway’s door', () => {
  test('a dead token: one new token, one more try', async () => {
    const { receipt, seen, tokens } = await sendTo([{ status: 500, body: bad('EGW00123') }, ACCEPTED])
    expect(receipt?.odno).toBe('0000012345')
    expect(seen.map((call) => call.headers['authorization'])).toEqual(['Bearer token1', 'Bearer token2'])
    expect(tokens).toHaveLength(2)
  })

  test('a dead token twice: given up, and certain that nothing was placed', async () => {
    const dead: Reply = { body: bad('EGW00121') }
    const { error, seen } = await sendTo([dead, dead, ACCEPTED])
    expect(error).toBeInstanceOf(TokenError)
    expect(outcomeOf(error)).toBe('notSent')
    expect(seen).toHaveLength(2)
  })

  test('too many calls: one more try', async () => {
    const { receipt, seen } = await sendTo([{ status: 500, body: bad('EGW00201') }, ACCEPTED])
    expect(receipt).not.toBeNull()
    expect(seen).toHaveLength(2)
  })

  test('too many calls twice: refused', async () => {
    const busy: Reply = { status: 500, body: bad('EGW00201', '초당 거래건수를 초과하였습니다.') }
    const { error, seen } = await sendTo([busy, busy, ACCEPTED])
    expect(error).toBeInstanceOf(ThrottledError)
    expect(outcomeOf(error)).toBe('refused')
    expect(seen).toHaveLength(2)
  })

  test('too many calls, then silence: unknown, not sent again', async () => {
    const { error, seen } = await sendTo([{ status: 500, body: bad('EGW00201') }, 'reset', ACCEPTED])
    expect(outcomeOf(error)).toBe('unknown')
    expect(seen).toHaveLength(2)
  })

  test('the second try asks once more whether it may leave', async () => {
    const verdicts = [null, '정지되었습니다.']
    const { error, seen } = await sendTo([{ status: 500, body: bad('EGW00201') }, ACCEPTED], {
      refuse: () => verdicts.shift() ?? null,
    })
    expect(error).toBeInstanceOf(NotSentError)
    expect(error).toMatchObject({ message: '정지되었습니다.' })
    expect(seen).toHaveLength(1)
  })
})

test('a receipt without a readable time carries our own', async () => {
  const { receipt } = await sendTo([{ body: ok({ output: { ...RECEIPT, ORD_TMD: '' } }) }])
  expect(receipt?.orderedAt).toBe(NOW)
})
