import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16
const KEY_BYTES = 32

/** The wrong key, or the sealed bytes belong elsewhere or were changed. Says nothing about the content. */
export class SealError extends Error {
  override readonly name = 'SealError'
}

export const newKey = (): Buffer => randomBytes(KEY_BYTES)

/** Rows written before keys had versions have this one; they are opened as they were made. */
export const BEFORE_VERSIONS = 0

/**
 * What sealed bytes are, whose, and by which version of the owner's key: authenticated with them, so that they open
 * nowhere else. An older ciphertext of the same owner, put back by somebody who can write the database, does not open.
 */
export function labelOf(what: string, owners: readonly string[], keyVersion: number): string {
  if (keyVersion === BEFORE_VERSIONS) return [what, ...owners].join(':')
  return ['digger 2', what, ...owners, keyVersion].join(':')
}

/** AES-256-GCM with a random nonce, nothing else: nonce ‖ tag ‖ ciphertext, with `label` authenticated. */
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
export function openOrNull(open: () => Buffer): Buffer | null {
  try {
    return open()
  } catch (error) {
    return nullIfSealed(error)
  }
}

/** Turns a SealError into null, in the `catch` of an opening. Throws every other error again. */
export function nullIfSealed(error: unknown): null {
  if (error instanceof SealError) return null
  throw error
}
