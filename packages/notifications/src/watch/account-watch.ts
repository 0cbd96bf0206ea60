import { ALARM_AFTER_MS } from '@digger/core'
import type { Clock, Db } from '@digger/database'
import type { AccountAttention } from '@digger/engine'
import { alarmKey, judgeAlarms } from '../rules/alarms.ts'
import { clear, raise, type RaisedAlarm, raisedAlarms } from './raised.ts'

export interface AccountWatchParts {
  readonly db: Db
  readonly wall: Clock
  readonly shards: () => readonly number[]
  /** What each account of this process calls its person for. */
  readonly attention: () => Iterable<AccountAttention>
  readonly problem: (userId: string | null, error: unknown) => void
}

/** Calls people for what lasts in their accounts, and says once that it is over. */
export class AccountWatch {
  readonly #parts: AccountWatchParts
  /** Since when what they were called for has been away, by user. */
  readonly #away = new Map<string, Map<string, number>>()

  constructor(parts: AccountWatchParts) {
    this.#parts = parts
  }

  async look(): Promise<void> {
    const { db, shards, attention, problem } = this.#parts
    const here = new Set<string>()
    const raised = Map.groupBy(await raisedAlarms(db, shards(), ''), ({ userId }) => userId)
    // An account that is not loaded says nothing: its alarms stay.
    for (const account of attention()) {
      here.add(account.userId)
      // What one of them trips over keeps the call from nobody else.
      await this.#judge(account, raised.get(account.userId) ?? []).catch((error: unknown) =>
        problem(account.userId, error),
      )
    }
    // Whatever happens to it elsewhere: once it comes back what is away is so from then on.
    for (const userId of this.#away.keys()) if (!here.has(userId)) this.#away.delete(userId)
  }

  async #judge({ userId, found, endOf }: AccountAttention, raised: readonly RaisedAlarm[]): Promise<void> {
    if (found.length === 0 && raised.length === 0) return void this.#away.delete(userId)
    const { db, wall } = this.#parts
    const now = wall.now()
    const away = this.#away.get(userId) ?? new Map<string, number>()
    this.#away.set(userId, away)
    const lasting = found.map((one) => ({ ...one, patienceMs: ALARM_AFTER_MS[one.kind] }))
    const own = raised.filter(
      (one): one is RaisedAlarm & { kind: (typeof lasting)[number]['kind'] } => one.kind in ALARM_AFTER_MS,
    )
    const { begin, end } = judgeAlarms(lasting, own, away, now)
    for (const { kind, subject: about, code, text } of begin)
      await raise(db, '', {
        userId,
        about,
        subject: `${alarmKey({ kind, subject: about })} ${now}`,
        kind,
        at: now,
        code,
        text,
      })
    for (const one of end) {
      const subject = `end of ${alarmKey(one)} ${one.raisedAt}`
      await clear(db, '', { userId, about: one.subject, subject, kind: one.kind, at: now, text: endOf(one) })
    }
  }
}
