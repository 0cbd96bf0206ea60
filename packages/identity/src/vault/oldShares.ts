import { createPrivateKey, createPublicKey, diffieHellman, hkdfSync } from 'node:crypto'
import { SealError, unseal } from './seal.ts'

/*
 * Shares as they were sealed before HPKE: length ‖ one-time public key ‖ `seal`, under a key that X25519 and HKDF gave.
 * They are only opened here, never made any more; decision 024 says when they are replaced.
 */

const KEY_BYTES = 32
const LENGTH_BYTES = 2

/** The second form: HKDF was salted with both public keys. */
export function openBoundShare(privateKey: Buffer, sealed: Buffer, label: string): Buffer {
  return openWith(privateKey, sealed, label, (oneTimeKey) => Buffer.concat([oneTimeKey, publicHalf(privateKey)]))
}

/** The first form, from before keys had versions: HKDF was salted with the one-time public key only. */
export function openUnboundShare(privateKey: Buffer, sealed: Buffer, label: string): Buffer {
  return openWith(privateKey, sealed, label, (oneTimeKey) => oneTimeKey)
}

function openWith(privateKey: Buffer, sealed: Buffer, label: string, saltOf: (oneTimeKey: Buffer) => Buffer): Buffer {
  let key: Buffer
  let body: Buffer
  try {
    const bodyAt = LENGTH_BYTES + sealed.readUInt16BE(0)
    const oneTimeKey = sealed.subarray(LENGTH_BYTES, bodyAt)
    key = agreedKey(privateKey, oneTimeKey, saltOf(oneTimeKey))
    body = sealed.subarray(bodyAt)
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

function agreedKey(privateKey: Buffer, publicKey: Buffer, salt: Buffer): Buffer {
  const shared = diffieHellman({
    privateKey: createPrivateKey({ key: privateKey, format: 'der', type: 'pkcs8' }),
    publicKey: createPublicKey({ key: publicKey, format: 'der', type: 'spki' }),
  })
  return Buffer.from(hkdfSync('sha256', shared, salt, 'digger vault share', KEY_BYTES))
}
