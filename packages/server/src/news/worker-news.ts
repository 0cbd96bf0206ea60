import type { Bus } from '@digger/cluster'
import type { OtherProcesses } from '../server.ts'
import type { Services } from '../services.ts'
import { followCalendar, tellCalendar } from './calendar-news.ts'
import { tellEndedSessions } from './session-news.ts'
import { StopNews, type Workers } from './stop-news.ts'

/** The broker counts the calls of a key by the second, and the owner before may have used up this one, ms. */
const TAKEOVER_HOLD_MS = 1_000

/** What a worker tells the other processes, and hears from them. */
export class WorkerNews {
  /** To be told when something is changed here. */
  readonly others: OtherProcesses
  readonly #bus: Bus
  readonly #ends: (() => void)[] = []

  constructor(bus: Bus, workers: () => Workers | null) {
    const stop = new StopNews(bus, workers)
    this.#bus = bus
    this.#ends.push(() => stop.end())
    this.others = {
      stopWritten: stop.written,
      calendarChanged: () => tellCalendar(bus),
      takeoverHoldMs: TAKEOVER_HOLD_MS,
    }
  }

  follow({ sessions, calendar }: Pick<Services, 'sessions' | 'calendar'>): void {
    this.#ends.push(tellEndedSessions(this.#bus, sessions), followCalendar(this.#bus, calendar))
  }

  end(): void {
    for (const end of this.#ends) end()
  }
}
