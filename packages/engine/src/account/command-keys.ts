import { createHash } from 'node:crypto'
import type { Account, CommandResult, Fact, Step } from '@digger/core'
import type { Changes } from '@digger/storage'
import type { Command, CommandKey } from '../accounts.ts'

type KeyRow = Changes['commandKeys'][number]

/** What was asked, by its key. */
export interface Named {
  readonly key: string
  /** Hash of what the key stands for. */
  readonly call: string
}

export function namedOf(key: CommandKey | undefined, command: Command): Named | undefined {
  if (key === undefined) return undefined
  const text = key.call ?? JSON.stringify(command)
  return { key: key.key, call: createHash('sha256').update(text).digest('base64url') }
}

const DAY_MS = 86_400_000
/** Whoever has no answer asks again within minutes, a job that was broken off within days, ms. */
const KEPT_MS = 3 * DAY_MS
/** More than anybody presses in that time. */
const MAX_KEPT = 1_000

export const OTHER_CALL = '같은 Idempotency-Key로 다른 것을 요청했습니다. 요청마다 새 키를 넣어 다시 보내 주세요.'
const PARTLY_DONE =
  '앞서 받은 이 매도는 서버가 멈추거나 바뀌어 일부만 냈습니다. 주문 목록을 확인하고 남은 주식을 다시 매도해 주세요.'

/** What people asked of one account under a key and what is written of it, as the tables have it. */
export class CommandKeys {
  /** Oldest first. */
  #rows = new Map<string, KeyRow>()

  load(rows: readonly KeyRow[]): void {
    this.#rows = new Map(rows.map((row) => [row.key, row]))
  }

  has(key: string): boolean {
    return this.#rows.has(key)
  }

  /** What is to be answered to whoever asks again; null: nothing is written of it. */
  resultOf({ key, call }: Named): CommandResult | null {
    const row = this.#rows.get(key)
    if (row === undefined) return null
    if (row.call !== call) return { ok: false, code: 'CONFLICT', text: OTHER_CALL }
    if (row.answer === null) return { ok: false, code: 'CONFLICT', text: PARTLY_DONE }
    const result: CommandResult = JSON.parse(row.answer)
    return result
  }

  /** What this step does of what people asked, with its answers. `namedOf`: by ticket. */
  rowsOf(before: Account, step: Step, namedOf: (ticket: number) => Named | undefined): Omit<KeyRow, 'user_id'>[] {
    const at = step.facts[0]?.at ?? 0
    return answersOf(before, step).flatMap(([ticket, result]) => {
      const named = namedOf(ticket)
      if (named === undefined || !this.#isKept(named, step, result)) return []
      return [{ ...named, at, answer: result === null ? null : JSON.stringify(result) }]
    })
  }

  /** They are on disk. */
  written({ commandKeys, expiredKeys }: Pick<Changes, 'commandKeys' | 'expiredKeys'>): void {
    for (const row of commandKeys) this.#rows.set(row.key, row)
    for (const { before } of expiredKeys)
      for (const { key, at } of this.#rows.values()) if (at < before) this.#rows.delete(key)
  }

  /** What was refused may be asked again, unless some of its orders were placed. */
  #isKept({ key }: Named, { facts }: Step, result: CommandResult | null): boolean {
    if (result === null || result.ok || this.has(key)) return true
    return facts.some((fact) => fact.kind === 'orderIntended' && fact.order.origin === 'person')
  }

  /** Keys from before then are forgotten: with the first facts of a day, and where there are too many. */
  expired(facts: readonly Fact[]): { readonly before: number }[] {
    if (this.#rows.size >= MAX_KEPT) return [{ before: this.#times()[MAX_KEPT / 2] ?? 0 }]
    const opened = this.#rows.size === 0 ? undefined : facts.find(({ kind }) => kind === 'dayOpened')
    if (opened === undefined) return []
    const before = opened.at - KEPT_MS
    return this.#times().some((at) => at < before) ? [{ before }] : []
  }

  #times(): number[] {
    return [...this.#rows.values()].map(({ at }) => at)
  }
}

/** Null: of a sale some orders are placed and others wait. */
function answersOf(before: Account, { account, effects }: Step): [ticket: number, result: CommandResult | null][] {
  const placedBefore = new Map(before.view.orders.pendingSales.map(({ ticket, orderIds }) => [ticket, orderIds.length]))
  return [
    ...account.view.orders.pendingSales.flatMap(({ ticket, orderIds }): [number, null][] =>
      orderIds.length > (placedBefore.get(ticket) ?? 0) ? [[ticket, null]] : [],
    ),
    ...effects.flatMap((effect): [number, CommandResult][] =>
      effect.kind === 'commandResult' ? [[effect.ticket, effect.result]] : [],
    ),
  ]
}
