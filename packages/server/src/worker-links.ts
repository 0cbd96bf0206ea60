import type { Bus } from '@digger/cluster'
import type { KeyPair } from '@digger/identity'
import { FencedError } from '@digger/storage'
import { answerCalls, answerStates, type ForwardedGrants, LiveRelay } from '@digger/forward'
import { accountState } from './handlers/admin.ts'
import type { Assembled } from './server.ts'

/** What gateways reach a worker by, under the name that it has now. */
export class WorkerLinks {
  readonly #bus: Bus
  readonly #assembled: Assembled
  readonly #answering: { readonly grants: ForwardedGrants; readonly pair: KeyPair }
  #ends: (() => void)[] = []

  constructor(bus: Bus, assembled: Assembled, answering: { grants: ForwardedGrants; pair: KeyPair }) {
    this.#bus = bus
    this.#assembled = assembled
    this.#answering = answering
  }

  join(worker: string): void {
    this.end()
    const { app, engine, services, database } = this.#assembled
    const relay = new LiveRelay(worker, {
      bus: this.#bus,
      live: services.live,
      clock: services.wall,
      has: (userId) => engine.has(userId),
    })
    const end = answerCalls(worker, {
      ...this.#answering,
      bus: this.#bus,
      app,
      clock: services.wall,
      has: (userId) => this.#has(userId),
      isOwn: (place) => database.owned.isOwn(place),
      isLeaving: (place) => engine.isLeaving(place),
    })
    const { owned } = database
    const stateOf = (userId: string) => (owned.isOwn(userId) ? accountState(services, userId) : null)
    this.#ends = [end, () => relay.end(), answerStates(worker, { bus: this.#bus, stateOf })]
  }

  /** A user who signed up since has an account that nobody has loaded. */
  async #has(userId: string): Promise<boolean> {
    const { engine } = this.#assembled
    try {
      await engine.open(userId)
      return engine.has(userId)
    } catch (error) {
      if (error instanceof FencedError) return false
      throw error
    }
  }

  end(): void {
    for (const end of this.#ends.splice(0)) end()
  }
}
