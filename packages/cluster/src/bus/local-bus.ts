import { answered, answerOf, NoAnswerError, NobodyThereError, type Answer, type Bus } from './bus.ts'

type Received = (data: Uint8Array, subject: string) => void

/** What several buses of one process share. The test may cut it, or lose what goes over it. */
export class LocalWire {
  readonly answers = new Map<string, Answer>()
  readonly received = new Set<readonly [subject: string, received: Received]>()
  isCut = false
  /** Whether a message is lost on its way. */
  loses: (subject: string) => boolean = () => false
  /** When a message that is held back on its way comes; null: at once. */
  holds: (subject: string) => Promise<void> | null = () => null
}

/** The bus without a server, for tests and for the simulation. */
export class LocalBus implements Bus {
  readonly #wire: LocalWire
  readonly #ends: (() => void)[] = []
  readonly #gaps = new Set<() => void>()

  constructor(wire: LocalWire) {
    this.#wire = wire
  }

  get connected(): boolean {
    return !this.#wire.isCut
  }

  async request(subject: string, data: Uint8Array, timeoutMs: number): Promise<Uint8Array> {
    const answer = this.#wire.answers.get(subject)
    if (!this.connected || answer === undefined) throw new NobodyThereError(subject)
    const late = new Promise<never>((_resolve, reject) => {
      setTimeout(() => reject(new NoAnswerError(subject)), timeoutMs).unref()
    })
    if (this.#wire.loses(subject)) return late
    const held = this.#wire.holds(subject)
    const answers = held === null ? answered(answer, data) : held.then(() => answered(answer, data))
    const bytes = await Promise.race([answers, late])
    if (this.#wire.isCut || this.#wire.loses(`${subject} answer`)) return late
    return answerOf(bytes)
  }

  answer(subject: string, answer: Answer): () => void {
    this.#wire.answers.set(subject, answer)
    return this.#remember(() => void (this.#wire.answers.get(subject) === answer && this.#wire.answers.delete(subject)))
  }

  publish(subject: string, data: Uint8Array): void {
    if (this.#wire.isCut || this.#wire.loses(subject)) return
    for (const [wanted, received] of this.#wire.received)
      if (matches(wanted, subject)) queueMicrotask(() => received(data, subject))
  }

  subscribe(subject: string, received: Received): () => void {
    const entry = [subject, received] as const
    this.#wire.received.add(entry)
    return this.#remember(() => void this.#wire.received.delete(entry))
  }

  onGap(listener: () => void): () => void {
    this.#gaps.add(listener)
    return () => void this.#gaps.delete(listener)
  }

  /** The line was cut and is back. */
  comesBack(): void {
    for (const listener of this.#gaps) listener()
  }

  async close(): Promise<void> {
    for (const end of this.#ends) end()
  }

  #remember(end: () => void): () => void {
    this.#ends.push(end)
    return end
  }
}

function matches(wanted: string, subject: string): boolean {
  const [ours, theirs] = [wanted.split('.'), subject.split('.')]
  return ours.length === theirs.length && ours.every((part, at) => part === '*' || part === theirs[at])
}
