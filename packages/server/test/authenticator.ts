import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'

interface Asked {
  readonly challenge: string
}

interface Use {
  readonly origin?: string
  readonly rpId?: string
  /** Whether its person was asked who they are. */
  readonly verified?: boolean
  readonly userHandle?: string | null
  /** As a copy of the key would count, in the place of its own. */
  readonly counter?: number
  readonly type?: string
}

const sha256 = (data: Buffer | string): Buffer => createHash('sha256').update(data).digest()
const PRESENT = 0x01
const VERIFIED = 0x04
const WITH_KEY = 0x40

/** A passkey of a test: what a browser and an authenticator together answer, with whatever lie a test wants. */
export class Authenticator {
  readonly credentialId = randomBytes(16)
  readonly #publicKey: KeyObject
  readonly #privateKey: KeyObject
  readonly #origin: string
  readonly #rpId: string
  #userId = ''
  /** Raised by each use; 0 where it does not count. */
  counter = 1

  constructor(origin: string, rpId: string) {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    this.#publicKey = publicKey
    this.#privateKey = privateKey
    this.#origin = origin
    this.#rpId = rpId
  }

  get id(): string {
    return this.credentialId.toString('base64url')
  }

  /** Answer of `navigator.credentials.create`. */
  register(userId: string, { challenge }: Asked, use: Use = {}) {
    this.#userId = userId
    const head = this.#data(use, WITH_KEY)
    const length = Buffer.alloc(2)
    length.writeUInt16BE(this.credentialId.length)
    const authData = Buffer.concat([head, Buffer.alloc(16), length, this.credentialId, this.#coseKey()])
    const attestation = new Map<string, string | Map<string, never> | Uint8Array<ArrayBuffer>>([
      ['fmt', 'none'],
      ['attStmt', new Map<string, never>()],
      ['authData', new Uint8Array(authData)],
    ])
    return this.#answer({
      clientDataJSON: this.#clientData('webauthn.create', challenge, use).toString('base64url'),
      attestationObject: Buffer.from(isoCBOR.encode(attestation)).toString('base64url'),
      transports: ['internal'],
    })
  }

  /** Answer of `navigator.credentials.get`. */
  use({ challenge }: Asked, use: Use = {}) {
    if (use.counter === undefined && this.counter > 0) this.counter += 1
    const data = this.#data(use, 0)
    const clientData = this.#clientData('webauthn.get', challenge, use)
    const signature = sign('sha256', Buffer.concat([data, sha256(clientData)]), this.#privateKey)
    const { userHandle = this.#userId } = use
    return this.#answer({
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: data.toString('base64url'),
      signature: signature.toString('base64url'),
      ...(userHandle === null ? {} : { userHandle: Buffer.from(userHandle).toString('base64url') }),
    })
  }

  #answer<T extends object>(response: T) {
    return { id: this.id, rawId: this.id, type: 'public-key' as const, clientExtensionResults: {}, response }
  }

  #clientData(type: string, challenge: string, use: Use): Buffer {
    const { origin = this.#origin } = use
    return Buffer.from(JSON.stringify({ type: use.type ?? type, challenge, origin, crossOrigin: false }))
  }

  #data({ rpId = this.#rpId, verified = true, counter = this.counter }: Use, flags: number): Buffer {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    return Buffer.concat([sha256(rpId), Buffer.of(flags | PRESENT | (verified ? VERIFIED : 0)), count])
  }

  /** ES256 as COSE has it (RFC 9053). */
  #coseKey(): Buffer {
    const { x = '', y = '' } = this.#publicKey.export({ format: 'jwk' })
    const key = new Map<number, number | Uint8Array<ArrayBuffer>>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
      [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
    ])
    return Buffer.from(isoCBOR.encode(key))
  }
}
