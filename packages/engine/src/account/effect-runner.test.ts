import { emptyBook, newAccount, type Stop } from '@digger/core'
import { KERNEL_LEASE } from '@digger/database'
import { TestClock } from '@digger/database/testing'
import {
  NotSentError,
  OutcomeUnknownError,
  ProtocolError,
  RefusedError,
  ThrottledError,
  TokenError,
  UnreachableError,
  type CancelOrder,
  type KisRest,
} from '@digger/kis'
import { expect, test } from 'vitest'
import { fakeKis } from '@digger/prices/testing'
import { FakeSocket } from '@digger/prices/testing'
import { orderOf } from '../../test/orders.ts'
import { Timetables } from '@digger/prices'
import { NO_BROKER } from './effects.ts'
import { EffectRunner } from './effect-runner.ts'

const receipt = { odno: '0000000007', orgno: '06010', orderedAt: 0 }

const ignore = (_error: unknown): void => undefined

const clock = new TestClock()

const UNWANTED = 2

/** An account with two orders on their way; the person wants the second cancelled. */
function partsOf(pendingStop: () => Stop) {
  const orders = new Map([1, UNWANTED].map((id) => [id, orderOf({ id, cancelWanted: id === UNWANTED })]))
  const account = newAccount({ ...emptyBook('20261120'), orders })
  const conditions = { env: 'real', clock, serverStop: 'active', timetables: new Timetables('always') } as const
  return {
    mailbox: { account, inDoubt: null, ended: false, pendingStop },
    conditions,
    lease: KERNEL_LEASE,
  }
}

const LEAVING = partsOf(() => 'active')

function runnerWith(rest: Partial<KisRest>, problem = ignore, parts = LEAVING) {
  const broker = { rest: fakeKis(rest), socket: new FakeSocket() }
  return new EffectRunner(broker, parts, clock, problem)
}
const failing = (thrown: unknown) => async (): Promise<never> => {
  throw thrown
}

test('an order that the broker takes is accepted, with its number', async () => {
  const sent: unknown[] = []
  const runner = runnerWith({
    order: async (given) => {
      sent.push(given)
      return receipt
    },
  })
  const order = orderOf()
  expect(await runner.send(order)).toEqual({
    kind: 'accepted',
    orderId: 1,
    odno: '0000000007',
    orgno: '06010',
  })
  expect(sent).toEqual([order])
})

const OWN_TEXT = '증권사의 답을 읽지 못했습니다.'
const SEND_FAILURES: [string, Error, string, string][] = [
  ['a refusal is refused', new RefusedError('주문가능금액을 초과했습니다.'), 'refused', '주문가능금액을 초과했습니다.'],
  ['too many calls are a refusal', new ThrottledError('초당 거래건수 초과'), 'refused', '초당 거래건수 초과'],
  ['what never left is not sent', new NotSentError('멈췄습니다.'), 'notSent', '멈췄습니다.'],
  ['without a token nothing leaves', new TokenError('토큰이 없습니다.'), 'notSent', '토큰이 없습니다.'],
  ['no verdict is unknown', new OutcomeUnknownError('답이 없습니다.'), 'unknown', '답이 없습니다.'],
  ['no connection is unknown', new UnreachableError('연결이 끊겼습니다.'), 'unknown', '연결이 끊겼습니다.'],
  ['what nobody understands is unknown', new ProtocolError('field x is no number'), 'unknown', OWN_TEXT],
  ['an error of our own is unknown', new TypeError('x is undefined'), 'unknown', OWN_TEXT],
]
test.each(SEND_FAILURES)('sending: %s', async (_name, error, kind, text) => {
  const runner = runnerWith({ order: failing(error) })
  const event = await runner.send(orderOf())
  expect(event).toMatchObject({ kind, orderId: 1, text })
  expect('cause' in event).toBe(kind === 'refused')
})

test.each([
  [new RefusedError('장운영시간이 아닙니다.', 'APBK0918'), 'hour'],
  [new RefusedError('주문가능금액을 초과했습니다.', 'APBK0918'), 'money'],
  [new ThrottledError('초당 거래건수 초과', 'EGW00201'), 'call'],
])('a refusal says its cause: %s', async (error, cause) => {
  expect(await runnerWith({ order: failing(error) }).send(orderOf())).toMatchObject({ kind: 'refused', cause })
})

test('the last look is taken when the client asks for it, of this order and with the time of its commit', async () => {
  const happened: string[] = []
  const parts = partsOf(() => {
    happened.push('looked')
    return 'active'
  })
  const order: KisRest['order'] = async (_order, guard) => {
    happened.push('asked')
    const refusal = guard?.refuse() ?? null
    if (refusal !== null) throw new NotSentError(refusal)
    happened.push('left')
    return receipt
  }
  const runner = runnerWith({ order }, ignore, parts)
  // An order of any other commit time would be too old.
  expect(await runner.send(orderOf())).toMatchObject({ kind: 'accepted', orderId: 1 })
  const text = '보내기 직전에 취소해 달라는 요청이 있었습니다.'
  expect(await runner.send(orderOf({ id: UNWANTED }))).toEqual({ kind: 'notSent', orderId: UNWANTED, text })
  expect(happened).toEqual(['asked', 'looked', 'left', 'asked', 'looked'])
})

test('a cancel names the order as the broker knows it; one without a number is not sent', async () => {
  const cancelled: CancelOrder[] = []
  const runner = runnerWith({
    cancel: async (order) => {
      cancelled.push(order)
      return receipt
    },
  })
  expect(await runner.cancel(orderOf({ odno: '0000000007', orgno: '06010', venue: 'SOR' }))).toEqual({
    kind: 'cancelDone',
    orderId: 1,
  })
  const named = { odno: '0000000007', orgno: '06010', type: 'limit', session: 'regular', venue: 'SOR' }
  expect(cancelled).toEqual([named])
  expect(await runner.cancel(orderOf())).toMatchObject({ kind: 'cancelFailed', orderId: 1 })
  expect(cancelled).toHaveLength(1)
})

test.each(SEND_FAILURES)('cancelling: %s, reported only as a failure', async (_name, error, _kind, text) => {
  const runner = runnerWith({ cancel: failing(error) })
  const event = await runner.cancel(orderOf({ odno: '1' }))
  expect(event).toEqual({ kind: 'cancelFailed', orderId: 1, text, nothingLeft: false })
})

test('a cancel that finds nothing says so', async () => {
  const error = new RefusedError('정정/취소할 수량이 없습니다.', 'APBK0918')
  const event = await runnerWith({ cancel: failing(error) }).cancel(orderOf({ odno: '1' }))
  expect(event).toMatchObject({ kind: 'cancelFailed', nothingLeft: true })
})

test('cash is the smaller of what may be ordered for and what is there, and counts from when the question left', async () => {
  const answers = [
    { count: 1, price: 0, amount: 300_000, cash: 500_000, leftAt: 7 },
    { count: 1, price: 0, amount: 500_000, cash: 200_000, leftAt: 8 },
  ]
  const runner = runnerWith({
    buyable: async () => answers.shift() ?? Promise.reject(new UnreachableError('연결이 끊겼습니다.')),
  })
  const ask = () => runner.askCash('005930')
  expect(await ask()).toEqual({ kind: 'cash', amount: 300_000, askedAt: 7 })
  expect(await ask()).toEqual({ kind: 'cash', amount: 200_000, askedAt: 8 })
  expect(await ask()).toEqual({ kind: 'cashFailed', text: '연결이 끊겼습니다.' })
  await expect(runner.cash('005930')).rejects.toThrow('연결이 끊겼습니다.')
  expect(runner.cashQuestions).toBe(4)
})

test('a reading ends in its event, also when it fails', async () => {
  const read = { from: '20261120', to: '20261120', compare: false }
  expect(await runnerWith({}).read(read)).toMatchObject({
    kind: 'snapshot',
    snapshot: { from: '20261120', balance: null },
  })
  const failed = runnerWith({ executions: failing(new UnreachableError('연결이 끊겼습니다.')) })
  expect(await failed.read(read)).toEqual({ kind: 'snapshotFailed', text: '연결이 끊겼습니다.' })
})

test('why questions fail is reported once, and again for another cause or after an answer', async () => {
  const read = { from: '20261120', to: '20261120', compare: false }
  const [cut, odd] = [new UnreachableError('연결이 끊겼습니다.'), new ProtocolError('field x is no number')]
  const results = [cut, cut, odd, null, odd]
  const next = async (): Promise<never[]> => {
    const result = results.shift()
    if (result) throw result
    return []
  }
  const reported: unknown[] = []
  const runner = runnerWith({ executions: next }, (error) => reported.push(error))
  while (results.length > 0) await runner.read(read)
  expect(reported).toEqual([cut, odd, odd])

  const cash = runnerWith({ buyable: failing(odd) }, (error) => reported.push(error))
  for (let asked = 0; asked < 3; asked++) await cash.askCash('005930')
  expect(reported).toEqual([cut, odd, odd, odd])
})

test('an order’s failure that only an engineer understands is reported; a refusal in words is on its card', async () => {
  const odd = new TypeError('x is undefined')
  const reported: unknown[] = []
  const problem = (error: unknown): void => void reported.push(error)
  await runnerWith({ order: failing(odd) }, problem).send(orderOf())
  await runnerWith({ order: failing(new RefusedError('주문가능금액을 초과했습니다.')) }, problem).send(orderOf())
  await runnerWith({ cancel: failing(odd) }, problem).cancel(orderOf({ odno: '1' }))
  expect(reported).toEqual([odd, odd])
})

test('what has no answer is counted on both wires', () => {
  const socket = new FakeSocket()
  socket.unanswered = 2
  const broker = { rest: fakeKis({ unanswered: 3 }), socket }
  const runner = new EffectRunner(broker, LEAVING, clock, ignore)
  expect(runner.unanswered).toBe(5)
})

test('without a broker everything ends as one that never left', async () => {
  expect(NO_BROKER.authorised).toBe(false)
  expect(await NO_BROKER.send(orderOf())).toMatchObject({ kind: 'notSent', orderId: 1 })
  expect(await NO_BROKER.cancel(orderOf())).toMatchObject({ kind: 'cancelFailed', orderId: 1 })
  const wanted = { from: '20261120', to: '20261120', compare: true }
  expect(await NO_BROKER.read(wanted)).toMatchObject({ kind: 'snapshotFailed' })
  expect(await NO_BROKER.askCash('005930')).toMatchObject({ kind: 'cashFailed' })
  const stock = { code: '005930', from: '20261116', to: '20261116' }
  expect(await NO_BROKER.read(stock)).toEqual({ kind: 'stockList', code: '005930', list: null })
})
