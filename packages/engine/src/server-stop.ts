import { Refused } from '@digger/contract'
import { effectiveStop, type Stop } from '@digger/core'
import type { Db } from '@digger/database'
import { readServerStop, type StoredStop, writeServerStop } from '@digger/storage'
import type { TradingConditions } from './conditions.ts'
import type { StopWritten } from './observer.ts'

export interface ServerStopParts {
  readonly db: Db
  readonly conditions: TradingConditions
  readonly changed: (stop: Stop) => void
  /** Where there are several processes. */
  readonly written?: StopWritten | undefined
}

/** The stop of the whole server, in memory and in the tables, where the watcher may make it stricter, too. */
export class ServerStop {
  readonly #parts: ServerStopParts
  #why: string | null = null
  /** The newest one that is known to be in the tables. */
  #known: StoredStop = { stop: 'active', why: null, version: 0 }
  /** How often it was set or taken. */
  #turn = 0
  /** How many of those are being written. */
  #pending = 0
  /** Ends when the last one that was set is written: the tables keep the one that was set last. */
  #written: Promise<unknown> = Promise.resolve()

  constructor(parts: ServerStopParts) {
    this.#parts = parts
  }

  /** Why it is in force, where no person set it. */
  get why(): string | null {
    return this.#why
  }

  async load(): Promise<void> {
    this.#known = await readServerStop(this.#parts.db)
    this.#why = this.#known.why
    this.#parts.conditions.serverStop = this.#known.stop
  }

  /**
   * Stricter is in force here at once, looser when it is written: a failure leaves the stricter one standing. Resolves when it holds
   * in every process. `seen`: version of the one it was asked over, where that was somewhere else and may be a while ago. Throws Refused
   * when somebody else stopped more meanwhile, OutcomeUnknown.
   */
  async set(stop: Stop, seen?: number): Promise<void> {
    const { db, written } = this.#parts
    this.#turn += 1
    const strictest = effectiveStop(this.#now, stop, 'active')
    this.#hold(strictest, this.#why)
    const version = await this.#inTurn(() => writeServerStop(db, stop, seen === undefined ? { strictest } : { seen }))
    if (version === null) {
      await this.look()
      throw new Refused('CONFLICT', STRICTER_MEANWHILE)
    }
    this.take({ stop, why: null, version })
    this.#settle()
    await written?.(stop, version)
  }

  async #inTurn(write: () => Promise<number | null>): Promise<number | null> {
    this.#pending += 1
    const mine = this.#written.then(write).finally(() => (this.#pending -= 1))
    this.#written = mine.catch(() => undefined)
    return mine
  }

  /** What the tables say, where several processes set it: the newest counts, looser ones too. */
  take(stored: StoredStop): void {
    if (stored.version <= this.#known.version) return
    this.#turn += 1
    this.#known = stored
    this.#settle()
  }

  /** What is being written here may be stricter. */
  #settle(): void {
    const { stop, why } = this.#known
    if (this.#pending === 0 || effectiveStop(this.#now, stop, 'active') === stop) this.#hold(stop, why)
  }

  /** Takes over a stricter stop that somebody else wrote; never a looser one. */
  async look(): Promise<void> {
    const turn = this.#turn
    await this.#written
    const stored = await readServerStop(this.#parts.db)
    // Set or taken here meanwhile: what was read may be from before.
    if (turn !== this.#turn) return
    if (effectiveStop(this.#now, stored.stop, 'active') !== stored.stop) return
    this.#known = stored
    this.#hold(stored.stop, stored.why)
  }

  get #now(): Stop {
    return this.#parts.conditions.serverStop
  }

  #hold(stop: Stop, why: string | null): void {
    const { conditions, changed } = this.#parts
    if (conditions.serverStop === stop && this.#why === why) return
    conditions.serverStop = stop
    this.#why = why
    changed(stop)
  }
}

const STRICTER_MEANWHILE = '방금 다른 곳에서 서버 전체를 더 엄하게 멈췄습니다. 이유를 확인하고 다시 해 주세요.'
