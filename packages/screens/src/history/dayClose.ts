import { DAY_MS, addDays, kstDay, kstInstant } from '@digger/core'
import { listUsers } from '@digger/identity'
import type { Clock, Database } from '@digger/database'
import type { Accounts } from '@digger/engine'
import type { BrokerBalances } from './money.ts'
import type { Imports } from './ordered.ts'

/** After the last session of the day (NXT closes at 20:00) and before the broker's nightly maintenance. */
const CLOSE_AT = '203000'

export interface DayCloseDeps {
  readonly clock: Clock
  readonly database: Pick<Database, 'db'>
  readonly accounts: Accounts
  readonly balances: BrokerBalances
  readonly imports: Imports
}

/** Once a day, for everyone whose key is present: the money entry and the day's executed orders. */
export class DayClose {
  readonly #deps: DayCloseDeps
  readonly #failed: (error: unknown) => void
  #stop: () => void = () => undefined
  #running: Promise<void> = Promise.resolve()
  #ending = false

  constructor(deps: DayCloseDeps, failed: (error: unknown) => void) {
    this.#deps = deps
    this.#failed = failed
  }

  start(): void {
    const { clock } = this.#deps
    const now = clock.now()
    const today = kstInstant(kstDay(now), CLOSE_AT)
    const next = today > now ? today : kstInstant(addDays(kstDay(now), 1), CLOSE_AT)
    this.#stop = clock.after(Math.min(next - now, DAY_MS), () => {
      this.#running = this.run().catch(this.#failed)
      this.start()
    })
  }

  /** Resolves once the account at work is done: its broker must not be taken away below it. */
  async stop(): Promise<void> {
    this.#ending = true
    this.#stop()
    await this.#running
  }

  async run(): Promise<void> {
    for (const { id } of await listUsers(this.#deps.database.db)) {
      if (this.#ending) return
      await this.#close(id).catch(this.#failed)
    }
  }

  async #close(userId: string): Promise<void> {
    const { accounts, balances, imports, clock } = this.#deps
    if (!accounts.unlocked(userId)) return
    const day = kstDay(clock.now())
    await balances.read(userId)
    const executions = await accounts.kis(userId).executions({ from: day, to: day })
    await imports.take(userId, executions)
  }
}
