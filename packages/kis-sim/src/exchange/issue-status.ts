import type { Listing } from './universe.ts'

/** Whoever says that an issue stands still: a happening, the record of a day, a hand. Several may say so at a time. */
type Cause = object | string

/** What an issue may do today, as far as it is not a matter of the hour. */
export class IssueStatus {
  /** NXT has it in its list of today. */
  inNxtList: boolean
  /** Trading on NXT is stopped; KRX goes on. */
  readonly nxtStops = new Set<Cause>()
  /** Trading is stopped everywhere. */
  readonly halts = new Set<Cause>()

  constructor({ nxt }: Listing) {
    this.inNxtList = nxt
  }

  get halted(): boolean {
    return this.halts.size > 0
  }

  /** NXT lists it, and may have stopped it. */
  get onNxt(): boolean {
    return this.inNxtList
  }

  get stoppedOnNxt(): boolean {
    return this.nxtStops.size > 0
  }
}
