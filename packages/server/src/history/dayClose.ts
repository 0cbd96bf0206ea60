import { DAY_MS, addDays, kstDay, kstInstant } from '@digger/core'
import { listUsers } from '@digger/identity'
import type { Services } from '../services.ts'

/** After the last session of the day (NXT closes at 20:00) and before the broker's nightly maintenance. */
const CLOSE_AT = '203000'

/** Once a day, for everyone whose key is present: the money entry and the day's executed orders. */
export class DayClose {
  readonly #services: Services
  readonly #failed: (error: unknown) => void
  #stop: () => void = () => undefined
  #running: Promise<void> = Promise.resolve()
  #ending = false

  constructor(services: Services, failed: (error: unknown) => void) {
    this.#services = services
    this.#failed = failed
  }

  start(): void {
    const { clock } = this.#services
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
    for (const { id } of await listUsers(this.#services.database.db)) {
      if (this.#ending) return
      await this.#close(id).catch(this.#failed)
    }
  }

  async #close(userId: string): Promise<void> {
    const { accounts, balances, imports, clock } = this.#services
    if (!accounts.unlocked(userId)) return
    const day = kstDay(clock.now())
    await balances.read(userId)
    const executions = await accounts.kis(userId).executions({ from: day, to: day })
    await imports.take(userId, executions)
  }
}
