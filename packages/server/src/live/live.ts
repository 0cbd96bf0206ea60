import type { LiveEvent } from '@digger/contract'
import type { Accounts } from '../accounts/port.ts'
import type { Clock } from '../clock.ts'
import { Hub, type Sink } from './hub.ts'

interface Channel {
  readonly hub: Hub
  readonly stopListening: () => void
}

/** Live changes of users, to whichever of their browsers are open. Users nobody watches cost nothing. */
export class Live {
  readonly #accounts: Accounts
  readonly #clock: Clock
  readonly #channels = new Map<string, Channel>()

  constructor(accounts: Accounts, clock: Clock) {
    this.#accounts = accounts
    this.#clock = clock
  }

  get streams(): number {
    let sum = 0
    for (const { hub } of this.#channels.values()) sum += hub.size
    return sum
  }

  /** Returns the hub to tell about draining, and the way to leave. */
  join(userId: string, sink: Sink): { readonly hub: Hub; readonly leave: () => void } {
    const channel = this.#channels.get(userId) ?? this.#open(userId)
    channel.hub.add(sink)
    return {
      hub: channel.hub,
      leave: () => {
        channel.hub.remove(sink)
        if (channel.hub.size > 0 || this.#channels.get(userId) !== channel) return
        this.#channels.delete(userId)
        channel.stopListening()
        channel.hub.close()
      },
    }
  }

  /** News that does not come from an account, as the progress of a bulk call. */
  send(userId: string, event: LiveEvent): void {
    this.#channels.get(userId)?.hub.publish(event)
  }

  beat(): void {
    for (const { hub } of this.#channels.values()) hub.beat()
  }

  close(): void {
    for (const { hub, stopListening } of this.#channels.values()) {
      stopListening()
      hub.close()
    }
    this.#channels.clear()
  }

  #open(userId: string): Channel {
    const hub = new Hub(this.#clock)
    const stopListening = this.#accounts.listen(userId, (event) => hub.publish(event))
    const channel = { hub, stopListening }
    this.#channels.set(userId, channel)
    return channel
  }
}
