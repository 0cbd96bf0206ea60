import type { AccountEvent } from '@digger/core'

/** Events of one account in the order they are taken. One waiting event per stock stands for any number of its prices. */
export class EventQueue {
  #events: AccountEvent[] = []
  readonly #prices = new Set<string>()
  #timer = false

  get length(): number {
    return this.#events.length
  }

  /** A price or a timer that waits already is not added again: however late it is taken, it is true then. */
  push(event: AccountEvent): void {
    if (event.kind === 'price' && this.#prices.has(event.code)) return
    if (event.kind === 'timer' && this.#timer) return
    this.#note(event)
    this.#events.push(event)
  }

  putFirst(...events: readonly AccountEvent[]): void {
    for (const event of events) this.#note(event)
    this.#events.unshift(...events)
  }

  take(): AccountEvent | undefined {
    const event = this.#events.shift()
    if (event?.kind === 'price') this.#prices.delete(event.code)
    if (event?.kind === 'timer') this.#timer = false
    return event
  }

  /** Takes out what people asked. */
  dropCommands(): Extract<AccountEvent, { kind: 'command' }>[] {
    const commands = this.#events.filter((event) => event.kind === 'command')
    this.#events = this.#events.filter((event) => event.kind !== 'command')
    return commands
  }

  #note(event: AccountEvent): void {
    if (event.kind === 'price') this.#prices.add(event.code)
    if (event.kind === 'timer') this.#timer = true
  }
}
