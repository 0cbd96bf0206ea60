import type { MarketOf } from '../api.ts'
import { RefusedError, UnreachableError } from '../errors.ts'
import { CHANNELS, MAX_REGISTRATIONS } from '../wire/channels.ts'
import { SOCKET } from '../wire/codes.ts'
import type { RegistrationMessage } from './control.ts'

interface Entry {
  readonly trId: string
  status: 'registering' | 'live' | 'unregistering' | 'refused'
  /** Last change, `performance.now()`. */
  since: number
  tries: number
}

/** The notice channel takes one of the 41. */
const WATCHABLE = MAX_REGISTRATIONS - 1
const MAX_TRIES = 3
/** Between two tries of a registration the broker could not take just then, ms. */
const RETRY_MS = 20_000
const TEMPORARY: ReadonlySet<string> = new Set([SOCKET.registerInternal, SOCKET.tooMany, SOCKET.sendFailed])

/** What should be registered, what is, and the messages in between. One entry and one message in flight per code. */
export class Registrations {
  #wanted: ReadonlyMap<string, string> = new Map()
  readonly #entries = new Map<string, Entry>()
  readonly #live = new Set<string>()

  get live(): ReadonlySet<string> {
    return this.#live
  }

  /** `performance.now()`; null where it is not live. */
  liveSince(code: string, market: MarketOf): number | null {
    const entry = this.#entries.get(code)
    return entry?.status === 'live' && entry.trId === CHANNELS.tick[market] ? entry.since : null
  }

  get unanswered(): number {
    return [...this.#entries.values()].filter(({ status }) => status.endsWith('registering')).length
  }

  /** Most important first; what does not fit is left out. */
  setWanted(codes: readonly string[], marketOf: (code: string) => MarketOf): void {
    const fitting = [...new Set(codes)].slice(0, WATCHABLE)
    this.#wanted = new Map(fitting.map((code) => [code, CHANNELS.tick[marketOf(code)]]))
  }

  /** Registrations live only as long as their socket. */
  reset(): void {
    this.#entries.clear()
    this.#live.clear()
  }

  /** What to send now. Removals first, so that their places are free when the additions arrive. */
  nextMessages(now: number): RegistrationMessage[] {
    const messages: RegistrationMessage[] = []
    for (const [code, entry] of this.#entries) {
      if (this.#wanted.get(code) === entry.trId) continue
      if (entry.status === 'refused') this.#entries.delete(code)
      if (entry.status !== 'live') continue
      this.#set(code, entry, 'unregistering', now)
      messages.push({ type: 'unregister', trId: entry.trId, trKey: code })
    }
    let taken = [...this.#entries.values()].filter((entry) => entry.status !== 'refused').length
    for (const [code, trId] of this.#wanted) {
      const entry = this.#entries.get(code)
      if (taken >= MAX_REGISTRATIONS - 1) break
      if (entry !== undefined && !isRetryDue(entry, now)) continue
      this.#set(code, { trId, status: 'registering', since: now, tries: (entry?.tries ?? 0) + 1 }, 'registering', now)
      messages.push({ type: 'register', trId, trKey: code })
      taken += 1
    }
    return messages
  }

  /** The broker's answer; an error is for the log, not for the caller. Null also when the answer is not about a code. */
  onAck(ack: { trId: string; trKey: string; ok: boolean; code: string; message: string }, now: number): Error | null {
    const entry = this.#entries.get(ack.trKey)
    if (entry === undefined || entry.trId !== ack.trId) return ack.ok ? null : refusal(ack)
    if (entry.status === 'unregistering') {
      // "Not found" is as good as done.
      this.#forget(ack.trKey)
      return null
    }
    if (ack.ok || ack.code === SOCKET.alreadyRegistered) {
      this.#set(ack.trKey, { ...entry, tries: 0 }, 'live', now)
      return null
    }
    const tries = TEMPORARY.has(ack.code) ? entry.tries : MAX_TRIES
    this.#set(ack.trKey, { ...entry, tries }, 'refused', now)
    return refusal(ack)
  }

  /** Messages nobody answered: asked again a few times (a repeated registration is answered "already"). */
  expire(now: number, ackMs: number): Error[] {
    const problems: Error[] = []
    for (const [code, entry] of this.#entries) {
      if (now - entry.since < ackMs) continue
      if (entry.status === 'unregistering') this.#forget(code)
      if (entry.status !== 'registering') continue
      this.#set(code, entry, 'refused', now)
      problems.push(new UnreachableError(`${code}: 실시간 등록에 응답이 없습니다.`))
    }
    return problems
  }

  #set(code: string, entry: Entry, status: Entry['status'], now: number): void {
    this.#entries.set(code, { ...entry, status, since: now })
    if (status === 'live') this.#live.add(code)
    else this.#live.delete(code)
  }

  #forget(code: string): void {
    this.#entries.delete(code)
    this.#live.delete(code)
  }
}

const isRetryDue = (entry: Entry, now: number): boolean =>
  entry.status === 'refused' && entry.tries < MAX_TRIES && now - entry.since >= RETRY_MS

const refusal = (ack: { trKey: string; code: string; message: string }): RefusedError =>
  new RefusedError(`${ack.trKey}: ${ack.message || '실시간 등록이 거절되었습니다.'}`, ack.code || null)
