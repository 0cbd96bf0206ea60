import { Dice } from './dice.ts'

/** How a process came to its end. */
export interface ProcessEnd {
  readonly how: 'killed' | 'died' | 'left'
  readonly why: string
}

/** A connection of a process, as its kernel knows it. */
export interface ProcessSocket {
  readonly remotePort: number
  /** The other side of it. */
  readonly peer: { readonly process: Process; destroy(): unknown } | null
  /** Its process is gone. */
  leftBehind(): void
  /** The run is over. */
  forget(): void
}

/** A program with a clock, a number and connections of its own. Its code is the product's; only what it asks of Node is ours. */
export class Process {
  readonly name: string
  readonly pid: number
  readonly chance: Dice
  /** When it was started, ms since the start of the run. */
  readonly startedAt: number
  readonly sockets = new Set<ProcessSocket>()
  /** Ports it listens at. */
  readonly ports = new Set<number>()
  /** How many have stopped it: it runs again when each has let it. */
  stops = 0
  /** Since when it stands still, ms since the start of the run; null while it runs. */
  pausedSince: number | null = null
  /** Since when the machine under it sleeps; null while it does not. */
  asleepSince: number | null = null
  /** By how much the machine's wall clock differs from the true time, ms. */
  wallOffset = 0
  /** How long the machine under it has slept: an even clock does not count that, the boot clock does. */
  sleptMs = 0
  /** How often the kernel under it sends again what is not acknowledged (`tcp_retries2`; Linux' own number). */
  tcpTries = 15
  end: ProcessEnd | null = null
  /** Called once at its end, whatever the reason. */
  onEnd: (end: ProcessEnd) => void = () => undefined

  constructor(name: string, pid: number, seed: number, startedAt: number) {
    this.name = name
    this.pid = pid
    this.startedAt = startedAt
    this.chance = new Dice(seed, `process ${name} ${pid}`)
  }

  get alive(): boolean {
    return this.end === null
  }

  /** Ms of its even clock: since its start, without the time its machine slept. */
  evenNow(now: number): number {
    return (this.asleepSince ?? now) - this.startedAt - this.sleptMs
  }
}
