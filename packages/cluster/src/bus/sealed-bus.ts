import type { ClusterSecret } from '../cluster-secret.ts'
import { type Answer, answered, AnswerFailedError, answerOf, type Bus, NoAnswerError } from './bus.ts'
import { MAX_AGE_MS, SeenNews, SeenRequests } from './replay.ts'
import { BusSealError, type Head, type Kind, MessageSeal } from './seal.ts'

export interface SealedBusOptions {
  /** A message that was dropped, and why: for the log. */
  readonly dropped: (subject: string, why: string) => void
  /** Epoch ms, whole, by a clock that all processes have. */
  readonly now?: () => number
}

const TOO_OLD = `was sent more than ${MAX_AGE_MS / 1_000} s from now by the clock here: check NTP on both machines`
const TOO_LATE = 'came when whoever asked waited no longer'
const REPEATED = 'came before'

/**
 * A bus on which whoever can read it learns nothing but subjects, lengths and times, and whoever can write to it makes nobody do
 * anything: what does not open, is old, comes again, or comes when nobody waits for it any more is dropped, as if it had been lost on
 * its way.
 */
export class SealedBus implements Bus {
  readonly #bus: Bus
  readonly #seal: MessageSeal
  readonly #requests = new SeenRequests()
  readonly #dropped: SealedBusOptions['dropped']
  readonly #now: () => number

  constructor(bus: Bus, secret: ClusterSecret, { dropped, now = Date.now }: SealedBusOptions) {
    this.#bus = bus
    this.#seal = new MessageSeal(secret)
    this.#dropped = dropped
    this.#now = now
  }

  get connected(): boolean {
    return this.#bus.connected
  }

  async request(subject: string, data: Uint8Array, timeoutMs: number): Promise<Uint8Array> {
    const { head, message } = this.#seal.seal('request', subject, data, this.#lasting(timeoutMs))
    const answer = await this.#bus.request(subject, message, timeoutMs).catch((error: unknown) => {
      // A failure comes sealed, as every answer does.
      if (error instanceof AnswerFailedError) throw this.#noAnswer(subject, 'an answer is not sealed')
      throw error
    })
    const opened = this.#open('answer', subject, answer, head)
    if (opened === null) throw new NoAnswerError(subject)
    return answerOf(opened.data)
  }

  answer(subject: string, answer: Answer): () => void {
    return this.#bus.answer(subject, async (message) => {
      const request = this.#open('request', subject, message)
      if (request === null || !this.#isNew(subject, request.head, this.#requests)) return await nothing()
      const data = await answered(answer, request.data)
      return this.#seal.seal('answer', subject, data, { ...this.#lasting(MAX_AGE_MS), about: request.head }).message
    })
  }

  publish(subject: string, data: Uint8Array): void {
    this.#bus.publish(subject, this.#seal.seal('news', subject, data, this.#lasting(MAX_AGE_MS)).message)
  }

  subscribe(subject: string, received: (data: Uint8Array, subject: string) => void): () => void {
    const seen = new SeenNews()
    return this.#bus.subscribe(subject, (message, exact) => {
      const news = this.#open('news', exact, message)
      if (news !== null && this.#isNew(exact, news.head, seen)) received(news.data, exact)
    })
  }

  onGap(listener: () => void): () => void {
    return this.#bus.onGap(listener)
  }

  close(): Promise<void> {
    return this.#bus.close()
  }

  #open(kind: Kind, subject: string, message: Uint8Array, about?: Head) {
    try {
      return this.#seal.open(kind, subject, message, about)
    } catch (error) {
      if (!(error instanceof BusSealError)) throw error
      this.#dropped(subject, error.message)
      return null
    }
  }

  #isNew(subject: string, head: Head, seen: SeenRequests | SeenNews): boolean {
    const why = this.#whyNot(head, seen)
    if (why !== null) this.#dropped(subject, why)
    return why === null
  }

  #whyNot(head: Head, seen: SeenRequests | SeenNews): string | null {
    const now = this.#now()
    if (Math.abs(now - head.sentAt) > MAX_AGE_MS) return TOO_OLD
    if (now > head.until) return TOO_LATE
    return seen.take(head) ? null : REPEATED
  }

  #lasting(ms: number): { readonly now: number; readonly until: number } {
    const now = this.#now()
    return { now, until: Math.ceil(now + ms) }
  }

  #noAnswer(subject: string, why: string): NoAnswerError {
    this.#dropped(subject, why)
    return new NoAnswerError(subject)
  }
}

/** An answer would tell whoever sent it something. */
const nothing = (): Promise<never> => new Promise(() => undefined)
