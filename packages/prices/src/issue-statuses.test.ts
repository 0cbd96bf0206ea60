import { knownTimetable, kstInstant, type IssueStatus } from '@digger/core'
import { TestClock } from '@digger/database/testing'
import type { Tick } from '@digger/kis'
import * as fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { IssueStatuses } from './issue-statuses.ts'

const CODE = '005930'
const DAY = '20261120'
const MINUTE = 60_000

let clock: TestClock
let published: string[]
let statuses: IssueStatuses

function begin(time = 100_000): void {
  clock = new TestClock()
  clock.advance(kstInstant(DAY, time) - clock.now())
  published = []
  const timetable = knownTimetable('krx')
  statuses = new IssueStatuses({ clock, timetable: () => timetable, changed: (code) => void published.push(code) })
}
beforeEach(() => begin())

const tick = (change: Partial<Tick> = {}): void => {
  const day = { time: 100_000, open: 70_000, high: 70_000, low: 70_000, volume: 1, base: 70_000 }
  statuses.tickReceived({ code: CODE, venue: 'KRX', price: 70_000, ...day, trade: true, halted: false, ...change })
}
const expected = (change: Partial<Tick> = {}): void => tick({ trade: false, collects: true, ...change })
const shown = () => statuses.of(CODE).statuses

test('a stock of which nothing was read has none, and no time', () => {
  expect(statuses.of(CODE)).toEqual({ statuses: [], at: null })
})

test('what was read stays until it is read again; published once for each change', () => {
  statuses.wasRead(CODE, ['caution', 'warning'])
  expect(statuses.of(CODE)).toEqual({ statuses: ['warning', 'caution'], at: clock.now() })
  clock.advance(30 * MINUTE)
  statuses.wasRead(CODE, ['warning', 'caution'])
  expect(statuses.of(CODE).at).toBe(clock.now())
  expect(published).toEqual([CODE])
  statuses.wasRead(CODE, [])
  expect(shown()).toEqual([])
  expect(published).toEqual([CODE, CODE])
})

test('a trade ends a halt and an interruption that were read, and no designation', () => {
  statuses.wasRead(CODE, ['halted', 'interrupted', 'administrative'])
  expect(shown()).toEqual(['administrative', 'halted', 'interrupted'])
  tick({ code: '000660' })
  expect(shown()).toHaveLength(3)
  tick()
  expect(shown()).toEqual(['administrative'])
  expect(published).toEqual([CODE, CODE])
})

test('a reading without them ends them too', () => {
  statuses.wasRead(CODE, ['halted', 'interrupted'])
  statuses.wasRead(CODE, [])
  expect(shown()).toEqual([])
})

describe('an interruption by the expected prices of the socket', () => {
  test('is there from the first of them to the next trade of that venue, and published twice', () => {
    expected()
    clock.advance(1_000)
    expected()
    expect(shown()).toEqual(['interrupted'])
    tick({ venue: 'NXT' })
    expect(shown()).toEqual(['interrupted'])
    tick()
    expect(shown()).toEqual([])
    expect(published).toEqual([CODE, CODE])
  })

  test('without a trade it is over two and a half minutes after the last of them', () => {
    expected()
    clock.advance(MINUTE)
    expected()
    clock.advance(149_999)
    statuses.endOld()
    expect(shown()).toEqual(['interrupted'])
    clock.advance(1)
    expect(shown()).toEqual([])
    statuses.endOld()
    statuses.endOld()
    expect(published).toEqual([CODE, CODE])
  })

  test.each([
    ['before the opening', 85_000, 'KRX', false],
    ['the opening auction', 85_959, 'KRX', false],
    ['the first second', 90_000, 'KRX', true],
    ['the closing auction', 152_500, 'KRX', false],
    ['both venues while KRX collects', 152_500, 'UN', false],
    ['NXT in the evening', 160_000, 'NXT', true],
    ['at night', 220_000, 'NXT', false],
  ] as const)('%s: what every stock does by the timetable is none', (_name, time, venue, is) => {
    begin(time)
    expected({ venue })
    expect(shown()).toEqual(is ? ['interrupted'] : [])
  })

  test.each(['overheated', 'liquidation'] as const)(
    'a stock that always collects (%s) is not interrupted',
    (status) => {
      statuses.wasRead(CODE, [status])
      expected()
      expect(shown()).toEqual([status])
    },
  )

  test('other expected prices are none', () => {
    expected({ collects: false })
    tick({ trade: false })
    expect(shown()).toEqual([])
  })
})

test('whatever comes in whatever order, it is published exactly when what is shown changes', () => {
  const all: IssueStatus[] = ['liquidation', 'risk', 'halted', 'interrupted', 'overheated', 'unknown']
  const event = fc.oneof(
    fc.record({ kind: fc.constant('read' as const), statuses: fc.subarray(all) }),
    fc.constantFrom({ kind: 'trade' as const }, { kind: 'expected' as const }),
    fc.record({ kind: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 200_000 }) }),
  )
  fc.assert(
    fc.property(fc.array(event, { maxLength: 30 }), (events) => {
      begin()
      for (const one of events) {
        const [before, count] = [shown().join(' '), published.length]
        if (one.kind === 'read') statuses.wasRead(CODE, one.statuses)
        else if (one.kind === 'trade') tick()
        else if (one.kind === 'expected') expected()
        else {
          clock.advance(one.ms)
          statuses.endOld()
        }
        expect(published.length - count).toBe(before === shown().join(' ') ? 0 : 1)
      }
    }),
  )
})
