import { z } from 'zod'
import type { Person } from '../people/person.ts'
import type { Stage } from '../stage.ts'
import { SETTLE_MS } from './latency.ts'
import type { CommittedRows } from './rows.ts'
import { Violation } from '../violation.ts'

const LOOK_MS = 5_000
/** The account asks again after this, so none is older (buying-power.ts, schedule.ts), ms; a reading waits for its turn, too. */
const CASH_MS = 60_000
const READING_MS = 60_000
/** A cancel is confirmed by a reading, or asked again every five seconds, ms. */
const CANCEL_MS = 60_000
/** A sale is refused when its time is over; the account looks at it once a second, ms. */
const PENDING_MS = 3_000
/** The server's own words of what is wrong must not stay for longer, ms. */
const TROUBLE_MS = 60_000
/** The market's clock of a server and that of the simulation may differ by so much, ms. */
const CLOCK_MS = 2_000

/** The part of an account that waits for answers, as the server's own reply cache names it. */
const Waiting = z.object({
  book: z.object({
    orders: z.map(
      z.number(),
      z.object({ status: z.string(), updatedAt: z.number(), code: z.string(), absentFrom: z.number().nullable() }),
    ),
  }),
  view: z.object({
    readSchedule: z.object({ running: z.boolean(), startedAt: z.number() }),
    cash: z.object({ askedAt: z.number().nullable() }),
    orders: z.object({ pendingSales: z.array(z.object({ until: z.number(), code: z.string() })) }),
  }),
})
export type Waiting = z.output<typeof Waiting>

/** In calm no question is open beyond its own validity. */
export class Questions {
  readonly #stage: Stage
  readonly #people: readonly Person[]
  readonly #rows: CommittedRows
  /** Since when each trouble stands, ms since the start. */
  readonly #troubles = new Map<string, number>()

  /** Ms since the start. */
  #wellSince = 0

  constructor(stage: Stage, people: readonly Person[], rows: CommittedRows) {
    this.#stage = stage
    this.#people = people
    this.#rows = rows
  }

  /** From now on everything is well. */
  begin(): void {
    const { simulation } = this.#stage
    this.#wellSince = simulation.now
    const look = (): void => {
      try {
        this.#look()
      } catch (error) {
        simulation.fail(error)
      }
      simulation.after(LOOK_MS, null, look)
    }
    look()
  }

  #look(): void {
    this.#lookForTroubles()
    for (const person of this.#people) {
      const waiting = this.#of(person)
      if (!this.#stage.looks.count('open questions', waiting !== null) || waiting === null) continue
      const { epoch, now } = this.#stage.simulation
      const [old] = openTooLong(waiting, epoch + now, epoch + this.#wellSince)
      if (old !== undefined) throw new Violation('questions are answered', `${person.email}: ${old}`)
    }
  }

  #lookForTroubles(): void {
    const { simulation } = this.#stage
    const troubles = this.#stage.vitals()?.troubles ?? []
    const now = new Set<string>(troubles.map(({ code }) => code))
    for (const code of this.#troubles.keys()) if (!now.has(code)) this.#troubles.delete(code)
    for (const { code, text } of troubles) {
      const since = this.#troubles.get(code) ?? simulation.now
      this.#troubles.set(code, since)
      if (simulation.now - since > TROUBLE_MS)
        throw new Violation('troubles end', `${code} for ${TROUBLE_MS / 1_000} s: ${text}`)
    }
  }

  #of({ userId }: Person): Waiting | null {
    const { simulation, active } = this.#stage
    const running = this.#stage.running(active)
    if (running === undefined || running.server === null) return null
    const { engine } = running.server
    return simulation.enter(running.process, () =>
      engine.has(userId) ? Waiting.parse(engine.cacheValidators(userId)[0]) : null,
    )
  }

  /** At the end an order without a verdict may only be one whose lateness is not over, and its card must say so. */
  async checkEnd(): Promise<void> {
    for (const person of this.#people) {
      const unknown = this.#rows.orders(person.userId).filter(({ status }) => status === 'unknown')
      for (const { id, code } of unknown) {
        const card = await person.stock(code)
        if (card?.reasons.some((reason) => reason.code === 'orderUnknown') === true) continue
        throw new Violation(
          'questions are answered',
          `${person.email}: order ${id} of ${code} is unknown at the end, and its card says nothing`,
        )
      }
    }
  }
}

/** What is open for longer than it may be; `now`, and `wellSince`, before which faults may have kept it open, in ms since the epoch. */
export function openTooLong(
  { book, view: { readSchedule, cash, orders } }: Waiting,
  now: number,
  wellSince = Number.NEGATIVE_INFINITY,
): string[] {
  const old: string[] = []
  const note = (what: string, at: number, ms: number): void => {
    const age = now - Math.max(at, wellSince)
    if (age > ms + CLOCK_MS) old.push(`${what} for ${Math.round(age)} ms`)
  }
  if (cash.askedAt !== null) note('a question about cash is out', cash.askedAt, CASH_MS)
  if (readSchedule.running) note('a reading of the lists is out', readSchedule.startedAt, READING_MS)
  for (const { code, until } of orders.pendingSales) note(`a sale of ${code} waits after its time`, until, PENDING_MS)
  for (const [id, { status, updatedAt, code, absentFrom }] of book.orders) {
    if (status === 'cancelling') note(`order ${id} of ${code} is being cancelled`, updatedAt, CANCEL_MS)
    if (status === 'unknown') note(`order ${id} of ${code} is unknown`, Math.max(updatedAt, absentFrom ?? 0), SETTLE_MS)
  }
  return old
}
