import type { AccountEvent } from './step-types.ts'

/** Events of one account in the order they are taken. One waiting event per stock stands for any number of its prices. */
export class EventQueue {
  #events: AccountEvent[] = []
  /** How many wait of what is not added twice; an event that was put back may come on top of one that waits. */
  readonly #waiting = new Map<string, number>()

  get length(): number {
    return this.#events.length
  }

  /** A price or a timer that waits already is not added again: however late it is taken, it is true then. */
  push(event: AccountEvent): void {
    const key = keyOf(event)
    if (key !== null && this.#waiting.has(key)) return
    this.#count(event, 1)
    this.#events.push(event)
  }

  putFirst(...events: readonly AccountEvent[]): void {
    for (const event of events) this.#count(event, 1)
    this.#events.unshift(...events)
  }

  take(): AccountEvent | undefined {
    const event = this.#events.shift()
    if (event !== undefined) this.#count(event, -1)
    return event
  }

  /** Takes out what people asked. */
  dropCommands(): Extract<AccountEvent, { kind: 'command' }>[] {
    const commands = this.#events.filter((event) => event.kind === 'command')
    this.#events = this.#events.filter((event) => event.kind !== 'command')
    return commands
  }

  clear(): void {
    this.#events = []
    this.#waiting.clear()
  }

  #count(event: AccountEvent, by: 1 | -1): void {
    const key = keyOf(event)
    if (key === null) return
    const count = (this.#waiting.get(key) ?? 0) + by
    if (count === 0) this.#waiting.delete(key)
    else this.#waiting.set(key, count)
  }
}

/** By what an event is not added twice; null: every one counts. */
const keyOf = (event: AccountEvent): string | null => {
  if (event.kind === 'price') return event.code
  return event.kind === 'timer' ? 'timer' : null
}
