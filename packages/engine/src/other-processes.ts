import type { Stop } from '@digger/core'
import { every, realClock, type Db } from '@digger/database'
import type { TradingConditions } from './conditions.ts'
import { ServerStop } from './server-stop.ts'
import type { Trouble } from './vitals.ts'
import { WatcherSigns } from './watcher-signs.ts'

/** How soon a halt by the watcher holds here, ms. */
const LOOK_INTERVAL_MS = 1_000

/** What other processes write into the database of this server: a stricter stop, and that they are there. */
export class OtherProcesses {
  readonly stop: ServerStop
  readonly #watcher: WatcherSigns
  #end: (() => void) | null = null
  #looking: Promise<void> | null = null

  constructor(db: Db, conditions: TradingConditions, changed: (stop: Stop) => void) {
    this.stop = new ServerStop(db, conditions, changed)
    this.#watcher = new WatcherSigns(db)
  }

  start(): void {
    this.#end ??= every(realClock, LOOK_INTERVAL_MS, () => void this.look())
  }

  /** A database that is away shows elsewhere. */
  look(): Promise<void> {
    this.#looking ??= this.#lookOnce()
    return this.#looking
  }

  async #lookOnce(): Promise<void> {
    await Promise.allSettled([this.stop.look(), this.#watcher.look()])
    this.#looking = null
  }

  async end(): Promise<void> {
    this.#end?.()
    await this.#looking
  }

  get troubles(): readonly Trouble[] {
    const { why } = this.stop
    const halted = why === null ? [] : [{ code: 'watcher', accounts: null, text: why } as const]
    return [...halted, ...this.#watcher.troubles]
  }
}
