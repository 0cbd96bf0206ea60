import { Refused } from '../accounts/port.ts'

/** Each takes its memory (64 MiB); a burst of log-ins must queue, not exhaust the machine. */
const AT_ONCE = 2
/** Waiting behind those: about a second and a half of strangers, and more people than log in at one time. */
const LONGEST = { known: 100, strange: 16 } as const

/** `known`: somebody who has proven something already (a device, a session, a password). They go first. */
export type Lane = keyof typeof LONGEST

interface Waiting {
  /** Who asks, so that nobody takes all places. */
  readonly from: string
  readonly go: () => void
  readonly refuse: (error: Refused) => void
}

/** Slow hashes, a few at once. Bounded: who finds no place hears so at once instead of waiting for minutes. */
export class HashQueue {
  #running = 0
  readonly #waiting: Readonly<Record<Lane, Waiting[]>> = { known: [], strange: [] }

  /** Throws BUSY where there is no place. */
  async run<T>(lane: Lane, from: string, work: () => Promise<T>): Promise<T> {
    if (this.#running >= AT_ONCE) await this.#wait(this.#waiting[lane], LONGEST[lane], from)
    else this.#running++
    try {
      return await work()
    } finally {
      const next = this.#waiting.known.shift() ?? this.#waiting.strange.shift()
      if (next) next.go()
      else this.#running--
    }
  }

  #wait(waiting: Waiting[], longest: number, from: string): Promise<void> {
    if (waiting.length >= longest) makeRoom(waiting, from)
    return new Promise((go, refuse) => void waiting.push({ from, go, refuse }))
  }
}

/** Whoever has most places in a full queue gives up the last of them; one who would have as many is refused. */
function makeRoom(waiting: Waiting[], from: string): void {
  const places = new Map<string, number>()
  for (const one of waiting) places.set(one.from, (places.get(one.from) ?? 0) + 1)
  const most = Math.max(...places.values())
  if ((places.get(from) ?? 0) + 1 >= most) throw busy()
  const at = waiting.findLastIndex((one) => places.get(one.from) === most)
  for (const one of waiting.splice(at, 1)) one.refuse(busy())
}

const busy = (): Refused => new Refused('BUSY', '지금 로그인이 몰려 있습니다. 몇 초 뒤에 다시 해 주세요.')
