import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'

/** PKCS #8 of an Ed25519 key before its 32 bytes (RFC 8410). */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex')

/** Signs the public keys of workers. Whoever has the public half can check it, and make none. */
export class WorkerSigner {
  readonly #key: KeyObject
  /** 43 characters: WORKER_PUBLIC_KEY of gateways. */
  readonly publicKey: string

  /** `seed`: 32 bytes. */
  constructor(seed: Buffer) {
    this.#key = createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, seed]), format: 'der', type: 'pkcs8' })
    this.publicKey = createPublicKey(this.#key).export({ format: 'jwk' }).x ?? ''
  }

  sign(worker: string, publicKey: Buffer): Buffer {
    return sign(null, signed(worker, publicKey), this.#key)
  }
}

/** The public half, at a gateway. */
export class WorkerVerifier {
  readonly #key: KeyObject

  /** As `WorkerSigner.publicKey` has it. */
  constructor(publicKey: string) {
    this.#key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: publicKey }, format: 'jwk' })
  }

  isSigned(worker: string, publicKey: Buffer, signature: Buffer | null): boolean {
    return signature !== null && verify(null, signed(worker, publicKey), this.#key, signature)
  }
}

const signed = (worker: string, publicKey: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`digger worker key\n${worker}\n`), publicKey])
