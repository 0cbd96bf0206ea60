import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { readSecretFile } from '@digger/database'

const KEY_BYTES = 32

/**
 * What all workers and gateways of one cluster have, and neither the database nor the bus: CLUSTER_SECRET_FILE. It shows that a
 * message or a public key comes from one of them. A password or a user's key is sealed for one worker beside it.
 */
export class ClusterSecret {
  readonly #secret: Buffer
  readonly #proofKey: Buffer
  /** Seals the shares of users' keys beside the key pairs of the workers. */
  readonly memberKey: Buffer

  /** 32 random bytes. */
  constructor(secret: Buffer) {
    this.#secret = secret
    this.#proofKey = this.#derived('worker key')
    this.memberKey = this.#derived('key share')
  }

  /** Throws OperatorError, as the file of a master key does. */
  static read(path: string): ClusterSecret {
    return new ClusterSecret(readSecretFile('CLUSTER_SECRET_FILE', path))
  }

  /** That a process of this cluster made this public key, and is this worker. */
  prove(worker: string, publicKey: Buffer): Buffer {
    return createHmac('sha256', this.#proofKey).update(`${worker}\n`).update(publicKey).digest()
  }

  isProven(worker: string, publicKey: Buffer, proof: Buffer): boolean {
    const right = this.prove(worker, publicKey)
    return proof.length === right.length && timingSafeEqual(proof, right)
  }

  /** The key of one sender's messages: each counts its own, so that no nonce comes twice. */
  busKey(sender: Buffer): Buffer {
    return this.#derived('bus', sender)
  }

  #derived(what: string, salt: Buffer = Buffer.alloc(0)): Buffer {
    return Buffer.from(hkdfSync('sha256', this.#secret, salt, `digger cluster ${what}`, KEY_BYTES))
  }
}
