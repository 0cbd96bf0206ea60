import { type NotificationKind, NOTIFICATION_LABELS } from '@digger/contract'
import type { Clock, Db } from '@digger/database'
import { SealError } from '@digger/identity'
import type { Outgoing, Sent } from '../channels/channel.ts'
import { bundleText } from '../rules/bundle-text.ts'
import { type Address, openAddress } from './addresses.ts'
import { type Delivery, itemsOf, markFailed, markSent, switchOff, takeDeliveries } from './deliveries.ts'
import { tell } from './tell.ts'

/** So many channels are sent to at once. */
const AT_ONCE = 8

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
  readonly told: () => void
}

/** Sends what waits for the channels, each channel its own in order. */
export class Deliverer {
  readonly #parts: DelivererParts
  readonly #running = new Set<Promise<void>>()
  #stopped = false

  constructor(parts: DelivererParts) {
    this.#parts = parts
  }

  /** Begins what is due. Where others wait for room it is called again by itself. */
  async fill(): Promise<void> {
    const room = AT_ONCE - this.#running.size
    if (room <= 0 || this.#stopped) return
    const { db, wall, shards } = this.#parts
    for (const delivery of await takeDeliveries(db, shards(), { now: wall.now(), limit: room })) this.#begin(delivery)
  }

  /** Resolves when nothing is on its way. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running)
  }

  /** Begins nothing more. Resolves when what is on its way has come to an end. */
  async stop(): Promise<void> {
    this.#stopped = true
    await this.idle()
  }

  #begin(delivery: Delivery): void {
    const { problem } = this.#parts
    const running = this.#deliver(delivery)
      // What came of it could not be written: it is tried again under the same id.
      .catch((error: unknown) => problem(delivery.userId, error))
      .then(() => void this.#running.delete(running))
      .then(() => this.fill())
      .catch((error: unknown) => problem(null, error))
    this.#running.add(running)
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
    const { db, key, send, pageOf } = this.#parts
    const { bundleId, userId, at, silent, channel } = delivery
    const text = bundleText(await itemsOf(db, bundleId), channel.amounts)
    try {
      const address = openAddress(key, userId, channel.kind, channel.sealed)
      return await send(address, { id: bundleId, ...text, silent, url: pageOf(userId), at })
    } catch (error) {
      if (error instanceof SealError) return { kind: 'dead', why: OTHER_KEY }
      throw error
    }
  }

  /** Its person is told elsewhere, and on the page. */
  async #switchOff({ userId, channel }: Delivery, why: string, now: number): Promise<void> {
    const { db, told } = this.#parts
    if (!(await switchOff(db, channel.id, why))) return
    const kind: NotificationKind = 'channelOff'
    const text = `${NOTIFICATION_LABELS[kind]}: ${channel.label}. ${why}`
    await tell(db, [{ userId, subject: `channel ${channel.id} off ${now}`, kind, at: now, text }])
    told()
  }
}

const OTHER_KEY = '서버의 알림 키가 바뀌어 주소를 열 수 없습니다. 지우고 다시 더해 주세요.'
