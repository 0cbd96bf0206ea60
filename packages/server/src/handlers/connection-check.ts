import type { ConnectionCheck } from '@digger/contract'
import { Refused } from '@digger/contract'
import { kstIso, knownTimetable } from '@digger/core'
import { type AccountExamination, type Checked, Examinations, type ExaminationStore, sourceText } from '@digger/doctor'
import type { Handlers } from '@digger/http'
import type { Services } from '../services.ts'

/** Examined where the account has no stock of its own: traded on both venues all day. */
const USUAL_CODE = '005930'

export function connectionCheckHandlers(
  services: Services,
): Pick<Handlers, 'connectionCheck' | 'startConnectionCheck'> {
  const { accounts, clock, wall, timetable, logger } = services
  const examinations = new Examinations(storeOf(services), (userId, error) =>
    logger?.error({ err: error, userId }, 'the connection check was not written'),
  )
  return {
    connectionCheck: async ({ userId }) => viewOf(await examinations.of(userId)),
    async startConnectionCheck({ userId }) {
      const seconds = Math.ceil(examinations.waitMs(userId, wall.now()) / 1_000)
      if (seconds > 0)
        throw new Refused('BUSY', `연결 점검은 1분에 한 번 할 수 있습니다. ${seconds}초 뒤에 다시 눌러 주세요.`)
      examinations.start(userId, {
        rest: accounts.kis(userId),
        now: () => clock.now(),
        wall: () => wall.now(),
        timetable: timetable?.() ?? knownTimetable('always'),
        code: accounts.book(userId).stocks.keys().next().value ?? USUAL_CODE,
      })
      return viewOf(await examinations.of(userId))
    },
  }
}

const storeOf = ({ database: { db } }: Services): ExaminationStore => ({
  async load(userId) {
    const row = await db.selectFrom('connection_check').selectAll().where('user_id', '=', userId).executeTakeFirst()
    return row === undefined ? null : { at: row.at, checks: row.report }
  },
  async save(userId, { at, checks }) {
    const row = { at, report: JSON.stringify(checks) }
    const values = { user_id: userId, ...row }
    await db
      .insertInto('connection_check')
      .values(values)
      .onConflict((on) => on.column('user_id').doUpdateSet(row))
      .execute()
  },
})

const viewOf = ({ running, kept }: AccountExamination): ConnectionCheck => ({
  running: running && { done: running.done, total: running.total, name: running.running },
  checkedAt: kept && kstIso(kept.at),
  checks: (kept?.checks ?? []).map(({ name, findings }) => ({ name, findings: findings.map(shown) })),
})

const shown = ({ source, fields, ...rest }: Checked['findings'][number]) => ({
  ...rest,
  ...(fields && { fields: [...fields] }),
  ...(source && { source: sourceText(source) }),
})
