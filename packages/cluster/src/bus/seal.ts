import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import type { ClusterSecret } from '../cluster-secret.ts'

/** What a message is: one of a kind never opens as another. */
export type Kind = 'request' | 'answer' | 'news'

const FORM = 2
const SENDER_BYTES = 16
const NUMBER_BYTES = 8
const TIME_BYTES = 8
const SENT_AT = 1 + SENDER_BYTES + NUMBER_BYTES
const UNTIL = SENT_AT + TIME_BYTES
/** form ‖ sender ‖ number ‖ sent at ‖ until, in the clear and authenticated. */
const HEAD_BYTES = UNTIL + TIME_BYTES
const TAG_BYTES = 16
/** Keys of other senders that are remembered: each is two hashes to make, and bytes would be made a key anew for each message. */
const MAX_SENDERS = 1_000

/** A message that was not made by this cluster, for here, as this kind. */
export class BusSealError extends Error {
  override readonly name = 'BusSealError'
}

/** The head of a message: who sent it in this run of the process, the how-manieth it was, when, and until when it is to be begun, epoch ms. */
export interface Head {
  readonly bytes: Buffer
  readonly sender: string
  readonly number: number
  readonly sentAt: number
  readonly until: number
}

interface SealFor {
  readonly now: number
  readonly until: number
  /** What else the message belongs to: the head of the request that it answers. */
  readonly about?: Head
}

/** Seals and opens the messages of one process with AES-256-GCM. The nonce is the sender's own counter, the key the sender's own. */
export class MessageSeal {
  readonly #secret: ClusterSecret
  readonly #sender = randomBytes(SENDER_BYTES)
  readonly #keys = new Map<string, KeyObject>()
  #number = 0

  constructor(secret: ClusterSecret) {
    this.#secret = secret
  }

  seal(kind: Kind, subject: string, data: Uint8Array, { now, until, about }: SealFor) {
    const bytes = Buffer.alloc(HEAD_BYTES)
    bytes.writeUInt8(FORM)
    this.#sender.copy(bytes, 1)
    bytes.writeBigUInt64BE(BigInt((this.#number += 1)), 1 + SENDER_BYTES)
    bytes.writeBigUInt64BE(BigInt(now), SENT_AT)
    bytes.writeBigUInt64BE(BigInt(until), UNTIL)
    const head = headOf(bytes)
    const cipher = createCipheriv('aes-256-gcm', this.#keyOf(head), nonceOf(head)).setAAD(
      labelOf({ kind, subject, head, about }),
    )
    return { head, message: Buffer.concat([bytes, cipher.update(data), cipher.final(), cipher.getAuthTag()]) }
  }

  /** Throws BusSealError. */
  open(kind: Kind, subject: string, message: Uint8Array, about?: Head): { head: Head; data: Buffer } {
    const bytes = Buffer.from(message.buffer, message.byteOffset, message.byteLength)
    if (bytes.length < HEAD_BYTES + TAG_BYTES || bytes[0] !== FORM) throw new BusSealError('is not sealed')
    const head = headOf(bytes.subarray(0, HEAD_BYTES))
    const opener = createDecipheriv('aes-256-gcm', this.#keyOf(head), nonceOf(head), { authTagLength: TAG_BYTES })
    opener.setAAD(labelOf({ kind, subject, head, about })).setAuthTag(bytes.subarray(-TAG_BYTES))
    try {
      const data = Buffer.concat([opener.update(bytes.subarray(HEAD_BYTES, -TAG_BYTES)), opener.final()])
      return { head, data }
    } catch (error) {
      throw new BusSealError('does not open', { cause: error })
    }
  }

  #keyOf({ bytes, sender }: Head): KeyObject {
    const known = this.#keys.get(sender)
    if (known !== undefined) return known
    const key = createSecretKey(this.#secret.busKey(bytes.subarray(1, 1 + SENDER_BYTES)))
    if (this.#keys.size >= MAX_SENDERS) this.#keys.clear()
    this.#keys.set(sender, key)
    return key
  }
}

function headOf(bytes: Buffer): Head {
  return {
    bytes,
    sender: bytes.toString('latin1', 1, 1 + SENDER_BYTES),
    number: Number(bytes.readBigUInt64BE(1 + SENDER_BYTES)),
    sentAt: Number(bytes.readBigUInt64BE(SENT_AT)),
    until: Number(bytes.readBigUInt64BE(UNTIL)),
  }
}

const nonceOf = ({ bytes }: Head): Buffer =>
  Buffer.concat([Buffer.alloc(4), bytes.subarray(1 + SENDER_BYTES, 1 + SENDER_BYTES + NUMBER_BYTES)])

/** No subject has a line break. */
const labelOf = (of: { kind: Kind; subject: string; head: Head; about: Head | undefined }): Buffer =>
  Buffer.concat([Buffer.from(`${of.kind}\n${of.subject}\n`), of.head.bytes, of.about?.bytes ?? Buffer.alloc(0)])
