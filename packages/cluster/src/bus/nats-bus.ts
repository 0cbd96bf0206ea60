import { setTimeout as delay } from 'node:timers/promises'
import { connect, errors, type Msg, type NatsConnection, type Subscription } from '@nats-io/transport-node'
import { answered, answerOf, NoAnswerError, NobodyThereError, type Answer, type Bus } from './bus.ts'
import type { NatsPlace } from './nats-place.ts'

const RECONNECT_MS = 250
const CONNECT_TIMEOUT_MS = 3_000
/** A server that is away is reported once, and again while it stays away, ms. */
const REPORT_INTERVAL_MS = 60_000

interface Listener {
  readonly subject: string
  readonly received: (message: Msg) => void
  subscription: Subscription | null
}

/** Digger's bus on NATS core: no stream, no store, no state on the server. */
export class NatsBus implements Bus {
  readonly #place: NatsPlace
  readonly #name: string
  readonly #problem: (error: unknown) => void
  readonly #gaps = new Set<() => void>()
  readonly #listeners = new Set<Listener>()
  readonly #first = Promise.withResolvers<void>()
  #connection: NatsConnection | null = null
  #connected = false
  #ended = false
  #reportedAt = Number.NEGATIVE_INFINITY

  /** May be used at once, whether or not the server can be reached: it comes when it comes, and comes back whenever it was cut. */
  constructor(place: NatsPlace, name: string, problem: (error: unknown) => void = () => undefined) {
    this.#place = place
    this.#name = name
    this.#problem = problem
    void this.#run()
  }

  /** Resolves when it is connected for the first time, however long that takes. */
  static async open(place: NatsPlace, name: string): Promise<NatsBus> {
    const bus = new NatsBus(place, name)
    await bus.#first.promise
    return bus
  }

  async #run(): Promise<void> {
    while (!this.#ended) {
      try {
        await this.#stay(await this.#connect())
      } catch (error) {
        this.#report(error)
      }
      this.#connection = null
      this.#connected = false
      if (!this.#ended) await delay(RECONNECT_MS, undefined, { ref: false })
    }
  }

  #connect(): Promise<NatsConnection> {
    const { servers, user, password, tls } = this.#place
    return connect({
      servers: [...servers],
      name: this.#name,
      timeout: CONNECT_TIMEOUT_MS,
      reconnect: true,
      maxReconnectAttempts: -1,
      reconnectTimeWait: RECONNECT_MS,
      pingInterval: 2_000,
      maxPingOut: 2,
      // Whoever asked knows where; a stack for each question that is answered costs more than the question.
      noAsyncTraces: true,
      ...(user !== undefined && { user }),
      ...(password !== undefined && { pass: password }),
      ...(tls !== undefined && { tls }),
    })
  }

  /** Until the connection is closed for good, as when the server no longer takes the password. */
  async #stay(connection: NatsConnection): Promise<void> {
    if (this.#ended) return connection.close()
    this.#connection = connection
    for (const listener of this.#listeners) this.#subscribe(connection, listener)
    this.#isBack()
    this.#first.resolve()
    for await (const { type } of connection.status()) {
      if (type === 'disconnect') {
        this.#connected = false
        this.#report(new Error('the line to the NATS server was cut'))
      }
      if (type === 'reconnect') this.#isBack()
    }
    const error = await connection.closed()
    if (error instanceof Error) throw error
  }

  #isBack(): void {
    this.#connected = true
    this.#reportedAt = Number.NEGATIVE_INFINITY
    for (const listener of this.#gaps) listener()
  }

  #report(error: unknown): void {
    if (this.#ended || performance.now() - this.#reportedAt < REPORT_INTERVAL_MS) return
    this.#reportedAt = performance.now()
    this.#problem(error)
  }

  get connected(): boolean {
    return this.#connected && this.#connection?.isClosed() === false
  }

  async request(subject: string, data: Uint8Array, timeoutMs: number): Promise<Uint8Array> {
    // It would be kept and sent when the line is back, long after whoever asked has gone.
    if (!this.connected || this.#connection === null) throw new NobodyThereError(subject)
    let bytes: Uint8Array
    try {
      bytes = (await this.#connection.request(subject, data, { timeout: timeoutMs })).data
    } catch (error) {
      throw isNobody(error) ? new NobodyThereError(subject) : new NoAnswerError(subject)
    }
    return answerOf(bytes)
  }

  answer(subject: string, answer: Answer): () => void {
    return this.#listen(subject, (message) => void respond(message, answer))
  }

  publish(subject: string, data: Uint8Array): void {
    if (this.connected) this.#connection?.publish(subject, data)
  }

  subscribe(subject: string, received: (data: Uint8Array, subject: string) => void): () => void {
    return this.#listen(subject, (message) => received(message.data, message.subject))
  }

  #listen(subject: string, received: (message: Msg) => void): () => void {
    const listener: Listener = { subject, received, subscription: null }
    this.#listeners.add(listener)
    if (this.#connection !== null) this.#subscribe(this.#connection, listener)
    return () => {
      this.#listeners.delete(listener)
      if (listener.subscription?.isClosed() === false) listener.subscription.unsubscribe()
    }
  }

  #subscribe(connection: NatsConnection, listener: Listener): void {
    if (connection.isClosed()) return
    listener.subscription = connection.subscribe(listener.subject, {
      callback: (error, message) => {
        if (error === null) listener.received(message)
      },
    })
  }

  onGap(listener: () => void): () => void {
    this.#gaps.add(listener)
    return () => void this.#gaps.delete(listener)
  }

  async close(): Promise<void> {
    this.#ended = true
    if (this.#connection?.isClosed() === false) await this.#connection.close()
  }
}

async function respond(message: Msg, answer: Answer): Promise<void> {
  const bytes = await answered(answer, message.data)
  try {
    message.respond(bytes)
  } catch {
    // The bus was closed meanwhile: whoever asked gets no answer.
  }
}

const isNobody = (error: unknown): boolean =>
  error instanceof errors.NoRespondersError || (error instanceof errors.RequestError && error.isNoResponders())
