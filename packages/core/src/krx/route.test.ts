import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Issue } from './types.ts'
import { kstInstant } from './kst.ts'
import { expired, KRX_ONLY, pricedBy, route, type VenueChoices } from './route.ts'
import { knownTimetable } from './calendar.ts'
import { phaseAt, type Timetable } from './session.ts'

const DAY = '20260914'
const EXAM = '20261119'
const krx = knownTimetable('krx')
const always: Timetable = { ...krx, hours: 'always' }
const at = (time: number, day = DAY) => kstInstant(day, time)

const both: Issue = { code: '005930', kind: 'stock', market: 'KOSPI', nxt: true }
const krxOnly: Issue = { ...both, code: '900110', market: 'KOSDAQ', nxt: false }
const etf: Issue = { ...krxOnly, code: '069500', kind: 'etf', market: 'KOSPI' }

/** `SOR regular mb`: venue, session, market and best orders taken; `|` marks a single-price phase. */
const ALL: VenueChoices = { sor: true, preMarket: true, afterMarket: true }

function show(
  issue: Issue,
  time: number,
  env: 'real' | 'paper' = 'real',
  timetable = krx,
  day = DAY,
  use = ALL,
): string {
  const found = route(issue, at(time, day), timetable, env, use)
  if (!found) return 'closed'
  const takes = `${found.marketOrders ? 'm' : '-'}${found.bestOrders ? 'b' : '-'}`
  return `${found.venue} ${found.session} ${takes}${found.continuous ? '' : '|'}`
}

describe('where a new order goes on a real account whose owner chose everything', () => {
  test.each([
    // time      NXT-tradable stock   KRX-only stock      ETF
    [80_004, 'closed', 'closed', 'closed'],
    [80_005, 'NXT pre -b', 'closed', 'closed'],
    [83_004, 'NXT pre -b', 'closed', 'closed'],
    [83_005, 'NXT pre -b', 'KRX regular m-|', 'KRX regular m-|'],
    [84_959, 'NXT pre -b', 'KRX regular m-|', 'KRX regular m-|'],
    [85_000, 'SOR regular m-|', 'KRX regular m-|', 'KRX regular m-|'],
    [90_000, 'SOR regular mb', 'KRX regular mb', 'KRX regular mb'],
    [151_959, 'SOR regular mb', 'KRX regular mb', 'KRX regular mb'],
    [152_000, 'SOR regular m-|', 'KRX regular m-|', 'KRX regular m-|'],
    [153_000, 'closed', 'closed', 'closed'],
    [153_005, 'closed', 'closed', 'closed'],
    [154_000, 'NXT regular -b', 'closed', 'closed'],
    [160_004, 'NXT regular -b', 'closed', 'closed'],
    [160_005, 'NXT regular -b', 'KRX after -b', 'closed'],
    [195_959, 'NXT regular -b', 'KRX after -b', 'closed'],
    [200_000, 'closed', 'closed', 'closed'],
  ])('%i', (time, forBoth, forKrx, forEtf) => {
    expect([show(both, time), show(krxOnly, time), show(etf, time)]).toEqual([forBoth, forKrx, forEtf])
  })

  test('KONEX has no after-market', () => expect(show({ ...krxOnly, market: 'KONEX' }, 170_000)).toBe('closed'))

  test('there was no KRX after-market before 2026-09-14', () => {
    expect(show(krxOnly, 170_000, 'real', krx, '20260911')).toBe('closed')
    expect(show(both, 170_000, 'real', krx, '20260911')).toBe('NXT regular -b')
  })

  test('nothing goes anywhere on a Sunday', () => expect(show(both, 100_000, 'real', krx, '20260913')).toBe('closed'))
})

const only = (issue: Issue, time: number, use: Partial<VenueChoices>): string =>
  show(issue, time, 'real', krx, DAY, { ...KRX_ONLY, ...use })

describe('what the owner has not chosen', () => {
  test.each([
    [80_500, 'closed'],
    [83_005, 'KRX regular m-|'],
    [90_000, 'KRX regular mb'],
    [154_500, 'closed'],
    [170_000, 'closed'],
  ])('nothing: at %i an issue of both exchanges goes to %s', (time, expected) => {
    expect(only(both, time, {})).toBe(expected)
  })

  test('SOR alone waits while the pre-market trades: its order is the day’s', () => {
    expect([80_500, 82_500, 84_959, 85_000].map((time) => only(both, time, { sor: true }))).toEqual([
      'closed',
      'closed',
      'closed',
      'SOR regular m-|',
    ])
  })

  test('the pre-market alone ends where KRX goes on', () => {
    expect([80_500, 84_959, 85_000].map((time) => only(both, time, { preMarket: true }))).toEqual([
      'NXT pre -b',
      'NXT pre -b',
      'KRX regular m-|',
    ])
  })

  test('the evening alone', () => {
    expect([80_500, 90_000, 170_000].map((time) => only(both, time, { afterMarket: true }))).toEqual([
      'closed',
      'KRX regular mb',
      'NXT regular -b',
    ])
  })
})

describe('whose trades make the price', () => {
  const hours = [40_000, 80_010, 84_500, 90_000, 120_000, 152_900, 153_000, 170_000, 210_000]
  const show = (use: VenueChoices, issue = both, env: 'real' | 'paper' = 'real', timetable = krx): string =>
    hours.map((time) => pricedBy(issue, at(time), timetable, env, use)[0]).join('')

  test.each<[string, Partial<VenueChoices>, string]>([
    ['nothing chosen', {}, 'KKKKKKKKK'],
    ['the pre-market: until KRX opens', { preMarket: true }, 'NNNKKKKKK'],
    ['smart routing: while KRX is open', { sor: true }, 'KKKUUUKKK'],
    ['the evening: from the close on', { afterMarket: true }, 'KKKKKKNNN'],
    ['everything', ALL, 'NNNUUUNNN'],
  ])('%s', (_name, use, expected) => expect(show({ ...KRX_ONLY, ...use })).toBe(expected))

  test('KRX’s alone for what NXT does not trade, on paper, and without hours', () => {
    expect([show(ALL, krxOnly), show(ALL, both, 'paper'), show(ALL, both, 'real', always)]).toEqual(
      Array(3).fill('KKKKKKKKK'),
    )
  })

  test('an hour late on the exam day', () => {
    const time = at(93_000, EXAM)
    expect(pricedBy(both, time, krx, 'real', { ...KRX_ONLY, preMarket: true })).toBe('NXT')
    expect(pricedBy(both, time, krx, 'real', { ...KRX_ONLY, sor: true })).toBe('KRX')
  })

  test('what an order could meet counts: both venues where it may go to either, and the one it goes to', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 86_399 }),
        fc.record({ sor: fc.boolean(), preMarket: fc.boolean(), afterMarket: fc.boolean() }),
        (second, use) => {
          const now = at(0) + second * 1_000
          const found = route(both, now, krx, 'real', use)
          const isBeforeOpening = now < at(90_000)
          if (found === null || isBeforeOpening) return
          expect(pricedBy(both, now, krx, 'real', use)).toBe(found.venue === 'SOR' ? 'UN' : found.venue)
        },
      ),
    )
  })
})

describe('a paper account has KRX’s regular session only', () => {
  test.each([
    [80_000, 'closed'],
    [85_959, 'closed'],
    [90_005, 'KRX regular mb'],
    [152_000, 'KRX regular m-|'],
    [153_000, 'closed'],
    [170_000, 'closed'],
  ])('%i: %s', (time, expected) => {
    expect(show(both, time, 'paper')).toBe(expected)
    expect(show(krxOnly, time, 'paper')).toBe(expected)
  })
})

test('without hours every moment is KRX, continuous, to the end of the day', () => {
  expect(show(both, 30_000, 'real', always, '20260913')).toBe('KRX regular mb')
  expect(show(etf, 235_959, 'paper', always)).toBe('KRX regular mb')
  expect(route(both, at(30_000), always, 'real', KRX_ONLY)?.endsAt).toBe(at(0, '20260915'))
})

describe('when a day order ends', () => {
  test.each([
    ['KRX', krxOnly, 100_000, DAY, at(153_000)],
    ['KRX on the exam day', krxOnly, 110_000, EXAM, at(163_000, EXAM)],
    ['KRX after-market', krxOnly, 170_000, DAY, at(200_000)],
    ['SOR: with the later of its venues', both, 100_000, DAY, at(200_000)],
    ['NXT', both, 170_000, DAY, at(200_000)],
    ['NXT’s pre-market', both, 80_500, DAY, at(85_000)],
  ])('%s', (_name, issue, time, day, end) => {
    expect(route(issue, at(time, day), krx, 'real', ALL)?.endsAt).toBe(end)
  })
})

describe('certainly over', () => {
  test.each([
    ['KRX: not while the closing auction may run over', 'KRX', 'regular', at(153_459), false],
    ['KRX: five minutes after its end', 'KRX', 'regular', at(153_500), true],
    ['after-market: one second before eight', 'KRX', 'after', at(195_959), false],
    ['after-market: at eight', 'KRX', 'after', at(200_000), true],
    ['pre-market: not at its end', 'NXT', 'pre', at(85_000), false],
    ['pre-market: five minutes later', 'NXT', 'pre', at(85_500), true],
    ['NXT: one second before eight', 'NXT', 'regular', at(195_959), false],
    ['NXT: at eight', 'NXT', 'regular', at(200_000), true],
    ['SOR: not with KRX', 'SOR', 'regular', at(160_000), false],
    ['SOR: at eight', 'SOR', 'regular', at(200_000), true],
    ['nothing survives the day', 'SOR', 'regular', at(0, '20260915'), true],
    ['an order of a day to come', 'KRX', 'regular', at(235_959, '20260913'), false],
  ] as const)('%s', (_name, venue, session, now, is) => expect(expired(venue, session, DAY, now, krx)).toBe(is))

  test.each([
    ['KRX an hour later', 'KRX', at(163_459, EXAM), false],
    ['KRX an hour later', 'KRX', at(163_500, EXAM), true],
    ['SOR not at eight, in case that moves too', 'SOR', at(205_959, EXAM), false],
    ['SOR at nine', 'SOR', at(210_000, EXAM), true],
  ] as const)('on the exam day: %s', (_name, venue, now, is) => {
    expect(expired(venue, 'regular', EXAM, now, krx)).toBe(is)
  })

  test('without hours at midnight', () => {
    expect(expired('KRX', 'regular', DAY, at(235_959), always)).toBe(false)
    expect(expired('KRX', 'regular', DAY, at(0, '20260915'), always)).toBe(true)
  })
})

const issues = fc.record({
  code: fc.constant('005930'),
  kind: fc.constantFrom<Issue['kind']>('stock', 'etf'),
  market: fc.constantFrom<Issue['market']>('KOSPI', 'KOSDAQ', 'KONEX'),
  nxt: fc.boolean(),
})
const choices = fc.record({ sor: fc.boolean(), preMarket: fc.boolean(), afterMarket: fc.boolean() })
const instants = fc.integer({ min: at(0, '20260901'), max: at(0, '20261231') })
test('an order goes only where its venue is taking orders, and is alive until it ends', () => {
  fc.assert(
    fc.property(
      issues,
      instants,
      choices,
      fc.constantFrom<'real' | 'paper'>('real', 'paper'),
      (issue, now, use, env) => {
        const found = route(issue, now, krx, env, use)
        fc.pre(found !== null)
        const phase = phaseAt(found.venue === 'NXT' ? 'NXT' : 'KRX', now, krx)
        expect(phase.orderable).toBe(true)
        expect(phase.marketOrders || !found.marketOrders).toBe(true)
        expect(phase.bestOrders || !found.bestOrders).toBe(true)
        expect(found.venue === 'KRX' || (env === 'real' && issue.nxt)).toBe(true)
        expect(found.venue !== 'SOR' || use.sor).toBe(true)
        expect(found.session !== 'pre' || use.preMarket).toBe(true)
        expect(found.session !== 'after' || use.afterMarket).toBe(true)
        expect(found.endsAt).toBeGreaterThan(now)
      },
    ),
  )
})
