import { ENDPOINTS } from '@digger/kis'
import type { Pace, PacedCall } from './broker/options.ts'

interface Waiting {
  readonly call: PacedCall
  readonly enter: () => void
}

/** Orders first, the lists they show in last: a list read at this instant tells of every order of this instant. */
const FIRST: ReadonlySet<string> = new Set([ENDPOINTS.orderBuy.path, ENDPOINTS.orderRevise.path])
const LAST: ReadonlySet<string> = new Set([ENDPOINTS.executions.path, ENDPOINTS.balance.path])

/**
 * Lets customers' calls in one by one, in an order that follows from what they are and not from when they happened to
 * come: two connections of one machine keep no order between them.
 */
export class OneByOne implements Pace {
  #begun = false
  readonly #onEnter: (call: PacedCall) => void
  readonly #waiting: Waiting[] = []
  readonly #replied: (() => void)[] = []

  /** `onEnter` runs as a call is let in, before it is carried out. */
  constructor(onEnter: (call: PacedCall) => void = () => undefined) {
    this.#onEnter = onEnter
  }

  /** From now on every call waits until it is let in. */
  begin(): void {
    this.#begun = true
  }

  /** Nobody lets anything in any more: what waits, and what still comes (the close of a day, the end of the server), goes as it likes. */
  end(): void {
    this.#begun = false
    while (this.next());
  }

  /** Calls that stand before the broker. */
  get held(): number {
    return this.#waiting.length
  }

  enter(call: PacedCall): Promise<void> {
    if (!this.#begun) return Promise.resolve()
    return new Promise((resolve) => {
      const enter = (): void => {
        this.#onEnter(call)
        resolve()
      }
      this.#waiting.push({ call, enter })
    })
  }

  replied(): Promise<void> {
    if (!this.#begun) return Promise.resolve()
    return new Promise((follow) => this.#replied.push(follow))
  }

  /** Lets the notices of the last call follow it, else the next call in. False when nothing waits. */
  next(): boolean {
    const one = this.#replied.shift() ?? this.#waiting.sort(byKind).shift()?.enter
    one?.()
    return one !== undefined
  }
}

const rank = ({ path }: PacedCall): number => (FIRST.has(path) ? 0 : LAST.has(path) ? 2 : 1)

function byKind({ call: a }: Waiting, { call: b }: Waiting): number {
  const [one, other] = [a, b].map(({ appKey, path, text }) => `${appKey} ${path} ${text}`)
  return rank(a) - rank(b) || (one === other ? 0 : String(one) < String(other) ? -1 : 1)
}
