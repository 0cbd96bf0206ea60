import { addDays, kstDay, kstInstant } from '@digger/core'
import { type Clock, every } from '@digger/database'
import { listBackups, newestOf } from './kept.ts'

/** Before the first session, after the broker's nightly maintenance: KST. */
const TAKEN_AT = '053000'
const LOOK_MS = 60_000
/** After a failure it is tried again this much later, ms. */
const RETRY_MS = 3_600_000

export interface DailyParts {
  /** The machine's: a pretend market's may run a thousand times faster. */
  readonly clock: Clock
  /** Where backups are kept. */
  readonly into: string
  /** Of several processes one has it. */
  readonly isMine: () => boolean
  /** Takes one, tries it, and removes old ones. Throws where anything of it fails. */
  readonly run: () => Promise<void>
  readonly failed: (error: unknown) => void
}

/** How the backups that are taken by themselves are doing. */
export interface DailyBackup {
  /** Why the last one failed, one line; null: it did not. */
  readonly failure: string | null
  /** When the newest one was taken, epoch ms; null: there is none, or another process takes them. */
  readonly newestAt: number | null
  /** Resolves when nothing of it is under way. */
  idle(): Promise<void>
  stop(): void
}

/** Takes a backup each day from now on; one that was missed is taken when the process is there again. */
export function startDaily({ clock, into, isMine, run, failed }: DailyParts): DailyBackup {
  let newestAt: number | null = null
  let failure: string | null = null
  let triedAt = Number.NEGATIVE_INFINITY
  let underWay: Promise<void> | null = null
  const newest = async (): Promise<number | null> =>
    newestOf(await listBackups(into), clock.now())?.manifest.takenAt ?? null
  const look = async (): Promise<void> => {
    const mine = isMine()
    newestAt = mine ? await newest() : null
    if (!mine) failure = null
    // A last try of later than now is of a clock that was ahead.
    const sinceMs = clock.now() - triedAt
    if (!mine || (sinceMs >= 0 && sinceMs < RETRY_MS) || !isDue(newestAt, clock.now())) return
    try {
      await run()
      failure = null
      newestAt = await newest()
    } catch (error) {
      failure = error instanceof Error ? error.message : String(error)
      failed(error)
    }
    // Also where it went well and nothing new is to be seen: whatever that means, it is not tried without end.
    triedAt = clock.now()
  }
  const lookOnce = (): void => {
    underWay ??= look()
      .catch(failed)
      .finally(() => (underWay = null))
  }
  lookOnce()
  const stop = every(clock, LOOK_MS, lookOnce)
  return {
    get failure() {
      return failure
    },
    get newestAt() {
      return newestAt
    },
    async idle() {
      await underWay
    },
    stop,
  }
}

/** Whether none was taken since the last time at which one should have been. */
export function isDue(newestAt: number | null, now: number): boolean {
  const today = kstInstant(kstDay(now), TAKEN_AT)
  const last = today <= now ? today : kstInstant(addDays(kstDay(now), -1), TAKEN_AT)
  return newestAt === null || newestAt < last
}
