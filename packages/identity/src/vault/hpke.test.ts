import { Aes128Gcm, CipherSuite, DhkemX25519HkdfSha256, HkdfSha256 } from '@hpke/core'
import { describe, expect, test } from 'vitest'
import { suite } from './hpke.ts'

const bytes = (hex: string): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(hex, 'hex'))
const hex = (part: ArrayBuffer): string => Buffer.from(part).toString('hex')

/** "Ode on a Grecian Urn", and the line of it that all vectors of RFC 9180 seal. */
const INFO = bytes('4f6465206f6e2061204772656369616e2055726e')
const PLAINTEXT = '4265617574792069732074727574682c20747275746820626561757479'

/** RFC 9180, A.1.1: X25519, HKDF-SHA256, AES-128-GCM, base mode; the messages with sequence numbers 0, 1 and 2. */
const RFC_A_1_1 = {
  ephemeral: {
    privateKey: '52c4a758a802cd8b936eceea314432798d5baf2d7e9235dc084ab1b9cfa2f736',
    publicKey: '37fda3567bdbd628e88668c3c8d7e97d1d1253b6d4ea6d44c150f741f1bf4431',
  },
  recipient: {
    privateKey: '4612c550263fc8ad58375df3f557aac531d26850903e55a9f23f21d8534e8ac8',
    publicKey: '3948cfe0ad1ddb695d780e59077195da6c56506b027329794ab02bca80815c4d',
  },
  messages: [
    {
      aad: '436f756e742d30',
      ciphertext: 'f938558b5d72f1a23810b4be2ab4f84331acc02fc97babc53a52ae8218a355a96d8770ac83d07bea87e13c512a',
    },
    {
      aad: '436f756e742d31',
      ciphertext: 'af2d7e9ac9ae7e270f46ba1f975be53c09f8d875bdc8535458c2494e8a6eab251c03d0c22a56b8ca42c2063b84',
    },
    {
      aad: '436f756e742d32',
      ciphertext: '498dfcabd92e8acedc281e85af1cb4e3e31c7dc394a1ca20e173cb72516491588d96a19ad4a683518973dcc180',
    },
  ],
}

const withAes128 = new CipherSuite({ kem: new DhkemX25519HkdfSha256(), kdf: new HkdfSha256(), aead: new Aes128Gcm() })

async function pairOf({ kem }: CipherSuite, pair: { privateKey: string; publicKey: string }) {
  return {
    privateKey: await kem.importKey('raw', bytes(pair.privateKey), false),
    publicKey: await kem.importKey('raw', bytes(pair.publicKey), true),
  }
}

describe('the library', () => {
  test('seals and opens as appendix A.1.1 of RFC 9180 does', async () => {
    const [ekm, recipient] = [
      await pairOf(withAes128, RFC_A_1_1.ephemeral),
      await pairOf(withAes128, RFC_A_1_1.recipient),
    ]
    const sender = await withAes128.createSenderContext({ recipientPublicKey: recipient.publicKey, info: INFO, ekm })
    expect(hex(sender.enc)).toBe(RFC_A_1_1.ephemeral.publicKey)
    const receiver = await withAes128.createRecipientContext({
      recipientKey: recipient.privateKey,
      enc: bytes(RFC_A_1_1.ephemeral.publicKey),
      info: INFO,
    })
    for (const { aad, ciphertext } of RFC_A_1_1.messages) {
      expect(hex(await sender.seal(bytes(PLAINTEXT), bytes(aad)))).toBe(ciphertext)
      expect(hex(await receiver.open(bytes(ciphertext), bytes(aad)))).toBe(PLAINTEXT)
    }
  })

  test('opens one message by the call that the vault makes', async () => {
    const { privateKey: recipientKey } = await pairOf(withAes128, RFC_A_1_1.recipient)
    const [first] = RFC_A_1_1.messages
    const enc = bytes(RFC_A_1_1.ephemeral.publicKey)
    const opened = await withAes128.open(
      { recipientKey, enc, info: INFO },
      bytes(first?.ciphertext ?? ''),
      bytes(first?.aad ?? ''),
    )
    expect(hex(opened)).toBe(PLAINTEXT)
  })
})

describe('the suite of the vault', () => {
  /** The RFC prints no message for this suite; BoringSSL tests the same one with this. */
  test('seals with AES-256-GCM as BoringSSL does', async () => {
    const recipientPublicKey = await suite.kem.importKey(
      'raw',
      bytes('ac66bae9ffa270cf4a89ed9f274e30c0456babae2572aaaf002ff0d8884ab018'),
      true,
    )
    const ekm = await pairOf(suite, {
      privateKey: '28e212563a8b6f068af7ff17400ff1baf23612b7a738bbaf5dfb321b2b5b431a',
      publicKey: '8e806d41aecfcece96a6b47f1e488a3ac6e48090d9b634355c705dd34311d900',
    })
    const { ct } = await suite.seal({ recipientPublicKey, info: INFO, ekm }, bytes(PLAINTEXT), bytes('436f756e742d30'))
    expect(hex(ct)).toBe('23ded2d5d90ea89d975dac4792b297240f194952d7421aacbff0474100052b6bb8aa58d18ef6c42b6960e2e28f')
  })

  /** The working group's vectors for this suite, as Go's standard library has them: the keys from their seeds. */
  test('derives the keys of the published vectors for X25519 and AES-256-GCM', async () => {
    const ekm = await suite.kem.deriveKeyPair(bytes('2cd7c601cefb3d42a62b04b7a9041494c06c7843818e0ce28a8f704ae7ab20f9'))
    const recipient = await suite.kem.deriveKeyPair(
      bytes('dac33b0e9db1b59dbbea58d59a14e7b5896e9bdf98fad6891e99d1686492b9ee'),
    )
    expect(hex(await suite.kem.serializePublicKey(recipient.publicKey))).toBe(
      '430f4b9859665145a6b1ba274024487bd66f03a2dd577d7753c68d7d7d00c00c',
    )
    const { enc } = await suite.createSenderContext({ recipientPublicKey: recipient.publicKey, info: INFO, ekm })
    expect(hex(enc)).toBe('6c93e09869df3402d7bf231bf540fadd35cd56be14f97178f0954db94b7fc256')
    expect([suite.kem.id, suite.kdf.id, suite.aead.id]).toEqual([0x20, 1, 2])
  })
})
