import { Refused } from '@digger/contract'
import { effectiveStop, type Stop } from '@digger/core'
import type { Db } from '@digger/database'
import type { TradingConditions } from './conditions.ts'
import { readServerStop, writeServerStop } from '@digger/storage'

/** The stop of the whole server, in memory and in the tables, where the watcher may make it stricter, too. */
export class ServerStop {
  readonly #db: Db
  readonly #conditions: TradingConditions
  readonly #changed: (stop: Stop) => void
  #why: string | null = null
  /** How often it was set. */
  #turn = 0
  /** Ends when the last one that was set is written: the tables keep the one that was set last. */
  #written: Promise<unknown> = Promise.resolve()

  constructor(db: Db, conditions: TradingConditions, changed: (stop: Stop) => void) {
    this.#db = db
    this.#conditions = conditions
    this.#changed = changed
  }

  /** Why it is in force, where no person set it. */
  get why(): string | null {
    return this.#why
  }

  async load(): Promise<void> {
    const { stop, why } = await readServerStop(this.#db)
    this.#why = why
    this.#conditions.serverStop = stop
  }

  /**
   * Stricter is in force at once, looser when it is written: a failure leaves the stricter one standing. Throws Refused
   * when somebody else stopped more meanwhile.
   */
  async set(stop: Stop): Promise<void> {
    const turn = (this.#turn += 1)
    const strictest = effectiveStop(this.#conditions.serverStop, stop, 'active')
    this.#hold(strictest, this.#why)
    const written = this.#written.then(() => writeServerStop(this.#db, stop, strictest))
    this.#written = written.catch(() => undefined)
    if (!(await written)) {
      await this.look()
      throw new Refused('CONFLICT', STRICTER_MEANWHILE)
    }
    if (turn === this.#turn) this.#hold(stop, null)
  }

  /** Takes over a stricter stop that somebody else wrote; never a looser one. */
  async look(): Promise<void> {
    const turn = this.#turn
    await this.#written
    const stored = await readServerStop(this.#db)
    // It was set here meanwhile: what was read may be from before.
    if (turn !== this.#turn) return
    const stop = effectiveStop(this.#conditions.serverStop, stored.stop, 'active')
    if (stop === stored.stop) this.#hold(stop, stored.why)
  }

  #hold(stop: Stop, why: string | null): void {
    if (this.#conditions.serverStop === stop && this.#why === why) return
    this.#conditions.serverStop = stop
    this.#why = why
    this.#changed(stop)
  }
}

const STRICTER_MEANWHILE = '방금 다른 곳에서 서버 전체를 더 엄하게 멈췄습니다. 이유를 확인하고 다시 해 주세요.'
