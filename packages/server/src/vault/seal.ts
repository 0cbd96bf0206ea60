import {
  createCipheriv,
  createDecipheriv,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  randomBytes,
} from 'node:crypto'

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16
const KEY_BYTES = 32

/** The wrong key, or the sealed bytes belong elsewhere or were changed. Says nothing about the content. */
export class SealError extends Error {
  override readonly name = 'SealError'
}

export const newKey = (): Buffer => randomBytes(KEY_BYTES)

/** nonce ‖ tag ‖ ciphertext. `owner` is authenticated: bytes copied to another row do not open there. */
export function seal(key: Buffer, secret: Buffer, owner: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(owner))
  const body = Buffer.concat([cipher.update(secret), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), body])
}

export function unseal(key: Buffer, sealed: Buffer, owner: string): Buffer {
  try {
    const nonce = sealed.subarray(0, NONCE_BYTES)
    const tag = sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES)
    const opener = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
    opener.setAAD(Buffer.from(owner)).setAuthTag(tag)
    return Buffer.concat([opener.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), opener.final()])
  } catch (error) {
    throw new SealError('could not be opened', { cause: error })
  }
}

export interface KeyPair {
  /** DER (SPKI) and DER (PKCS 8). */
  readonly publicKey: Buffer
  readonly privateKey: Buffer
}

export function newKeyPair(): KeyPair {
  return generateKeyPairSync('x25519', {
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'der' },
  })
}

/** Seals for the holder of a private key who is not here: a one-time X25519 pair, HKDF, then `seal`. */
export function sealFor(publicKey: Buffer, secret: Buffer, owner: string): Buffer {
  const once = newKeyPair()
  const length = Buffer.alloc(2)
  length.writeUInt16BE(once.publicKey.length)
  return Buffer.concat([
    length,
    once.publicKey,
    seal(agreed(once.privateKey, publicKey, once.publicKey), secret, owner),
  ])
}

export function unsealWith(privateKey: Buffer, sealed: Buffer, owner: string): Buffer {
  const length = sealed.readUInt16BE(0)
  const once = sealed.subarray(2, 2 + length)
  return unseal(agreed(privateKey, once, once), sealed.subarray(2 + length), owner)
}

function agreed(privateKey: Buffer, publicKey: Buffer, salt: Buffer): Buffer {
  const shared = diffieHellman({
    privateKey: createPrivateKey({ key: privateKey, format: 'der', type: 'pkcs8' }),
    publicKey: createPublicKey({ key: publicKey, format: 'der', type: 'spki' }),
  })
  return Buffer.from(hkdfSync('sha256', shared, salt, 'digger vault share', KEY_BYTES))
}
