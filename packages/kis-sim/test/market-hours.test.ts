import { addDays, isTradingDay, knownTimetable, kstIso, kstMidnight, nextChange, phaseAt } from '@digger/core'
import { describe, expect, test } from 'vitest'
import { MarketHours } from '../src/exchange/market-hours.ts'

const VENUES = ['KRX', 'NXT'] as const
const MINUTE = 60_000
const at = (day: string, hh: number, mm: number): number => kstMidnight(day) + (hh * 60 + mm) * MINUTE

/** Every day from the first to the last, KST. */
function* days(from: string, to: string): Generator<string> {
  for (let day = from; day <= to; day = addDays(day, 1)) yield day
}

describe('two tables of the same facts, typed twice', () => {
  const ours = knownTimetable('krx')
  const theirs = new MarketHours({ hours: 'krx' })

  test('agree on every trading day from 2025 to 2027', () => {
    const open = [...days('20250101', '20271231')].filter((day) => theirs.isOpenDay(day))
    expect(open).toEqual([...days('20250101', '20271231')].filter((day) => isTradingDay(day, ours)))
  })

  test('agree on the phase of both venues, a moment before, at and half a minute after each quarter of an hour and each change', () => {
    const differences: string[] = []
    for (const day of days('20250101', '20271231')) {
      const midnight = kstMidnight(day)
      const instants = new Set<number>()
      for (let minute = 0; minute < 24 * 60; minute += 15) instants.add(midnight + minute * MINUTE)
      for (let at = nextChange(midnight - 1, ours); at < midnight + 24 * 60 * MINUTE; at = nextChange(at, ours))
        instants.add(at)
      for (const edge of instants)
        for (const at of [edge - 1, edge, edge + MINUTE / 2])
          for (const venue of VENUES) {
            const [mine, other] = [phaseAt(venue, at, ours).name, theirs.phaseAt(venue, at).name]
            if (mine !== other) differences.push(`${venue} ${kstIso(at)}: ${mine}, the pretend exchange ${other}`)
          }
    }
    expect(differences.slice(0, 5)).toEqual([])
  })

  test('agree on the next change', () => {
    for (let at = kstMidnight('20251001'); at < kstMidnight('20270301');) {
      const next = theirs.nextChange(at)
      expect(kstIso(next)).toBe(kstIso(nextChange(at, ours)))
      at = next
    }
  })
})

describe('the pretend exchange’s own days', () => {
  test('more of them can be given', () => {
    const hours = new MarketHours({
      hours: 'krx',
      closed: ['20261123'],
      kinds: { '20261124': 'halfHour', '20261119': 'normal' },
    })
    expect(hours.isOpenDay('20261123')).toBe(false)
    expect(hours.phaseAt('KRX', at('20261124', 9, 0)).name).toBe('openingAuction')
    expect(hours.phaseAt('KRX', at('20261124', 9, 30)).name).toBe('regular')
    expect(hours.phaseAt('NXT', at('20261124', 8, 10)).name).toBe('preMarket')
    expect(hours.delayMs('20261124', 'open')).toBe(30 * MINUTE)
    expect(hours.phaseAt('KRX', at('20261119', 9, 0)).name).toBe('regular')
  })

  test('an endless session never closes', () => {
    const hours = new MarketHours({ hours: 'always' })
    expect(hours.isOpenDay('20261225')).toBe(true)
    expect(hours.phaseAt('NXT', kstMidnight('20261225')).matching).toBe('continuous')
    expect(hours.nextChange(kstMidnight('20261225'))).toBe(kstMidnight('20261226'))
  })

  test('a calendar without an open day ends', () => {
    const closed = [...days('20280101', '20280601')]
    expect(new MarketHours({ hours: 'krx', closed }).nextChange(kstMidnight('20280101'))).toBeGreaterThan(0)
  })
})

describe('what sources disagree about', () => {
  test('the opening auction may collect ten minutes later', () => {
    const hours = new MarketHours({ hours: 'krx', openingAuctionFrom: '08:30' })
    expect(hours.phaseAt('KRX', at('20261120', 8, 29)).name).toBe('closed')
    expect(hours.phaseAt('KRX', at('20261120', 8, 30)).name).toBe('openingAuction')
    expect(hours.phaseAt('KRX', at('20261119', 9, 30)).name).toBe('openingAuction')
  })

  test('the evening of a day that begins late may end an hour later', () => {
    const hours = new MarketHours({ hours: 'krx', lateDayEnds: '21:00' })
    for (const [day, name] of [
      ['20261119', 'afterMarket'],
      ['20270104', 'afterMarket'],
      ['20261120', 'closed'],
    ] as const)
      for (const venue of VENUES) expect(hours.phaseAt(venue, at(day, 20, 30)).name).toBe(name)
    expect(hours.phaseAt('KRX', at('20261119', 21, 0)).name).toBe('closed')
  })
})
