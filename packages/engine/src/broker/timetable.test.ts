import { kstInstant } from '@digger/core'
import type { KisHoliday } from '@digger/kis'
import { expect, test } from 'vitest'
import { fakeKis } from '../../test/fake-kis.ts'
import { Timetables } from './timetable.ts'

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
      { day: '20261224', open: true },
      { day: '20261225', open: false },
    ],
    [{ day: '20261231', open: false }],
  )
  const timetables = new Timetables('krx')
  const before = timetables.current
  await timetables.refresh(rest, at('20261223'))
  await timetables.refresh(rest, at('20261223') + 3_600_000)
  expect(asked).toEqual(['20261223'])
  expect([...timetables.current.closed]).toEqual(['20261225'])
  expect(timetables.current).not.toBe(before)
  // Eleven in the evening in Greenwich is the next morning in Korea.
  await timetables.refresh(rest, Date.UTC(2026, 11, 23, 23))
  expect([asked.at(-1), [...timetables.current.closed]]).toEqual(['20261224', ['20261225', '20261231']])
})

test('without an answer what is known stays, and it is not asked again before the next day', async () => {
  const { rest, asked } = brokerWith([{ day: '20261225', open: false }], new Error('no list'))
  const timetables = new Timetables('krx')
  await timetables.refresh(rest, at('20261222'))
  await expect(timetables.refresh(rest, at('20261223'))).rejects.toThrow('no list')
  await timetables.refresh(rest, at('20261223'))
  expect([asked.length, [...timetables.current.closed]]).toEqual([2, ['20261225']])
  await timetables.refresh(rest, at('20261224'))
  expect(asked).toHaveLength(3)
})

test('two who ask at once ask the broker once', async () => {
  const { rest, asked } = brokerWith()
  const timetables = new Timetables('krx')
  await Promise.all([timetables.refresh(rest, at('20261222')), timetables.refresh(rest, at('20261222'))])
  expect(asked).toHaveLength(1)
})

test('an exchange that is always open asks nobody; days of late opening are known without asking', async () => {
  const { rest, asked } = brokerWith()
  const timetables = new Timetables('always')
  await timetables.refresh(rest, at('20261222'))
  expect([asked, timetables.current.hours]).toEqual([[], 'always'])
  expect(new Timetables('krx').current.shiftMinutes.get('20261119')).toBe(60)
})
