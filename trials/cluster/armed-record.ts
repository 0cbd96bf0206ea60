import type { MemberReport } from './member-message.ts'

/** A worker that reported nothing for so long has nothing armed, ms: it reports ten times a second. */
const FRESH_MS = 1_000

type ArmedReport = Pick<MemberReport, 'armed' | 'at'>

/** A stretch of time in which not every account could trade, epoch ms; `to` is null while it lasts. */
interface Gap {
  readonly from: number
  to: number | null
}

/** When how many accounts could trade, by what the workers report. */
export class ArmedRecord {
  readonly #accounts: number
  readonly #last = new Map<string, ArmedReport>()
  readonly #gaps: Gap[] = []

  constructor(accounts: number) {
    this.#accounts = accounts
  }

  report(host: string, report: ArmedReport): void {
    this.#last.set(host, report)
    this.#look(Date.now())
  }

  /** Its process has ended. */
  gone(host: string): void {
    this.#last.delete(host)
    this.#look(Date.now())
  }

  get now(): number {
    const since = Date.now() - FRESH_MS
    return [...this.#last.values()].reduce((sum, { armed, at }) => sum + (at < since ? 0 : armed), 0)
  }

  get all(): boolean {
    this.#look(Date.now())
    return this.now >= this.#accounts
  }

  /** How long it took from a moment on until every account could trade for good, ms; null: that is not so yet. 0: it always was. */
  sinceThen(from: number): number | null {
    this.#look(Date.now())
    const last = this.#gaps.at(-1)
    if (last === undefined) return this.all ? 0 : null
    if (last.to === null) return null
    return Math.max(0, last.to - from)
  }

  #look(at: number): void {
    const last = this.#gaps.at(-1)
    const isGap = last !== undefined && last.to === null
    const all = this.now >= this.#accounts
    if (all && isGap) last.to = at
    if (!all && !isGap) this.#gaps.push({ from: at, to: null })
  }
}
