import { isTradingDay, knownTimetable, kstInstant, type DayCorrection } from '@digger/core'
import { NotOfferedError, type KisHoliday } from '@digger/kis'
import { describe, expect, test } from 'vitest'
import { fakeKis } from '../test/fake-kis.ts'
import { Timetables } from './timetable.ts'

const SHIPPED = knownTimetable('krx')
/** Closed days beyond those that are shipped. */
const added = ({ current }: Timetables): string[] => [...current.closed].filter((day) => !SHIPPED.closed.has(day))
const at = (day: string): number => kstInstant(day, '080000')

/** A broker whose holiday list the test gives; an error is thrown. */
function brokerWith(...answers: (readonly KisHoliday[] | Error)[]) {
  const asked: string[] = []
  const rest = fakeKis({
    holidays: async (from) => {
      asked.push(from)
      const answer = answers.shift() ?? []
      if (answer instanceof Error) throw answer
      return answer
    },
  })
  return { rest, asked }
}

test('closed days come from the broker, once a day of Korea, and those known stay known', async () => {
  const { rest, asked } = brokerWith(
    [
      { day: '20261223', open: true },
      { day: '20261224', open: false },
    ],
    [{ day: '20261229', open: false }],
  )
  const timetables = new Timetables('krx')
  const before = timetables.current
  await timetables.refresh(rest, at('20261223'))
  await timetables.refresh(rest, at('20261223') + 3_600_000)
  expect(asked).toEqual(['20261223'])
  expect(added(timetables)).toEqual(['20261224'])
  expect(timetables.current).not.toBe(before)
  // Eleven in the evening in Greenwich is the next morning in Korea.
  await timetables.refresh(rest, Date.UTC(2026, 11, 23, 23))
  expect([asked.at(-1), added(timetables)]).toEqual(['20261224', ['20261224', '20261229']])
})

const MINUTE_MS = 60_000

test('without an answer what is known stays, and the same key asks again ten minutes later', async () => {
  const { rest, asked } = brokerWith([{ day: '20261224', open: false }], new Error('no list'), [
    { day: '20261229', open: false },
  ])
  const timetables = new Timetables('krx')
  await timetables.refresh(rest, at('20261222'))
  await expect(timetables.refresh(rest, at('20261223'))).rejects.toThrow('no list')
  await timetables.refresh(rest, at('20261223') + 10 * MINUTE_MS - 1)
  expect([asked.length, added(timetables)]).toEqual([2, ['20261224']])
  await timetables.refresh(rest, at('20261223') + 10 * MINUTE_MS)
  await timetables.refresh(rest, at('20261223') + 30 * MINUTE_MS)
  expect([asked.length, added(timetables)]).toEqual([3, ['20261224', '20261229']])
})

test('a key that gets no answer keeps no other from asking, one at a time', async () => {
  const dead = brokerWith(new Error('a dead key'))
  const good = brokerWith([{ day: '20261224', open: false }])
  const timetables = new Timetables('krx')
  const failing = timetables.refresh(dead.rest, at('20261222'))
  await timetables.refresh(good.rest, at('20261222'))
  await expect(failing).rejects.toThrow('a dead key')
  expect([dead.asked.length, good.asked.length]).toEqual([1, 0])
  await timetables.refresh(dead.rest, at('20261222') + 1_000)
  await timetables.refresh(good.rest, at('20261222') + 1_000)
  expect([dead.asked.length, added(timetables)]).toEqual([1, ['20261224']])
})

test('a host that has no such list is asked once a day', async () => {
  const { rest, asked } = brokerWith(new NotOfferedError('not on paper'))
  const timetables = new Timetables('krx')
  await expect(timetables.refresh(rest, at('20261222'))).rejects.toThrow('not on paper')
  await timetables.refresh(rest, at('20261222') + 60 * MINUTE_MS)
  expect(asked).toHaveLength(1)
  await timetables.refresh(rest, at('20261223'))
  expect(asked).toHaveLength(2)
})

test('a clock that was set back keeps nobody from asking', async () => {
  const { rest, asked } = brokerWith(new Error('no list'))
  const timetables = new Timetables('krx')
  await expect(timetables.refresh(rest, at('20261224'))).rejects.toThrow('no list')
  await timetables.refresh(rest, at('20261223'))
  expect(asked).toEqual(['20261224', '20261223'])
})

test('two who ask at once ask the broker once', async () => {
  const { rest, asked } = brokerWith()
  const timetables = new Timetables('krx')
  await Promise.all([timetables.refresh(rest, at('20261222')), timetables.refresh(rest, at('20261222'))])
  expect(asked).toHaveLength(1)
})

test('the broker opens a day that is shipped as closed, and closes it again with newer words', async () => {
  const { rest } = brokerWith([{ day: '20261225', open: true }], [{ day: '20261225', open: false }])
  const timetables = new Timetables('krx')
  await timetables.refresh(rest, at('20261221'))
  expect(isTradingDay('20261225', timetables.current)).toBe(true)
  await timetables.refresh(rest, at('20261222'))
  expect(isTradingDay('20261225', timetables.current)).toBe(false)
})

test('on paper, which has no list, the shipped days hold', async () => {
  const { rest } = brokerWith(new NotOfferedError('not on paper'))
  const timetables = new Timetables('krx')
  await expect(timetables.refresh(rest, at('20261224'))).rejects.toThrow('not on paper')
  expect(['20261225', '20261231'].map((day) => isTradingDay(day, timetables.current))).toEqual([false, false])
})

test('what the operator says holds against both, and what is taken back no longer', async () => {
  const { rest } = brokerWith([{ day: '20261223', open: false }])
  const timetables = new Timetables('krx')
  const late = { opensAt: 34_200, closesAt: 55_800, preMarketAt: null }
  timetables.correct(
    new Map<string, DayCorrection>([
      ['20261222', 'closed'],
      ['20261223', late],
      ['20270104', 'normal'],
    ]),
  )
  await timetables.refresh(rest, at('20261221'))
  const { current } = timetables
  expect([isTradingDay('20261222', current), isTradingDay('20261223', current)]).toEqual([false, true])
  expect([current.special.get('20261223'), current.special.get('20270104')]).toEqual([late, undefined])
  timetables.correct(new Map())
  expect(isTradingDay('20261223', timetables.current)).toBe(false)
  expect(timetables.current.special.get('20270104')?.opensAt).toBe(36_000)
})

test('an exchange that is always open asks nobody; days of late opening are known without asking', async () => {
  const { rest, asked } = brokerWith()
  const timetables = new Timetables('always')
  await timetables.refresh(rest, at('20261222'))
  expect([asked, timetables.current.hours]).toEqual([[], 'always'])
  expect(new Timetables('krx').current.special.get('20261119')?.opensAt).toBe(36_000)
})

test('days that are not like any other are listed with who says so', async () => {
  const { rest } = brokerWith([
    { day: '20261223', open: false },
    { day: '20261225', open: true },
    // A weekend, and an ordinary day: nothing to tell.
    { day: '20261226', open: false },
    { day: '20261228', open: true },
    { day: '20261231', open: false },
  ])
  const timetables = new Timetables('krx')
  await timetables.refresh(rest, at('20261221'))
  const late = { opensAt: 34_200, closesAt: 55_800, preMarketAt: null }
  timetables.correct(
    new Map<string, DayCorrection>([
      ['20261222', late],
      ['20261223', 'normal'],
      ['20270104', 'closed'],
      ['20270105', 'normal'],
    ]),
  )
  const shipped = { opensAt: 36_000, closesAt: 55_800, preMarketAt: null }
  expect(timetables.days('20261220', '20270105')).toEqual([
    { day: '20261222', is: late, source: 'operator', otherwise: 'normal' },
    { day: '20261223', is: 'normal', source: 'operator', otherwise: 'closed' },
    { day: '20261225', is: 'normal', source: 'broker', otherwise: null },
    { day: '20261231', is: 'closed', source: 'shipped', otherwise: null },
    { day: '20270101', is: 'closed', source: 'shipped', otherwise: null },
    { day: '20270104', is: 'closed', source: 'operator', otherwise: shipped },
    { day: '20270105', is: 'normal', source: 'operator', otherwise: 'normal' },
  ])
})

test('what is listed is what holds', async () => {
  const { rest } = brokerWith([
    { day: '20261223', open: false },
    { day: '20261225', open: true },
  ])
  const timetables = new Timetables('krx')
  await timetables.refresh(rest, at('20261221'))
  timetables.correct(new Map([['20270104', 'closed']]))
  for (const { day, is } of timetables.days('20260101', '20271231')) {
    expect([day, isTradingDay(day, timetables.current)]).toEqual([day, is !== 'closed'])
    const own = timetables.current.special.get(day)
    expect([day, is === 'closed' || is === 'normal' ? undefined : own]).toEqual([
      day,
      is === 'closed' || is === 'normal' ? undefined : is,
    ])
  }
})

describe('a day that the broker lists as open and that is shipped as closed', () => {
  // 16 February 2026, before the lunar new year.
  const DAY = '20260216'
  const NOON = at(DAY) + 4 * 3_600_000

  test('is disputed, asked for again, and settled by a list that is mended', async () => {
    const { rest, asked } = brokerWith(
      [{ day: DAY, open: true }],
      [{ day: DAY, open: true }],
      [{ day: DAY, open: false }],
    )
    const timetables = new Timetables('krx')
    expect([timetables.isDisputed(at(DAY)), timetables.saidOf(DAY).listed]).toEqual([false, null])
    await timetables.refresh(rest, at(DAY))
    expect(timetables.isDisputed(at(DAY))).toBe(true)
    expect(timetables.saidOf(DAY)).toEqual({ listed: 'open', isOffered: true, isOperators: false })
    for (const minutes of [9, 10, 20, 30, 60]) await timetables.refresh(rest, at(DAY) + minutes * MINUTE_MS)
    expect([asked.length, timetables.isDisputed(NOON), isTradingDay(DAY, timetables.current)]).toEqual([
      3,
      false,
      false,
    ])
  })

  test.each<[DayCorrection, boolean]>([
    ['normal', true],
    ['closed', false],
  ])('is settled by an operator: %s', async (correction, isOpen) => {
    const { rest } = brokerWith([{ day: DAY, open: true }])
    const timetables = new Timetables('krx')
    await timetables.refresh(rest, at(DAY))
    timetables.correct(new Map([[DAY, correction]]))
    expect([timetables.isDisputed(at(DAY)), isTradingDay(DAY, timetables.current)]).toEqual([false, isOpen])
    expect(timetables.saidOf(DAY).isOperators).toBe(true)
  })

  test('the other way round nobody trades anyway, and a market that is always open has no days', async () => {
    const closed = new Timetables('krx')
    await closed.refresh(brokerWith([{ day: '20261224', open: false }]).rest, at('20261224'))
    expect(closed.isDisputed(at('20261224'))).toBe(false)
    expect(new Timetables('always').isDisputed(at(DAY))).toBe(false)
  })

  test('paper has no such list', async () => {
    const timetables = new Timetables('krx')
    await timetables.refresh(brokerWith(new NotOfferedError('휴장일')).rest, at(DAY)).catch(() => undefined)
    expect(timetables.saidOf(DAY)).toMatchObject({ listed: null, isOffered: false })
  })
})
