import { isAnyTraded, type Timetable } from '@digger/core'
import { type Clock, every } from '@digger/database'

/** Between two beats, ms. */
export const BEAT_MS = 60_000
const TIMEOUT_MS = 10_000

export interface HeartbeatParts {
  /** The operator's own: any address that takes a GET, as those of healthchecks.io or Uptime Kuma. */
  readonly url: string
  /** The market's time. */
  readonly clock: Clock
  readonly wall: Clock
  readonly timetable: () => Timetable
  /** Whether nothing keeps the server from its work. */
  readonly isWell: () => boolean
  /** Told without the address: whoever has it could beat in our place. */
  readonly problem: (error: unknown) => void
}

/**
 * Says once a minute that the server lives and is well, while an exchange is open. It never cries: whoever is asked raises the alarm
 * where the beats stop, so that it also comes where nothing of the server is left to raise one.
 */
export class Heartbeat {
  readonly #parts: HeartbeatParts
  #end: () => void = () => undefined
  #beating: Promise<void> | null = null

  constructor(parts: HeartbeatParts) {
    this.#parts = parts
  }

  start(): void {
    this.#end = every(this.#parts.wall, BEAT_MS, () => this.#beat())
    this.#beat()
  }

  /** Resolves when no beat is on its way. */
  async idle(): Promise<void> {
    await this.#beating
  }

  stop(): Promise<void> {
    this.#end()
    return this.idle()
  }

  #beat(): void {
    const { isWell, problem } = this.#parts
    if (this.#beating !== null || !this.#isSession() || !isWell()) return
    this.#beating = this.#ask()
      .catch(problem)
      .finally(() => (this.#beating = null))
  }

  #isSession(): boolean {
    const { clock, timetable } = this.#parts
    return isAnyTraded(clock.now(), timetable())
  }

  async #ask(): Promise<void> {
    let status: number
    try {
      const reply = await fetch(this.#parts.url, { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) })
      ;({ status } = reply)
      await reply.body?.cancel()
    } catch {
      throw new Error('the heartbeat did not reach HEARTBEAT_URL')
    }
    if (status >= 300) throw new Error(`HEARTBEAT_URL answered the heartbeat with ${status}`)
  }
}
