import { Aes256Gcm, CipherSuite, DhkemX25519HkdfSha256, HkdfSha256 } from '@hpke/core'
import { generateKeyPairSync, webcrypto } from 'node:crypto'
import { SealError } from './seal.ts'

/**
 * HPKE (RFC 9180), base mode: seals for the holder of a private key who is not here. Anybody can seal, so a sealed key
 * proves nothing about its sender; what it opens has to fit.
 */
export const suite = new CipherSuite({
  kem: new DhkemX25519HkdfSha256(),
  kdf: new HkdfSha256(),
  aead: new Aes256Gcm(),
})

/** First byte of what is sealed here. Earlier forms begin with 0, the high byte of a length. */
export const HPKE_FORM = 2
/** RFC 9180 calls it the application's information: separates our use of a key pair from any other, and the form. */
const INFO = Buffer.from('digger vault share, form 2')
const FORM_BYTES = 1
/** Length of an X25519 public key, RFC 9180 section 7.1. */
const ENCAPSULATED_BYTES = 32

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

export const isHpke = (sealed: Buffer): boolean => sealed[0] === HPKE_FORM

/** form ‖ encapsulated key ‖ ciphertext, with `label` authenticated. */
export async function sealFor(publicKey: Buffer, secret: Buffer, label: string): Promise<Buffer> {
  const recipientPublicKey = await webcrypto.subtle.importKey('spki', publicKey, 'X25519', true, [])
  const { enc, ct } = await suite.seal({ recipientPublicKey, info: INFO }, secret, Buffer.from(label))
  return Buffer.concat([Buffer.of(HPKE_FORM), Buffer.from(enc), Buffer.from(ct)])
}

/** Throws SealError for the wrong key or label, for changed bytes, and for those of an earlier form. */
export async function unsealWith(privateKey: Buffer, sealed: Buffer, label: string): Promise<Buffer> {
  if (!isHpke(sealed)) throw new SealError('is of an earlier form')
  const enc = sealed.subarray(FORM_BYTES, FORM_BYTES + ENCAPSULATED_BYTES)
  const ciphertext = sealed.subarray(FORM_BYTES + ENCAPSULATED_BYTES)
  try {
    const recipientKey = await webcrypto.subtle.importKey('pkcs8', privateKey, 'X25519', true, ['deriveBits'])
    return Buffer.from(await suite.open({ recipientKey, enc, info: INFO }, ciphertext, Buffer.from(label)))
  } catch (error) {
    throw new SealError('could not be opened', { cause: error })
  }
}
