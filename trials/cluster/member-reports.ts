import { ArmedRecord } from './armed-record.ts'
import { MemberReport } from './member-message.ts'
import { PauseRecord } from './pause-record.ts'

/** What the members report, for whoever watches over them. */
export class MemberReports {
  readonly armed: ArmedRecord
  readonly pauses = new PauseRecord()
  readonly #workerIds = new Map<string, string | null>()

  constructor(accounts: number) {
    this.armed = new ArmedRecord(accounts)
  }

  /** Throws on what is no report. */
  take(host: string, message: unknown): void {
    const report = MemberReport.parse(message)
    this.#workerIds.set(host, report.worker)
    this.armed.report(host, report)
    this.pauses.report(host, report)
  }

  /** Its process has ended. */
  gone(host: string): void {
    this.#workerIds.delete(host)
    this.armed.gone(host)
    this.pauses.gone(host)
  }

  /** The name that a worker has among the others now; null where it has none. */
  workerId(host: string): string | null {
    return this.#workerIds.get(host) ?? null
  }
}
