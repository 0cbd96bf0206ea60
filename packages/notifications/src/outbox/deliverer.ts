import { type NotificationKind, NOTIFICATION_LABELS } from '@digger/contract'
import type { Clock, Db } from '@digger/database'
import { SealError } from '@digger/identity'
import { again, dead, type Outgoing, type Sent } from '../channels/channel.ts'
import { bundleText, withTime } from '../rules/bundle-text.ts'
import { type Address, openAddress } from './addresses.ts'
import { type Delivery, itemsOf, markFailed, markSent, switchOff, takeDeliveries } from './deliveries.ts'
import { notify } from './notify.ts'

/** So many channels of each kind are sent to at once. */
const MAX_CONCURRENCY = 8

export interface DelivererParts {
  readonly db: Db
  readonly wall: Clock
  readonly key: Buffer
  readonly shards: () => readonly number[]
  /** Never rejects for what the other side does. */
  readonly send: (address: Address, outgoing: Outgoing) => Promise<Sent>
  /** Page of Digger that a message opens. */
  readonly pageOf: (userId: string) => string | null
  readonly problem: (userId: string | null, error: unknown) => void
  /** Somebody has something new to be told. */
  readonly wake: () => void
}

/** Sends what waits for the channels, each channel its own in order. */
export class Deliverer {
  readonly #parts: DelivererParts
  /** By channel: a send may take longer than its row says, where the machine's clock jumps. */
  readonly #running = new Map<number, Promise<void>>()
  #filling: Promise<void> | null = null
  #again = false
  #stopped = false

  constructor(parts: DelivererParts) {
    this.#parts = parts
  }

  /** Begins what is due. Where others wait for room it is called again by itself. One look at a time, or there would be more than room. */
  fill(): Promise<void> {
    this.#again = true
    this.#filling ??= this.#fill()
    return this.#filling
  }

  /** Resolves when nothing is on its way. */
  async idle(): Promise<void> {
    while (this.#filling !== null || this.#running.size > 0) {
      // What is being taken is on its way, too. Its failure is for whoever began it.
      await this.#filling?.catch(() => undefined)
      await Promise.all(this.#running.values())
    }
  }

  /** Begins nothing more. Resolves when what is on its way has come to an end. */
  async stop(): Promise<void> {
    this.#stopped = true
    await this.idle()
  }

  async #fill(): Promise<void> {
    const { db, wall, shards } = this.#parts
    // Whoever called it has to hold its promise before it is over.
    await Promise.resolve()
    try {
      while (this.#again && !this.#stopped) {
        this.#again = false
        const taking = { now: wall.now(), limit: MAX_CONCURRENCY, busy: [...this.#running.keys()] }
        for (const one of await takeDeliveries(db, shards(), taking)) this.#begin(one)
      }
    } finally {
      this.#filling = null
    }
  }

  #begin(delivery: Delivery): void {
    const { problem } = this.#parts
    const { id } = delivery.channel
    const running = this.#deliver(delivery)
      // What came of it could not be written: it is tried again under the same id.
      .catch((error: unknown) => problem(delivery.userId, error))
      .finally(() => {
        this.#running.delete(id)
        this.fill().catch((error: unknown) => problem(null, error))
      })
    this.#running.set(id, running)
  }

  async #deliver(delivery: Delivery): Promise<void> {
    const { db, wall } = this.#parts
    const sent = await this.#send(delivery)
    const now = wall.now()
    if (sent.kind === 'sent') return markSent(db, delivery, now)
    if (sent.kind === 'dead') return this.#switchOff(delivery, sent.why, now)
    const isDead = await markFailed(db, delivery, { now, why: sent.why, afterMs: sent.afterMs })
    if (isDead) await this.#switchOff(delivery, `하루 넘게 보내지 못했습니다. ${sent.why}`, now)
  }

  async #send(delivery: Delivery): Promise<Sent> {
    const { db, wall, key, send, pageOf } = this.#parts
    const { bundleId, userId, at, silent, channel } = delivery
    const text = withTime(bundleText(await itemsOf(db, bundleId), channel.amounts), at, wall.now())
    try {
      const address = openAddress(key, userId, channel.kind, channel.sealed)
      return await send(address, { id: bundleId, ...text, silent, url: pageOf(userId), at })
    } catch (error) {
      if (error instanceof SealError) return dead(OTHER_KEY)
      // A fault of ours: without an end it would be tried every minute, and stand before all that comes after it.
      this.#parts.problem(userId, error)
      return again(FAILED)
    }
  }

  /** Its person is told elsewhere, and on the page. */
  async #switchOff({ userId, channel }: Delivery, why: string, now: number): Promise<void> {
    const { db, wake } = this.#parts
    if (!(await switchOff(db, channel.id, why))) return
    const kind: NotificationKind = 'channelOff'
    const text = `${NOTIFICATION_LABELS[kind]}: ${channel.label}. ${why}`
    await notify(db, [{ userId, subject: `channel ${channel.id} off ${now}`, kind, at: now, text }])
    wake()
  }
}

const FAILED = '보내는 가운데 서버에 문제가 있었습니다. 잠시 뒤 다시 보냅니다.'
const OTHER_KEY = '서버의 알림 키가 바뀌어 주소를 열 수 없습니다. 지우고 다시 더해 주세요.'
