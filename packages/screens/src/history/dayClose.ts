import { addDays, kstDay, kstInstant } from '@digger/core'
import type { Clock } from '@digger/database'
import type { Accounts } from '@digger/engine'
import type { BrokerBalances } from './money.ts'
import type { Imports } from './ordered.ts'

/** After the last session of the day (NXT closes at 20:00) and before the broker's nightly maintenance. */
const CLOSE_AT = '203000'

/** The market's clock may be set meanwhile: it is looked at this often, ms. */
const LOOK_MS = 600_000

/** After a failure it is begun again this much later, ms. */
const RETRY_MS = 60_000

export interface DayCloseParts {
  readonly clock: Clock
  /** Begins the closing of a KST day for everyone. Asked again, it does nothing. */
  readonly begin: (day: string) => Promise<void>
  readonly failed: (error: unknown) => void
}

/** Closes each day in the evening. */
export class DayClose {
  readonly #parts: DayCloseParts
  #stop: () => void = () => undefined
  #stopRetry: () => void = () => undefined

  constructor(parts: DayCloseParts) {
    this.#parts = parts
  }

  start(): void {
    const { clock } = this.#parts
    const now = clock.now()
    const today = kstInstant(kstDay(now), CLOSE_AT)
    const next = today > now ? today : kstInstant(addDays(kstDay(now), 1), CLOSE_AT)
    this.#stop = clock.after(Math.min(next - now, LOOK_MS), () => {
      if (clock.now() >= next) this.#begin(kstDay(next))
      this.start()
    })
  }

  stop(): void {
    this.#stop()
    this.#stopRetry()
  }

  #begin(day: string): void {
    const { begin, clock, failed } = this.#parts
    this.#stopRetry()
    begin(day).catch((error: unknown) => {
      failed(error)
      this.#stopRetry = clock.after(RETRY_MS, () => this.#begin(day))
    })
  }
}

export interface CloseDayDeps {
  readonly clock: Clock
  readonly accounts: Accounts
  readonly balances: BrokerBalances
  readonly imports: Imports
}

/** The day's money entry and executed orders of one user; twice the same gives the same. Resolves to a sentence. */
export async function closeDay({ accounts, balances, imports, clock }: CloseDayDeps, userId: string): Promise<string> {
  if (!accounts.unlocked(userId)) return '사용자 키가 열려 있지 않아 증권사에 묻지 않았습니다.'
  const day = kstDay(clock.now())
  await balances.read(userId)
  const executions = await accounts.kis(userId).executions({ from: day, to: day })
  const { imported, skipped } = await imports.take(userId, executions)
  return `자산을 적고 체결 ${imported + skipped}건을 가져왔습니다.`
}
