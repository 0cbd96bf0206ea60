import { connect, errors, type Msg, type NatsConnection, type Subscription } from '@nats-io/transport-node'
import { answered, answerOf, NoAnswerError, NobodyThereError, type Answer, type Bus } from './bus.ts'

const RECONNECT_MS = 250

export interface NatsPlace {
  /** `nats://` or `tls://` addresses. */
  readonly servers: readonly string[]
  readonly user?: string
  readonly password?: string
}

/** Digger's bus on NATS core: no stream, no store, no state on the server. */
export class NatsBus implements Bus {
  readonly #connection: NatsConnection
  readonly #gaps = new Set<() => void>()
  #connected = true

  private constructor(connection: NatsConnection) {
    this.#connection = connection
    void this.#follow()
  }

  /** Comes back by itself when the line is cut, however long that takes. */
  static async open({ servers, user, password }: NatsPlace, name: string): Promise<NatsBus> {
    const connection = await connect({
      servers: [...servers],
      name,
      reconnect: true,
      maxReconnectAttempts: -1,
      reconnectTimeWait: RECONNECT_MS,
      waitOnFirstConnect: true,
      pingInterval: 2_000,
      maxPingOut: 2,
      ...(user !== undefined && { user }),
      ...(password !== undefined && { pass: password }),
    })
    return new NatsBus(connection)
  }

  async #follow(): Promise<void> {
    for await (const { type } of this.#connection.status()) {
      if (type === 'disconnect') this.#connected = false
      if (type !== 'reconnect') continue
      this.#connected = true
      for (const listener of this.#gaps) listener()
    }
  }

  get connected(): boolean {
    return this.#connected && !this.#connection.isClosed()
  }

  async request(subject: string, data: Uint8Array, timeoutMs: number): Promise<Uint8Array> {
    // It would be kept and sent when the line is back, long after whoever asked has gone.
    if (!this.connected) throw new NobodyThereError(subject)
    let bytes: Uint8Array
    try {
      bytes = (await this.#connection.request(subject, data, { timeout: timeoutMs })).data
    } catch (error) {
      throw isNobody(error) ? new NobodyThereError(subject) : new NoAnswerError(subject)
    }
    return answerOf(bytes)
  }

  answer(subject: string, answer: Answer): () => void {
    const subscription = this.#connection.subscribe(subject, {
      callback: (error, message) => {
        if (error === null) void respond(message, answer)
      },
    })
    return () => end(subscription)
  }

  publish(subject: string, data: Uint8Array): void {
    if (this.connected) this.#connection.publish(subject, data)
  }

  subscribe(subject: string, received: (data: Uint8Array, subject: string) => void): () => void {
    const subscription = this.#connection.subscribe(subject, {
      callback: (error, message) => {
        if (error === null) received(message.data, message.subject)
      },
    })
    return () => end(subscription)
  }

  onGap(listener: () => void): () => void {
    this.#gaps.add(listener)
    return () => void this.#gaps.delete(listener)
  }

  async close(): Promise<void> {
    if (!this.#connection.isClosed()) await this.#connection.close()
  }
}

async function respond(message: Msg, answer: Answer): Promise<void> {
  message.respond(await answered(answer, message.data))
}

function end(subscription: Subscription): void {
  if (!subscription.isClosed()) subscription.unsubscribe()
}

const isNobody = (error: unknown): boolean =>
  error instanceof errors.NoRespondersError || (error instanceof errors.RequestError && error.isNoResponders())
