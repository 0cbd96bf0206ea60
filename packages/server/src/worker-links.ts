import type { Bus } from '@digger/cluster'
import { hasAccount } from '@digger/engine'
import type { KeyPair } from '@digger/identity'
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
      has: (userId) => hasAccount(engine, database.owned, userId),
      isOwn: (place) => database.owned.isOwn(place),
      isLeaving: (place) => engine.isLeaving(place),
    })
    const stateOf = (userId: string) => (database.owned.isOwn(userId) ? accountState(services, userId) : null)
    this.#ends = [end, () => relay.end(), answerStates(worker, { bus: this.#bus, stateOf })]
  }

  end(): void {
    for (const end of this.#ends.splice(0)) end()
  }
}
