import { Refused } from '@digger/contract'

/** Each hash takes 64 MiB; a burst of log-ins must queue, not exhaust the machine. */
const CONCURRENCY = 2
/** Places behind those: about a second and a half of strangers, and more people than log in at one time. */
const MAX_WAITING = { known: 100, strange: 16 } as const

/** `known`: somebody who has proven something already (a device, a session, a password). They go first. */
export type Lane = keyof typeof MAX_WAITING

interface Waiting {
  readonly from: string
  /** How many of the same asker waited already: everybody's first place comes before anybody's second. */
  readonly round: number
  readonly go: () => void
  readonly refuse: (error: Refused) => void
}

/** Runs slow hashes, a few at a time. Bounded: who finds no place is refused immediately instead of waiting for minutes. */
export class HashQueue {
  #running = 0
  readonly #waiting: Readonly<Record<Lane, Waiting[]>> = { known: [], strange: [] }

  /** Throws BUSY where there is no place. */
  async run<T>(lane: Lane, from: string, work: () => Promise<T>): Promise<T> {
    if (this.#running >= CONCURRENCY) await this.#wait(this.#waiting[lane], MAX_WAITING[lane], from)
    else this.#running++
    try {
      return await work()
    } finally {
      const next = this.#waiting.known.shift() ?? this.#waiting.strange.shift()
      if (next) next.go()
      else this.#running--
    }
  }

  #wait(waiting: Waiting[], max: number, from: string): Promise<void> {
    const round = waiting.filter((one) => one.from === from).length
    if (waiting.length >= max) {
      // Whoever has most places gives up the last of them; one who would have as many is refused.
      const last = waiting.at(-1)
      if (!last || last.round <= round) throw busy()
      waiting.pop()
      last.refuse(busy())
    }
    return new Promise((go, refuse) => {
      const at = waiting.findIndex((one) => one.round > round)
      waiting.splice(at < 0 ? waiting.length : at, 0, { from, round, go, refuse })
    })
  }
}

const busy = (): Refused => new Refused('BUSY', '지금 로그인이 몰려 있습니다. 몇 초 뒤에 다시 해 주세요.')
