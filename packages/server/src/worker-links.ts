import type { Bus } from '@digger/cluster'
import type { OwnedShards } from '@digger/database'
import type { Engine } from '@digger/engine'
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
      has: (userId) => hasAccount(engine, database.owned, userId),
      isOwn: (place) => database.owned.isOwn(place),
      isLeaving: (place) => engine.isLeaving(place),
    })
    const { owned } = database
    const stateOf = (userId: string) => (owned.isOwn(userId) ? accountState(services, userId) : null)
    this.#ends = [end, () => relay.end(), answerStates(worker, { bus: this.#bus, stateOf })]
  }

  end(): void {
    for (const end of this.#ends.splice(0)) end()
  }
}

/**
 * Whether the account is here. A user who signed up since has one that nobody has loaded. A worker that ends has let every shard go
 * before it closes the database: what is asked of it then is for the next owner, and not its failure.
 */
export async function hasAccount(
  engine: Pick<Engine, 'open' | 'has'>,
  owned: Pick<OwnedShards, 'isOwn'>,
  userId: string,
): Promise<boolean> {
  if (!owned.isOwn(userId)) return false
  try {
    await engine.open(userId)
    return engine.has(userId)
  } catch (error) {
    if (error instanceof FencedError || !owned.isOwn(userId)) return false
    throw error
  }
}
