import { ClusterCounters, LocalBus, LocalWire } from '@digger/cluster'
import { TestClock } from '@digger/database/testing'
import type { Sink } from '@digger/screens'
import { LiveRelay } from '../src/live-relay.ts'
import { RemoteLive } from '../src/remote-live.ts'

export class Browser implements Sink {
  readonly frames: string[] = []
  ended = false
  reads = true

  write(frame: string): boolean {
    this.frames.push(frame)
    return this.reads
  }

  end(): void {
    this.ended = true
  }
}

/** A worker: its accounts, and what changes in them. */
class FakeWorker {
  readonly accounts = new Set<string>()
  readonly sinks = new Map<string, Sink>()

  join(userId: string, sink: Sink) {
    this.sinks.set(userId, sink)
    return { drained: () => undefined, leave: () => void this.sinks.delete(userId) }
  }

  happen(userId: string, frame: string): void {
    this.sinks.get(userId)?.write(frame)
  }
}

class RecordingBus extends LocalBus {
  readonly requests: string[] = []
  readonly published: { readonly subject: string; readonly text: string }[] = []

  override request(subject: string, data: Uint8Array, timeoutMs: number): Promise<Uint8Array> {
    this.requests.push(subject)
    return super.request(subject, data, timeoutMs)
  }

  override publish(subject: string, data: Uint8Array): void {
    this.published.push({ subject, text: Buffer.from(data).toString() })
    super.publish(subject, data)
  }
}

/** Two workers and gateways over one wire. The first worker has all accounts until the test gives them to the other. */
export class LiveLinks {
  readonly clock = new TestClock()
  readonly wire = new LocalWire()
  readonly bus = new RecordingBus(this.wire)
  readonly workers = { one: new FakeWorker(), two: new FakeWorker() }
  readonly counters = new ClusterCounters()
  readonly #relays: LiveRelay[]
  readonly #gateways: RemoteLive[] = []

  constructor() {
    this.#relays = Object.entries(this.workers).map(
      ([name, live]) =>
        new LiveRelay(name, { bus: this.bus, live, clock: this.clock, has: (userId) => live.accounts.has(userId) }),
    )
  }

  readonly #owners = {
    of: async (userId: string) =>
      Object.entries(this.workers).find(([, { accounts }]) => accounts.has(userId))?.[0] ?? null,
    read: async () => undefined,
  }

  gateway(): RemoteLive {
    const { bus, clock, counters } = this
    const gateway = new RemoteLive({ bus, owners: this.#owners, clock, counters })
    this.#gateways.push(gateway)
    return gateway
  }

  /** A browser of each of the users, once the worker has said where their streams stand. */
  async watch(gateway: RemoteLive, ...userIds: string[]): Promise<Browser[]> {
    const browsers = userIds.map((userId) => {
      if (!this.workers.two.accounts.has(userId)) this.workers.one.accounts.add(userId)
      const browser = new Browser()
      gateway.join(userId, browser)
      return browser
    })
    await this.settle()
    this.bus.published.length = 0
    this.bus.requests.length = 0
    return browsers
  }

  /** What is on its way arrives, and what waits for a moment goes. */
  async settle(): Promise<void> {
    for (let turn = 0; turn < 100; turn += 1) {
      if (turn === 5) this.clock.advance(5)
      await new Promise((resolve) => void setImmediate(resolve))
    }
  }

  close(): void {
    for (const gateway of this.#gateways) gateway.close()
    for (const relay of this.#relays) relay.end()
  }
}
