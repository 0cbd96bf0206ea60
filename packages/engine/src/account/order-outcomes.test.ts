import { OutcomeUnknown } from '@digger/contract'
import { emptyBook, type CommandResult, type Book, type Order } from '@digger/core'
import { TestClock } from '@digger/database/testing'
import { beforeEach, expect, test, vi } from 'vitest'
import { orderOf } from '../../test/orders.ts'
import { OrderOutcomes } from './order-outcomes.ts'

const bookOf = (...orders: Order[]): Book => ({
  ...emptyBook('20261120'),
  orders: new Map(orders.map((order) => [order.id, order])),
})
const book = (first: Order['status'], second: Order['status']): Book =>
  bookOf(orderOf({ id: 1, status: first }), orderOf({ id: 2, status: second }))
const two = (first: Partial<Order>, second: Partial<Order>): Book =>
  bookOf(orderOf({ id: 1, ...first }), orderOf({ id: 2, ...second }))
const one = (change: Partial<Order>): Book => bookOf(orderOf(change))

let clock: TestClock
let outcomes: OrderOutcomes
beforeEach(() => {
  clock = new TestClock()
  outcomes = new OrderOutcomes(clock)
})

/** What became of a promise so far. */
async function stateOf(promise: Promise<void>): Promise<unknown> {
  const pending = new Promise((resolve) => setImmediate(() => resolve('waits')))
  return Promise.race([promise.then(() => 'done').catch((error: unknown) => error), pending])
}

const LOST = { code: 'BROKER_UNREACHABLE' }

test.each<[string, Partial<Order>, unknown]>([
  ['taken', { status: 'open' }, 'done'],
  ['filled', { status: 'filled' }, 'done'],
  ['being cancelled already', { status: 'cancelling' }, 'done'],
  ['cancelled', { status: 'cancelled' }, 'done'],
  [
    'rejected, with the broker’s own message',
    { status: 'rejected', note: '잔고 부족' },
    { code: 'REJECTED', message: '잔고 부족' },
  ],
  ['rejected without any', { status: 'rejected' }, { code: 'REJECTED', message: '증권사가 주문을 거절했습니다.' }],
  ['not sent', { status: 'notPlaced', note: '멈췄습니다' }, { code: 'CONFLICT', message: '멈췄습니다' }],
  ['without a verdict', { status: 'unknown' }, LOST],
  ['still on its way', { status: 'intended' }, 'waits'],
])('an order that is %s', async (_name, change, expected) => {
  const asked = outcomes.accepted(one({ status: 'intended' }), [1])
  outcomes.follow(one(change))
  const state = await stateOf(asked)
  expect({ state }).toMatchObject({ state: expected })
  // The same when it was so from the start.
  expect(await stateOf(outcomes.accepted(one(change), [1]))).toEqual(state)
})

test('several orders are accepted when the last is', async () => {
  const all = outcomes.accepted(book('intended', 'intended'), [1, 2])
  outcomes.follow(book('open', 'intended'))
  expect(await stateOf(all)).toBe('waits')
  outcomes.follow(book('open', 'open'))
  expect(await stateOf(all)).toBe('done')
})

test('a refused one of several is told when the others have their verdicts, with how many were taken', async () => {
  const asked = outcomes.accepted(book('intended', 'intended'), [1, 2])
  outcomes.follow(book('rejected', 'intended'))
  expect(await stateOf(asked)).toBe('waits')
  outcomes.follow(two({ status: 'rejected', note: '잔고 부족' }, { status: 'open' }))
  const text = '주문 2건 가운데 1건은 접수되었고 1건은 접수되지 않았습니다: 잔고 부족 주문 목록을 확인해 주세요.'
  expect(await stateOf(asked)).toMatchObject({ code: 'REJECTED', message: text })
})

test('where none of several was taken they are refused, as one is', async () => {
  const asked = outcomes.accepted(book('rejected', 'notPlaced'), [1, 2])
  expect(await stateOf(asked)).toMatchObject({ code: 'REJECTED', message: '증권사가 주문을 거절했습니다.' })
})

test('one of several without a verdict leaves the outcome open, whatever became of the others', async () => {
  for (const other of ['open', 'rejected'] as const)
    expect(await stateOf(outcomes.accepted(book(other, 'unknown'), [1, 2]))).toBeInstanceOf(OutcomeUnknown)
  const late = outcomes.accepted(book('rejected', 'intended'), [1, 2])
  clock.advance(15_000)
  expect(await stateOf(late)).toBeInstanceOf(OutcomeUnknown)
})

test('each who waits has one timer', () => {
  const after = vi.spyOn(clock, 'after')
  void outcomes.accepted(one({ status: 'intended' }), [1]).catch(() => undefined)
  expect(after).toHaveBeenCalledTimes(1)
})

test('an order that may have gone is no refused one', async () => {
  const asked = outcomes.accepted(one({ status: 'intended' }), [1])
  clock.advance(15_000)
  expect(await stateOf(asked)).toBeInstanceOf(OutcomeUnknown)
  expect(await stateOf(outcomes.accepted(one({ status: 'unknown' }), [1]))).toBeInstanceOf(OutcomeUnknown)
  expect(await stateOf(outcomes.accepted(one({ status: 'rejected' }), [1]))).not.toBeInstanceOf(OutcomeUnknown)
})

test('each who waits is answered about their own order only, once', async () => {
  const first = outcomes.accepted(book('intended', 'intended'), [1])
  const again = outcomes.accepted(book('intended', 'intended'), [1])
  const second = outcomes.accepted(book('intended', 'intended'), [2])
  outcomes.follow(book('rejected', 'intended'))
  expect(await stateOf(first)).toMatchObject({ code: 'REJECTED' })
  expect(await stateOf(again)).toMatchObject({ code: 'REJECTED' })
  expect(await stateOf(second)).toBe('waits')
  outcomes.follow(book('rejected', 'open'))
  outcomes.follow(book('rejected', 'unknown'))
  clock.advance(60_000)
  expect(await stateOf(second)).toBe('done')
})

test('nobody waits longer than fifteen seconds for the broker’s answer; then the outcome is being checked', async () => {
  const asked = outcomes.accepted(one({ status: 'intended' }), [1])
  clock.advance(14_999)
  expect(await stateOf(asked)).toBe('waits')
  clock.advance(1)
  expect(await stateOf(asked)).toMatchObject({ ...LOST, message: expect.stringContaining('답이 늦어') })
})

test('of several orders, which leave one after the other, each verdict gives the next fifteen seconds', async () => {
  const all = outcomes.accepted(book('intended', 'intended'), [1, 2])
  clock.advance(14_999)
  outcomes.follow(book('open', 'intended'))
  clock.advance(14_999)
  outcomes.follow(book('open', 'intended'))
  expect(await stateOf(all)).toBe('waits')
  clock.advance(1)
  expect(await stateOf(all)).toMatchObject(LOST)

  const both = outcomes.accepted(book('intended', 'intended'), [1, 2])
  outcomes.follow(book('open', 'intended'))
  outcomes.follow(book('open', 'open'))
  expect(await stateOf(both)).toBe('done')
})

test('a cancel ends with the order, with the broker’s refusal, or quietly after three seconds', async () => {
  const cancelling = one({ status: 'cancelling' })
  const done = outcomes.cancelled(cancelling, [1])
  outcomes.follow(one({ status: 'cancelled' }))
  expect(await stateOf(done)).toBe('done')

  const refused = outcomes.cancelled(cancelling, [1])
  outcomes.follow(one({ status: 'open', note: '취소 가능 수량이 없습니다.' }))
  expect(await stateOf(refused)).toMatchObject({ code: 'REJECTED', message: expect.stringContaining('취소 가능 수량') })

  const slow = outcomes.cancelled(cancelling, [1])
  clock.advance(2_999)
  expect(await stateOf(slow)).toBe('waits')
  clock.advance(1)
  expect(await stateOf(slow)).toBe('done')
})

test('a cancel that comes too late is not called done: the order was filled meanwhile', async () => {
  const filled = outcomes.cancelled(one({ status: 'cancelling' }), [1])
  outcomes.follow(one({ status: 'filled' }))
  const message = '그사이 모두 체결되어 취소하지 못했습니다.'
  expect(await stateOf(filled)).toMatchObject({ code: 'REJECTED', message })

  const both = outcomes.cancelled(book('cancelling', 'cancelling'), [1, 2])
  outcomes.follow(book('filled', 'cancelled'))
  const ofTwo = '주문 2건 가운데 1건은 그사이 모두 체결되어 취소하지 못했습니다.'
  expect(await stateOf(both)).toMatchObject({ code: 'REJECTED', message: ofTwo })

  const mixed = outcomes.cancelled(book('cancelling', 'cancelling'), [1, 2])
  outcomes.follow(two({ status: 'filled' }, { status: 'open', note: '장종료' }))
  const refused = '주문 2건 가운데 1건은 취소가 되지 않았습니다: 장종료 주문이 남아 있으면 곧 다시 취소합니다.'
  expect(await stateOf(mixed)).toMatchObject({ code: 'REJECTED', message: `${refused} ${ofTwo}` })
})

test('of several cancels the one that was refused is told with how many, once the others are over', async () => {
  const refused = { status: 'open', note: '취소 가능 수량이 없습니다.' } as const
  const asked = outcomes.cancelled(two({ status: 'cancelling' }, { status: 'cancelling' }), [1, 2])
  outcomes.follow(two(refused, { status: 'cancelling' }))
  expect(await stateOf(asked)).toBe('waits')
  outcomes.follow(two(refused, { status: 'cancelled' }))
  const message = expect.stringMatching(/^주문 2건 가운데 1건은 취소가 되지 않았습니다: 취소 가능 수량/)
  expect(await stateOf(asked)).toMatchObject({ code: 'REJECTED', message })
})

const made = (...orderIds: number[]): Extract<CommandResult, { ok: true }> => ({ ok: true, orderIds, differences: [] })

test('a request waits for the orders it made and for those it cancelled, and for no others', async () => {
  const before = bookOf(orderOf({ id: 1, status: 'open' }), orderOf({ id: 2, status: 'cancelling' }))
  const after = bookOf(orderOf({ id: 1, status: 'cancelling' }), orderOf({ id: 2, status: 'cancelling' }))
  const cancel = outcomes.settled(before, after, { kind: 'cancelOrders', code: null }, made())
  expect(await stateOf(cancel)).toBe('waits')
  // The other one was being cancelled before this person asked.
  outcomes.follow(bookOf(orderOf({ id: 1, status: 'cancelled' }), orderOf({ id: 2, status: 'cancelling' })))
  expect(await stateOf(cancel)).toBe('done')

  const stop = outcomes.settled(before, after, { kind: 'setStop', level: 'user', code: null, stop: 'halt' }, made())
  expect(await stateOf(stop)).toBe('done')

  const intended = one({ status: 'intended' })
  const sale = outcomes.settled(intended, intended, { kind: 'sellAtMarket', code: '005930' }, made(1))
  expect(await stateOf(sale)).toBe('waits')
  outcomes.follow(one({ status: 'unknown' }))
  expect(await stateOf(sale)).toMatchObject({ ...LOST, message: expect.stringContaining('다시 주문하지 마세요') })
})

test('an order that the book no longer has is over', async () => {
  expect(await stateOf(outcomes.accepted(bookOf(), [1]))).toBe('done')
  expect(await stateOf(outcomes.cancelled(bookOf(), [1]))).toBe('done')
})
