import type { Bus } from './bus/bus.ts'

const SUBJECT = 'digger.free'
/** Shards of one that is emptied are free within a moment of each other: told once, ms. */
const PUBLISH_MS = 20

/**
 * Word among workers that shards are free: their accounts would stand still until the next look, up to a second later. Only a hint:
 * where it is lost they look each second, and the tables decide.
 */
export class FreeShards {
  readonly #bus: Pick<Bus, 'publish' | 'subscribe'>
  #timer: NodeJS.Timeout | undefined

  constructor(bus: Pick<Bus, 'publish' | 'subscribe'>) {
    this.#bus = bus
  }

  /** `me`: told by this one itself it is no news. Returns the way to end it. */
  follow(me: () => string | null, look: () => void): () => void {
    return this.#bus.subscribe(SUBJECT, (worker) => {
      if (Buffer.from(worker).toString() !== me()) look()
    })
  }

  publish(me: string): void {
    if (this.#timer !== undefined) return
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      this.#bus.publish(SUBJECT, Buffer.from(me))
    }, PUBLISH_MS)
  }
}
