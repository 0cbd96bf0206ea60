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

/** Rows written before keys had versions say 0; they are opened as they were made. */
export const BEFORE_VERSIONS = 0

/**
 * What sealed bytes are, whose, and by which version of the owner's key: authenticated with them, so that they open
 * nowhere else. An older ciphertext of the same owner, put back by somebody who can write the database, does not open.
 */
export function labelOf(what: string, owners: readonly string[], keyVersion: number): string {
  if (keyVersion === BEFORE_VERSIONS) return [what, ...owners].join(':')
  return ['digger 2', what, ...owners, keyVersion].join(':')
}

/** nonce ‖ tag ‖ ciphertext, with `label` authenticated. */
export function seal(key: Buffer, secret: Buffer, label: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(label))
  const body = Buffer.concat([cipher.update(secret), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), body])
}

export function unseal(key: Buffer, sealed: Buffer, label: string): Buffer {
  try {
    const nonce = sealed.subarray(0, NONCE_BYTES)
    const tag = sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES)
    const opener = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
    opener.setAAD(Buffer.from(label)).setAuthTag(tag)
    return Buffer.concat([opener.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), opener.final()])
  } catch (error) {
    throw new SealError('could not be opened', { cause: error })
  }
}

/** Null for bytes that do not open. */
export function ifOpens(open: () => Buffer): Buffer | null {
  try {
    return open()
  } catch (error) {
    if (error instanceof SealError) return null
    throw error
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
export function sealFor(publicKey: Buffer, secret: Buffer, label: string): Buffer {
  const once = newKeyPair()
  const length = Buffer.alloc(2)
  length.writeUInt16BE(once.publicKey.length)
  const salt = Buffer.concat([once.publicKey, publicKey])
  return Buffer.concat([length, once.publicKey, seal(agreed(once.privateKey, publicKey, salt), secret, label)])
}

export function unsealWith(privateKey: Buffer, sealed: Buffer, label: string): Buffer {
  return openFor(privateKey, sealed, label, (once) => Buffer.concat([once, publicHalf(privateKey)]))
}

/** As shares were sealed before keys had versions: not bound to the recipient's public key. Never made any more. */
export function unsealUnbound(privateKey: Buffer, sealed: Buffer, label: string): Buffer {
  return openFor(privateKey, sealed, label, (once) => once)
}

function openFor(privateKey: Buffer, sealed: Buffer, label: string, saltOf: (once: Buffer) => Buffer): Buffer {
  let key: Buffer
  let body: Buffer
  try {
    const length = sealed.readUInt16BE(0)
    const once = sealed.subarray(2, 2 + length)
    key = agreed(privateKey, once, saltOf(once))
    body = sealed.subarray(2 + length)
  } catch (error) {
    throw new SealError('could not be opened', { cause: error })
  }
  return unseal(key, body, label)
}

const publicHalf = (privateKey: Buffer): Buffer =>
  createPublicKey(createPrivateKey({ key: privateKey, format: 'der', type: 'pkcs8' })).export({
    format: 'der',
    type: 'spki',
  })

function agreed(privateKey: Buffer, publicKey: Buffer, salt: Buffer): Buffer {
  const shared = diffieHellman({
    privateKey: createPrivateKey({ key: privateKey, format: 'der', type: 'pkcs8' }),
    publicKey: createPublicKey({ key: publicKey, format: 'der', type: 'spki' }),
  })
  return Buffer.from(hkdfSync('sha256', shared, salt, 'digger vault share', KEY_BYTES))
}
