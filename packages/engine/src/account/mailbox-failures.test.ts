import { LostAnswer } from '@digger/contract'
import type { Fact, Order } from '@digger/core'
import { NoLeaseError } from '@digger/storage'
import { expect, test } from 'vitest'
import { Bench, buying, CODE, NOW } from '../../test/mailbox-bench.ts'
import { orderOf } from '../../test/orders.ts'
import { SETTINGS } from '@digger/storage/testing'
import { execution } from '@digger/prices/testing'
import { pulseOf, Since } from './pulse.ts'

const DAY = '20261116'
const unsubscribe = { kind: 'setSubscribed', code: CODE, subscribed: false } as const

/** One lot at 70,000 won. */
const bought: Fact = {
  kind: 'lotBought',
  code: CODE,
  lot: {
    id: 1,
    count: 2,
    buyPrice: 70_000,
    buyAmount: 140_000,
    boughtAt: NOW,
    buyOrderId: null,
    heldBack: false,
    takenOver: false,
  },
  at: NOW,
}
const sale: Order = orderOf({ side: 'sell', origin: 'auto', price: 70_900, day: DAY, createdAt: NOW, updatedAt: NOW })
const resting: readonly Fact[] = [
  bought,
  { kind: 'orderIntended', order: sale, at: NOW },
  { kind: 'orderAccepted', orderId: 1, odno: '0000000001', orgno: '06010', at: NOW },
]

/** How a request ends: its failure in words, `done`, or `waits`. */
function endOf(answer: Promise<unknown>): { now: string } {
  const end = { now: 'waits' }
  answer.then(
    () => (end.now = 'done'),
    (error: Error) => (end.now = error.message),
  )
  return end
}

/** Seconds pass, with their timers. */
async function pass(bench: Bench, seconds: number): Promise<void> {
  for (let n = 0; n < seconds; n += 1) {
    bench.now += 1_000
    if (bench.quote !== undefined) bench.quote = { ...bench.quote, at: bench.now }
    bench.mailbox.post({ kind: 'timer' })
    await bench.mailbox.idle()
  }
}

/** The broker's list with the order of the bench cancelled, and cash enough for the next buy. */
async function compare(bench: Bench, held: number, filled = 0): Promise<void> {
  const { side, price } = bench.order(1)
  const over = { remainingCount: 0, cancelled: filled === 0, filledCount: filled, filledAmount: filled * price }
  const row = execution({ day: DAY, odno: '0000000001', side, price, orderedAt: NOW, ...over })
  const holdings = [
    { code: CODE, name: '삼성전자', count: 2, sellableCount: 2, averagePrice: 70_000, buyAmount: 140_000 },
  ]
  bench.now += 1_000
  bench.mailbox.post({
    kind: 'snapshot',
    snapshot: {
      askedAt: bench.now,
      from: DAY,
      to: DAY,
      executions: [row],
      balance: { holdings: held === 0 ? [] : holdings, depositAmount: 0 },
    },
  })
  bench.mailbox.post({ kind: 'cash', amount: 100_000_000, askedAt: bench.now })
  await pass(bench, 2)
}

/** A bench with a lot whose sale rests, and a person's sale that waits until that one is cancelled. */
async function waiting(): Promise<{ readonly bench: Bench; readonly end: { now: string } }> {
  const bench = new Bench(resting)
  bench.quote = { price: 70_000, at: NOW, live: true, halted: false, band: { lower: 49_000, upper: 91_000 } }
  bench.mailbox.post({ kind: 'authorised', authorised: true })
  await bench.mailbox.idle()
  const end = endOf(bench.mailbox.ask({ kind: 'sellAtMarket', code: CODE }))
  await bench.mailbox.idle()
  expect([end.now, bench.mailbox.account.view.orders.pendingSales.length]).toEqual(['waits', 1])
  return { bench, end }
}

test('a sale that waits for a cancel is answered when a commit fails, and is not made later', async () => {
  const { bench, end } = await waiting()
  bench.failing = 1
  bench.mailbox.post({ kind: 'cancelFailed', orderId: 1, text: 'too late' })
  await bench.mailbox.idle()
  expect(end.now).toMatch(/저장하지 못해 매도를 마치지 못했습니다/)
  await compare(bench, 2)
  expect(bench.order(1).status).toBe('cancelled')
  const later = [...bench.mailbox.book.orders.values()].filter(({ id }) => id > 1)
  expect(later.map(({ origin, price }) => [origin, price])).toEqual([['auto', 70_900]])
})

test('it is answered as well when somebody else’s request is what could not be saved', async () => {
  const { bench, end } = await waiting()
  bench.failing = 1
  await expect(bench.mailbox.ask(unsubscribe)).rejects.toThrow(/저장하지 못했습니다/)
  await pass(bench, 1)
  expect(end.now).toMatch(/저장하지 못해 매도를 마치지 못했습니다/)
})

test('without a lease the account may be another process’: what was asked under a key is asked there again', async () => {
  const bench = await buying()
  bench.failing = 1
  bench.why = new NoLeaseError()
  const named = bench.mailbox.ask(unsubscribe, { key: 'press-0123456789', call: 'c' })
  const behind = bench.mailbox.ask({ kind: 'setStop', level: 'user', code: null, stop: 'halt' })
  await expect(named).rejects.toBeInstanceOf(LostAnswer)
  await expect(behind).rejects.toMatchObject({ code: 'BUSY', message: expect.stringMatching(/저장하지 못했습니다/) })
  await pass(bench, 1)
  expect([bench.mailbox.book.stop, bench.mailbox.book.stocks.get(CODE)?.priceSubscribed]).toEqual(['active', true])
})

test('without a failure it is made once, and then answered', async () => {
  const { bench, end } = await waiting()
  await compare(bench, 2)
  expect([end.now, bench.sends, bench.order(2).type]).toEqual(['done', 1, 'market'])
})

test.each([0, 1])('a buy that a person took back is not bought again, after %d failed commits', async (failing) => {
  const bench = await buying()
  bench.mailbox.post({ kind: 'accepted', orderId: 1, odno: '0000000001', orgno: '06010' })
  await bench.mailbox.ask({ kind: 'cancelOrders', code: CODE })
  bench.failing = failing
  await bench.mailbox.ask(unsubscribe).catch(() => undefined)
  await pass(bench, 1)
  await compare(bench, 0)
  expect([bench.order(1).status, bench.mailbox.account.view.connection.armed]).toEqual(['cancelled', true])
  expect([bench.sends, bench.mailbox.book.orders.size]).toEqual([1, 1])
})

test.each([0, 1])('nor where it filled before the cancel came, after %d failed commits', async (failing) => {
  const settings = { ...SETTINGS, autoSell: false }
  const bench = await buying({ kind: 'settingsSaved', code: CODE, settings, at: NOW })
  bench.mailbox.post({ kind: 'accepted', orderId: 1, odno: '0000000001', orgno: '06010' })
  await bench.mailbox.ask({ kind: 'cancelOrders', code: CODE })
  await compare(bench, 2, 2)
  bench.failing = failing
  await bench.mailbox.ask(unsubscribe).catch(() => undefined)
  await pass(bench, 1)
  await compare(bench, 2, 2)
  if (bench.quote !== undefined) bench.quote = { ...bench.quote, price: 68_000 }
  await compare(bench, 2, 2)
  expect([bench.order(1).status, bench.mailbox.account.view.connection.armed]).toEqual(['filled', true])
  expect(bench.mailbox.book.orders.size).toBe(1)
})

test('an order that a person cancelled before it left does not leave, although the account is read again meanwhile', async () => {
  const bench = await buying()
  await bench.mailbox.ask({ kind: 'cancelOrders', code: CODE })
  bench.failing = 1
  await bench.mailbox.ask(unsubscribe).catch(() => undefined)
  bench.mailbox.post({ kind: 'timer' })
  await expect.poll(() => bench.reloads.length).toBe(1)
  expect(bench.refusal()).not.toBe(null)
  await bench.mailbox.idle()
  expect(bench.refusal()).not.toBe(null)
  bench.mailbox.post({ kind: 'accepted', orderId: 1, odno: '0000000001', orgno: '06010' })
  await bench.mailbox.idle()
  expect(bench.effects.filter(({ kind }) => kind === 'cancel')).toHaveLength(1)
})

test('an order on the wire while its account is read again is not absent before its time-out and the listing lag', async () => {
  const bench = await buying()
  bench.failing = 1
  await bench.mailbox.ask(unsubscribe).catch(() => undefined)
  bench.mailbox.post({ kind: 'timer' })
  await bench.mailbox.idle()
  expect(bench.order(1)).toMatchObject({ status: 'unknown', absentFrom: bench.now + 40_000 })
})

test('what the process before had on its way waits as long when the account is read again before the time is known', async () => {
  const before = await buying()
  const intended = before.written.flatMap(({ journal }) => journal.map(({ fact }) => fact))
  const bench = new Bench(intended, { isTimeUnknown: true })
  bench.failing = 1
  await bench.mailbox.ask(unsubscribe).catch(() => undefined)
  bench.mailbox.post({ kind: 'timer' })
  await bench.mailbox.idle()
  expect([bench.reloads.length, bench.order(1).status]).toEqual([1, 'intended'])
  bench.isTimeUnknown = false
  bench.mailbox.post({ kind: 'timer' })
  await bench.mailbox.idle()
  expect(bench.order(1)).toMatchObject({ status: 'unknown', absentFrom: bench.now + 120_000 })
})

test('an order that was given up does not leave, also while nobody knows whether that was written', async () => {
  const bench = await buying()
  bench.why = Object.assign(new Error('Connection terminated unexpectedly'), { code: '08006' })
  bench.failing = 1
  await bench.mailbox.ask(unsubscribe).catch(() => undefined)
  expect(bench.refusal()).toBe(null)
  // The account is read again, and the commit that gives the order up gets no answer either.
  bench.failing = 1
  bench.mailbox.post({ kind: 'timer' })
  await expect.poll(() => bench.failing).toBe(0)
  expect([bench.order(1).status, bench.refusal()]).toEqual(['intended', '이미 끝났거나 기다리다 만 주문입니다.'])
  await bench.mailbox.idle()
  expect([bench.order(1).status, bench.mailbox.inDoubt]).toEqual(['unknown', null])
})

test('once the account could be read again commits fail no longer, though it has nothing to write', async () => {
  const bench = new Bench()
  await bench.mailbox.idle()
  bench.failing = 1
  await bench.mailbox.ask(unsubscribe).catch(() => undefined)
  expect(bench.mailbox.failingMs).toBeGreaterThan(0)
  const before = bench.written.length
  await pass(bench, 1)
  expect([bench.mailbox.failingMs, bench.written.length]).toEqual([0, before])
})

test('while what a restart says cannot be written the mailbox grows no longer, and it is told since when', async () => {
  const bench = new Bench([{ kind: 'orderIntended', order: { ...sale, side: 'buy' }, at: NOW }])
  bench.refuses = 'orderLost'
  bench.mailbox.post({ kind: 'timer' })
  await expect.poll(() => bench.reloads.length, { timeout: 10_000 }).toBe(4)
  expect(bench.waiting).toEqual([1, 2, 2, 2])
  expect(bench.mailbox.failingMs).toBeGreaterThan(1_000)
  bench.refuses = null
  await bench.mailbox.idle()
  expect([bench.order(1).status, bench.mailbox.failingMs]).toEqual(['unknown', 0])
})

test('events that cannot be decided are counted until one of their kind can, but not what a person asked', async () => {
  const bench = new Bench()
  await bench.mailbox.idle()
  bench.broken = true
  await pass(bench, 3)
  bench.mailbox.post({ kind: 'linked' })
  await expect(bench.mailbox.ask(unsubscribe)).rejects.toThrow(/처리하지 못했습니다/)
  expect(bench.mailbox.undecided).toBe(4)
  const since = { unarmed: new Since(), unauthorised: new Since(), working: new Since(), withoutPrices: new Since() }
  expect(pulseOf(bench.mailbox, null, since, { now: bench.now, inSession: true }).undecided).toBe(4)
  bench.broken = false
  await pass(bench, 1)
  expect(bench.mailbox.undecided).toBe(1)
  bench.mailbox.post({ kind: 'linked' })
  await bench.mailbox.idle()
  expect(bench.mailbox.undecided).toBe(0)
})
