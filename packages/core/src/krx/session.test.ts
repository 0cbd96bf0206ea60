import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addDays, kstDay, kstInstant } from './kst.ts'
import { COVERED_UNTIL, isCovered, knownTimetable } from './calendar.ts'
import { dayBegins, dayEnds, isTradingDay, nextChange, phaseAt, tradingDayBefore, type Timetable } from './session.ts'

const EXAM = '20261119'
const krx = knownTimetable('krx')
const always: Timetable = { ...krx, hours: 'always' }
const MONDAY = '20260914'
const at = (time: number, day = MONDAY) => kstInstant(day, time)
const nameAt = (venue: 'KRX' | 'NXT', time: number, day = MONDAY) => phaseAt(venue, at(time, day), krx).name

describe('KRX, from 2026-09-14', () => {
  test.each([
    [81_959, 'closed'],
    [82_000, 'openingAuction'],
    [85_959, 'openingAuction'],
    [90_000, 'regular'],
    [151_959, 'regular'],
    [152_000, 'closingAuction'],
    [152_959, 'closingAuction'],
    [153_000, 'postClose'],
    [155_959, 'postClose'],
    [160_000, 'afterMarket'],
    [195_959, 'afterMarket'],
    [200_000, 'closed'],
  ])('%i: %s', (time, name) => expect(nameAt('KRX', time)).toBe(name))
})

test('a phase holds to its last millisecond', () => {
  expect(phaseAt('KRX', at(90_000) - 1, krx).name).toBe('openingAuction')
  expect(phaseAt('NXT', at(90_030) - 1, krx).name).toBe('pause')
})

describe('KRX before that day', () => {
  test.each([
    [82_959, 'closed'],
    [83_000, 'openingAuction'],
    [90_000, 'regular'],
    [153_000, 'postClose'],
    [160_000, 'closed'],
  ])('%i: %s', (time, name) => expect(nameAt('KRX', time, '20260911')).toBe(name))
})

describe('NXT', () => {
  test.each([
    [75_959, 'closed'],
    [80_000, 'preMarket'],
    [84_959, 'preMarket'],
    [85_000, 'pause'],
    [90_029, 'pause'],
    [90_030, 'regular'],
    [151_959, 'regular'],
    [152_000, 'pause'],
    [153_000, 'afterAuction'],
    [154_000, 'afterMarket'],
    [195_959, 'afterMarket'],
    [200_000, 'closed'],
  ])('%i: %s', (time, name) => expect(nameAt('NXT', time)).toBe(name))

  test('did not exist before 2025-03-04', () => {
    expect(nameAt('NXT', 100_000, '20250228')).toBe('closed')
    expect(nameAt('NXT', 100_000, '20250304')).toBe('regular')
  })
})

describe('what a phase takes', () => {
  test.each([
    ['KRX', 85_000, 'auction', true, true, false],
    ['KRX', 100_000, 'continuous', true, true, true],
    ['KRX', 152_500, 'auction', true, true, false],
    ['KRX', 154_500, 'closed', false, false, false],
    ['KRX', 170_000, 'continuous', true, false, true],
    ['NXT', 81_000, 'continuous', true, false, true],
    ['NXT', 85_500, 'closed', false, false, false],
    ['NXT', 100_000, 'continuous', true, false, true],
    ['NXT', 153_500, 'auction', true, false, false],
    ['NXT', 170_000, 'continuous', true, false, true],
  ] as const)('%s at %i: %s, limit %s, market %s, best %s', (venue, time, matching, orderable, market, best) => {
    const phase = phaseAt(venue, at(time), krx)
    expect([phase.matching, phase.orderable, phase.marketOrders, phase.bestOrders]).toEqual([
      matching,
      orderable,
      market,
      best,
    ])
  })
})

describe('on the day of the college entrance exam open and close move, the evening end stays, and NXT has no pre-market', () => {
  test.each([
    ['KRX', 91_959, 'closed'],
    ['KRX', 92_000, 'openingAuction'],
    ['KRX', 95_959, 'openingAuction'],
    ['KRX', 100_000, 'regular'],
    ['KRX', 162_959, 'closingAuction'],
    ['KRX', 163_000, 'postClose'],
    ['KRX', 170_000, 'afterMarket'],
    ['KRX', 200_000, 'closed'],
    ['NXT', 80_000, 'closed'],
    ['NXT', 90_000, 'closed'],
    ['NXT', 100_029, 'closed'],
    ['NXT', 100_030, 'regular'],
    ['NXT', 162_000, 'pause'],
    ['NXT', 163_000, 'afterAuction'],
    ['NXT', 164_000, 'afterMarket'],
    ['NXT', 200_000, 'closed'],
  ] as const)('%s at %i: %s', (venue, time, name) => expect(nameAt(venue, time, EXAM)).toBe(name))
})

describe('the first session of a year opens an hour late and closes as ever, NXT has no pre-market', () => {
  test.each([
    ['KRX', 82_000, 'closed'],
    ['KRX', 91_959, 'closed'],
    ['KRX', 92_000, 'openingAuction'],
    ['KRX', 100_000, 'regular'],
    ['KRX', 152_000, 'closingAuction'],
    ['KRX', 153_000, 'postClose'],
    ['KRX', 160_000, 'afterMarket'],
    ['KRX', 200_000, 'closed'],
    ['NXT', 80_000, 'closed'],
    ['NXT', 100_029, 'closed'],
    ['NXT', 100_030, 'regular'],
    ['NXT', 152_000, 'pause'],
    ['NXT', 154_000, 'afterMarket'],
    ['NXT', 200_000, 'closed'],
  ] as const)('%s at %i: %s', (venue, time, name) => expect(nameAt(venue, time, '20270104')).toBe(name))
})

/** Hours of the day. */
const clockOf = (ms: number | null, day: string) => (ms === null ? null : (ms - at(0, day)) / 3_600_000)

describe('the instants of a day', () => {
  test.each([
    ['normal', MONDAY, [9, 8 + 50 / 60, 15.5, 20, 20, 8]],
    ['first session', '20270104', [10, null, 15.5, 20, 21, 9 + 20 / 60]],
    ['exam', EXAM, [10, null, 16.5, 20, 21, 9 + 20 / 60]],
  ] as const)('%s', (_name, day, expected) => {
    const { opens, preMarket, regular, all, surely } = dayEnds(day, krx)
    const found = [opens, preMarket, regular, all, surely, dayBegins(day, krx)].map((ms) => clockOf(ms, day))
    expect(found).toEqual(expected)
  })

  test('a closed day does not begin', () => expect(dayBegins('20261225', krx)).toBe(null))
  test('before a long weekend comes its last trading day', () => {
    expect(tradingDayBefore('20260928', krx)).toBe('20260923')
    expect(tradingDayBefore('20270104', krx)).toBe('20261230')
    expect(tradingDayBefore('20270104', always)).toBe('20270103')
  })
})

describe('the calendar', () => {
  test.each([
    ['20260501', false],
    ['20260717', false],
    ['20250717', true],
    ['20260928', true],
    ['20261230', true],
    ['20261231', false],
    ['20270104', true],
    ['20270210', true],
    ['20270503', false],
    ['20270607', true],
    ['20270719', false],
    ['20270917', true],
    ['20271230', true],
  ])('%s is a trading day: %s', (day, is) => expect(isTradingDay(day, krx)).toBe(is))

  test.each([
    [2025, 242],
    [2026, 244],
    [2027, 245],
  ])('%i has %i sessions, as the exchange counts them', (year, sessions) => {
    let count = 0
    for (let day = `${year}0101`; day <= `${year}1231`; day = addDays(day, 1)) if (isTradingDay(day, krx)) count += 1
    expect(count).toBe(sessions)
  })

  test('says how far it reaches', () => {
    expect(['20241231', '20250101', '20271231', '20280101'].map(isCovered)).toEqual([false, true, true, false])
  })

  test('knows next year from November on: add its days to krx/calendar.ts and to the pretend KIS', () => {
    const [year, month] = [Number(kstDay(Date.now()).slice(0, 4)), Number(kstDay(Date.now()).slice(4, 6))]
    expect(Number(COVERED_UNTIL.slice(0, 4))).toBeGreaterThanOrEqual(month >= 11 ? year + 1 : year)
  })
})

describe('days without trading', () => {
  test.each([
    ['Saturday', '20260919'],
    ['Sunday', '20260920'],
    ['holiday', '20260924'],
  ])('%s', (_name, day) => {
    expect(isTradingDay(day, krx)).toBe(false)
    expect(nameAt('KRX', 100_000, day)).toBe('closed')
    expect(nameAt('NXT', 100_000, day)).toBe('closed')
    expect(isTradingDay(day, always)).toBe(true)
    expect(phaseAt('KRX', at(30_000, day), always)).toMatchObject({ name: 'regular', marketOrders: true })
  })
})

describe('what changes next', () => {
  test.each([
    ['before the first session', at(75_959), at(80_000)],
    ['the very moment of a change looks at the next one', at(80_000), at(82_000)],
    ['the end of the day', at(195_959), at(200_000)],
    ['at the end itself: the next day', at(200_000), at(80_000, '20260915')],
    ['in the evening', at(210_000), at(80_000, '20260915')],
    ['over the weekend', at(200_000, '20260918'), at(80_000, '20260921')],
    ['on Saturday: Monday', at(100_000, '20260919'), at(80_000, '20260921')],
    ['over holidays and the weekend behind them', at(200_000, '20260923'), at(80_000, '20260928')],
    ['to the exam day', at(200_000, '20261118'), at(92_000, EXAM)],
    ['on the exam day 20:00 stays', at(170_000, EXAM), at(200_000, EXAM)],
  ])('%s', (_name, now, next) => expect(nextChange(now, krx)).toBe(next))

  test('without hours a day changes at Korean midnight', () => {
    expect(nextChange(at(30_000), always)).toBe(at(0, '20260915'))
    expect(nextChange(at(0), always)).toBe(at(0, '20260915'))
    expect(nextChange(at(235_959), always)).toBe(at(0, '20260915'))
  })

  test('a calendar without any open day is refused instead of searched for ever', () => {
    const closed = { ...krx, closed: new Set(Array.from({ length: 100 }, (_, n) => addDays(MONDAY, n))) }
    expect(() => nextChange(at(0), closed)).toThrow('no trading day within 60 days')
  })
})

test('between one change and the next no phase changes', () => {
  const instants = fc.integer({ min: at(0, '20260901'), max: at(0, '20261231') })
  fc.assert(
    fc.property(instants, fc.double({ min: 0, max: 1, noNaN: true }), (now, share) => {
      const change = nextChange(now, krx)
      const between = now + Math.floor((change - 1 - now) * share)
      for (const venue of ['KRX', 'NXT'] as const)
        expect(phaseAt(venue, between, krx)).toEqual(phaseAt(venue, now, krx))
      const sides = [change - 1, change].map((ms) => [phaseAt('KRX', ms, krx).name, phaseAt('NXT', ms, krx).name])
      expect(sides[0]).not.toEqual(sides[1])
      expect(change).toBeGreaterThan(now)
      expect(isTradingDay(kstDay(change), krx)).toBe(true)
    }),
  )
})
