import { sql } from 'kysely'
import type { Clock, Db } from '@digger/database'
import type { Trouble } from '@digger/engine'
import { alarmKey, judgeAlarms } from '../rules/alarms.ts'
import { alarmsOfTheGone, clear, forgetAlarms, raise, raisedAlarms } from './raised.ts'

/** Most troubles of a server heal by themselves, as its broker comes back, ms. */
const ALARM_AFTER_MS = 60_000

/** Name of the one server of a database among the processes. */
export const ONE_SERVER = 'server'

export interface ServerWatchParts {
  readonly db: Db
  readonly wall: Clock
  /** This process among others; `server` where it is the only one. */
  readonly process: () => string
  readonly troubles: () => readonly Trouble[]
  /** `down`: nobody's lists could be read lately. */
  readonly broker: () => 'ok' | 'down' | 'unused'
  /** Whether an exchange trades now: at night the broker is often away. */
  readonly isSession: () => boolean
  /** Why the whole server is stopped, where no person stopped it; null: it is not, or a person did. */
  readonly stopReason: () => string | null
  /** Whether it is this process that tells of what others have left. */
  readonly isFirst: () => boolean
}

interface Matter {
  readonly kind: 'serverTrouble' | 'serverStopped'
  readonly subject: string
  readonly text: string
}

/** Calls the administrators for what keeps the whole server from its work. */
export class ServerWatch {
  readonly #parts: ServerWatchParts
  readonly #since = new Map<string, number>()
  readonly #away = new Map<string, Map<string, number>>()

  constructor(parts: ServerWatchParts) {
    this.#parts = parts
  }

  async look(): Promise<void> {
    const { db, wall, process, isFirst } = this.#parts
    const matters = this.#matters()
    const now = wall.now()
    this.#noteAges(matters, now)
    const raised = Map.groupBy(await raisedAlarms(db, [], process()), ({ userId }) => userId)
    if (matters.length > 0 || raised.size > 0) {
      const called = await administrators(db)
      for (const userId of called) await this.#judge(userId, matters, raised.get(userId) ?? [], now)
      // Made one again, they are called anew.
      for (const userId of raised.keys()) if (!called.includes(userId)) await forgetAlarms(db, process(), userId)
    }
    if (isFirst()) await this.#clearTheGone(now)
  }

  #matters(): Matter[] {
    const { troubles, broker, isSession, stopReason } = this.#parts
    const reason = stopReason()
    return [
      ...troubles().map(({ code, text }): Matter => ({ kind: 'serverTrouble', subject: code, text: `서버: ${text}` })),
      ...(broker() === 'down' && isSession()
        ? [{ kind: 'serverTrouble', subject: 'broker', text: BROKER_DOWN } as const]
        : []),
      ...(reason === null
        ? []
        : [{ kind: 'serverStopped', subject: '', text: `서버가 모든 매매를 멈췄습니다: ${reason}` } as const]),
    ]
  }

  #noteAges(matters: readonly Matter[], now: number): void {
    const keys = new Set(matters.map(alarmKey))
    for (const key of this.#since.keys()) if (!keys.has(key)) this.#since.delete(key)
    // A clock that was set back makes nobody wait for the time that it lost.
    for (const key of keys) this.#since.set(key, Math.min(this.#since.get(key) ?? now, now))
  }

  async #judge(
    userId: string,
    matters: readonly Matter[],
    raised: Awaited<ReturnType<typeof raisedAlarms>>,
    now: number,
  ): Promise<void> {
    const { db, process } = this.#parts
    const away = this.#away.get(userId) ?? new Map<string, number>()
    this.#away.set(userId, away)
    const found = matters.map((one) => ({
      ...one,
      forMs: now - (this.#since.get(alarmKey(one)) ?? now),
      patienceMs: one.kind === 'serverStopped' ? 0 : ALARM_AFTER_MS,
    }))
    const { begin, end } = judgeAlarms(found, raised, away, now)
    for (const { kind, subject: about, text } of begin) {
      const subject = `${process()} ${kind} ${about} ${now}`
      await raise(db, process(), { userId, about, subject, kind, at: now, text })
    }
    for (const { kind, subject: about, raisedAt } of end) {
      const subject = `end of ${process()} ${kind} ${about} ${raisedAt}`
      await clear(db, process(), { userId, about, subject, kind, at: now, text: END[kind] ?? '서버: 해결되었습니다.' })
    }
  }

  async #clearTheGone(now: number): Promise<void> {
    const { db } = this.#parts
    for (const { userId, kind, subject: about, raisedAt, process } of await alarmsOfTheGone(db)) {
      const subject = `end of ${process} ${kind} ${about} ${raisedAt}`
      await clear(db, process, { userId, about, subject, kind, at: now, text: GONE })
    }
  }
}

const BROKER_DOWN =
  '서버: 증권사의 목록을 어느 계좌도 읽지 못해 매매하지 않습니다. 증권사 점검이나 장애인지 확인해 주세요.'
const END: Readonly<Partial<Record<string, string>>> = {
  serverTrouble: '서버: 알려 드린 문제가 해결되었습니다.',
  serverStopped: '서버: 멈춤이 풀렸습니다.',
}
const GONE = '서버: 문제를 알린 프로세스가 끝났습니다. 다른 프로세스에도 문제가 있으면 따로 알려 드립니다.'

async function administrators(db: Db): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from users where digger_admin order by id`.execute(db)
  return rows.map(({ id }) => id)
}
