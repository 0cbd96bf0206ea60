import { expect, test } from 'vitest'
import { Desk } from '../../test/desk.ts'

/** This process reads the account again, with its order's connection open: it resets that within its time-out. */
const readAgain = (): Desk => {
  const desk = new Desk({ autoSell: false }).buyAt(70_000).do({ kind: 'restarted', lateMs: 40_000 })
  return desk.do({ kind: 'authorised', authorised: true })
}

test.each([120_000, 960_000])(
  'what the owner before lost sight of with its connection open is waited for as long as what it had not (%d ms)',
  (lateMs) => {
    const desk = readAgain()
    const lostAt = desk.now
    desk.wait(5_000).do({ kind: 'restarted', lateMs })
    expect(desk.order(1)).toMatchObject({ status: 'unknown', absentFrom: lostAt + lateMs })
    desk.do({ kind: 'authorised', authorised: true })
    desk.now = lostAt + lateMs - 1
    desk.read([]).wait(2_000)
    expect(desk.order(1).status).toBe('unknown')
    desk.read([]).wait(2_000).read([])
    expect(desk.order(1).status).toBe('notPlaced')
  },
)

test('a short restart of the same process, or one long after, changes nothing of the wait', () => {
  const desk = readAgain()
  const { absentFrom } = desk.order(1)
  expect(desk.wait(5_000).do({ kind: 'restarted', lateMs: 40_000 }).order(1).absentFrom).toBe(absentFrom)
  expect(desk.wait(120_000).do({ kind: 'restarted', lateMs: 120_000 }).order(1).absentFrom).toBe(absentFrom)
})

test('an order whose connection was reset when it was lost waits for the list alone, whoever owns it', () => {
  const desk = new Desk({ autoSell: false }).buyAt(70_000).lose(1)
  const { absentFrom } = desk.order(1)
  expect(absentFrom).toBe(desk.now + 20_000)
  expect(desk.wait(5_000).do({ kind: 'restarted', lateMs: 960_000 }).order(1).absentFrom).toBe(absentFrom)
})

test.each([
  ['in time', 20_000, 40_000],
  ['only after the process stood still', 90_000, 110_000],
])(
  'a connection that is reset %s: the order is absent a listing lag later at the earliest',
  (_name, afterMs, absentMs) => {
    const desk = readAgain()
    const lostAt = desk.now
    desk.wait(afterMs).do({ kind: 'unknown', orderId: 1, text: '' })
    expect(desk.order(1)).toMatchObject({ status: 'unknown', absentFrom: lostAt + absentMs })
  },
)

const DAY_MS = 86_400_000

/** An order on its way when the process ended; the next one begins with its clock off, and ends before it knows the time. */
const begunOff = (offMs: number): Desk => {
  const desk = new Desk({ autoSell: false }).buyAt(70_000)
  const { now } = desk
  desk.isTimeUnknown = true
  desk.now = now + 5_000 + offMs
  desk.do({ kind: 'restarted', lateMs: 120_000 }).do({ kind: 'authorised', authorised: true })
  desk.wait(120_000).timer()
  return Object.assign(desk, { now: now + 130_000 })
}

test.each([DAY_MS, -DAY_MS])(
  '%d ms off: nothing is decided of what was on its way before the time is known',
  (offMs) => {
    const desk = begunOff(offMs)
    expect(desk.order(1)).toMatchObject({ status: 'intended', updatedAt: desk.now - 130_000 })
    desk.isTimeUnknown = false
    desk.do({ kind: 'clockMoved' })
    expect(desk.order(1)).toMatchObject({ status: 'unknown', absentFrom: desk.now + 120_000 })
    desk.wait(20_000).read([desk.row(1, { filledCount: 1 })])
    expect(desk.order(1).status).toBe('open')
  },
)

test.each([DAY_MS, -DAY_MS])('%d ms off, found right without being set: the same', (offMs) => {
  const desk = begunOff(offMs)
  desk.isTimeUnknown = false
  expect(desk.timer().order(1)).toMatchObject({ status: 'unknown', absentFrom: desk.now + 120_000 })
  // Decided once.
  expect(desk.wait(5_000).timer().facts).toEqual([])
})

test.each([DAY_MS, -DAY_MS])('%d ms off, and ended before: the next process waits from its own start on', (offMs) => {
  const desk = begunOff(offMs)
  desk.isTimeUnknown = false
  desk.do({ kind: 'restarted', lateMs: 120_000 }).do({ kind: 'authorised', authorised: true })
  expect(desk.order(1)).toMatchObject({ status: 'unknown', absentFrom: desk.now + 120_000 })
  desk.wait(20_000).read([]).wait(2_000).read([])
  expect(desk.order(1).status).toBe('unknown')
})

test('an order that a clock of tomorrow made and lost is looked for as of now, whatever its time', () => {
  const desk = new Desk({ autoSell: false }).buyAt(70_000).lose(1)
  const row = { orderedAt: desk.now }
  const order = desk.order(1)
  const ahead = { createdAt: order.createdAt + DAY_MS, updatedAt: order.updatedAt + DAY_MS }
  desk.putFacts({ kind: 'orderIntended', order: { ...order, ...ahead, absentFrom: ahead.updatedAt + 120_000 }, at: 0 })
  desk.do({ kind: 'restarted', lateMs: 120_000 }).do({ kind: 'authorised', authorised: true })
  desk.wait(20_000).read([desk.row(1, row)])
  expect(desk.order(1).status).toBe('open')
})
