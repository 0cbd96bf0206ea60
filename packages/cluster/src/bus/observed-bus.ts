import type { ClusterCounters } from '../counters.ts'
import { NoAnswerError, NobodyThereError, type Answer, type Bus } from './bus.ts'

/** A bus whose requests are counted. */
export class ObservedBus implements Bus {
  readonly #bus: Bus
  readonly #counters: ClusterCounters

  constructor(bus: Bus, counters: ClusterCounters) {
    this.#bus = bus
    this.#counters = counters
    bus.onGap(() => (counters.live.gaps += 1))
  }

  get connected(): boolean {
    return this.#bus.connected
  }

  async request(subject: string, data: Uint8Array, timeoutMs: number): Promise<Uint8Array> {
    const { requests } = this.#counters
    const began = performance.now()
    try {
      const answer = await this.#bus.request(subject, data, timeoutMs)
      requests.done += 1
      requests.durations.add(performance.now() - began)
      return answer
    } catch (error) {
      if (error instanceof NobodyThereError) requests.nobody += 1
      if (error instanceof NoAnswerError) requests.timeouts += 1
      throw error
    }
  }

  answer(subject: string, answer: Answer): () => void {
    return this.#bus.answer(subject, answer)
  }

  publish(subject: string, data: Uint8Array): void {
    this.#bus.publish(subject, data)
  }

  subscribe(subject: string, received: (data: Uint8Array, subject: string) => void): () => void {
    return this.#bus.subscribe(subject, received)
  }

  onGap(listener: () => void): () => void {
    return this.#bus.onGap(listener)
  }

  close(): Promise<void> {
    return this.#bus.close()
  }
}
