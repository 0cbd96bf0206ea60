import { knownTimetable } from '@digger/core'
import type { Sim } from '@digger/kis-sim'
import { afterEach, expect, test } from 'vitest'
import { clockCheck } from '../src/checks/clock.ts'
import { holidaysCheck } from '../src/checks/holidays.ts'
import { Examiner, type Subject } from '../src/index.ts'
import { at, brokerOf, clientOf, subjectOf } from './fixture.ts'

let sim: Sim | null = null
afterEach(async () => {
  await sim?.close()
  sim = null
})

/** What the check of the days, and then that of the clock, finds a week before Christmas. */
async function found(change: Partial<Subject>) {
  sim = await brokerOf({ clock: { mode: 'manual', start: at('20261218', '093000') } })
  const { rest, close } = clientOf(sim)
  const examiner = new Examiner({ ...subjectOf(sim, rest), ...change })
  const days = await holidaysCheck.run(examiner)
  const clock = await clockCheck.run(examiner)
  await close()
  return { days: days.map(({ level, text }) => [level, text]), clock: clock.map(({ level, text }) => [level, text]) }
}

const known = knownTimetable('krx')
const CHRISTMAS = '20261225'

test('a calendar like the broker’s is ok, and so is a clock', async () => {
  const { days, clock } = await found({})
  expect(days).toEqual([['ok', expect.stringContaining('디거의 달력과 같습니다')]])
  expect(clock).toEqual([['ok', expect.stringContaining('초 차이입니다')]])
})

test('a day that the broker alone has open waits for an administrator', async () => {
  const { days } = await found({ timetable: { ...known, closed: new Set([...known.closed, '20261222']) } })
  expect(days).toEqual([['wrong', expect.stringMatching(/: 20261222\. 그날 자동 주문은 관리자가 ‘거래일 달력’에서/)]])
})

test('a day that the broker alone has closed is closed', async () => {
  const closed = new Set([...known.closed].filter((day) => day !== CHRISTMAS))
  const { days } = await found({ timetable: { ...known, closed } })
  expect(days).toEqual([['note', expect.stringMatching(/: 20261225\. 디거는 증권사를 따라 그날 자동 주문을 내지/)]])
})

test.each([-60_000, 60_000])(
  'a clock that is off by %i ms is worth a word, since orders follow the broker’s',
  async (ms) => {
    const { clock } = await found({ wall: () => Date.now() + ms })
    expect(clock).toEqual([
      ['note', expect.stringMatching(/(59|60)\.\d초 차이입니다\. 주문은 증권사의 시각을 따르므로/)],
    ])
  },
)
