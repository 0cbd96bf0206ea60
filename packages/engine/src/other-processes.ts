import { every, realClock } from '@digger/database'
import { ServerStop, type ServerStopParts } from './server-stop.ts'
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

  constructor(parts: ServerStopParts) {
    this.stop = new ServerStop(parts)
    this.#watcher = new WatcherSigns(parts.db)
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
