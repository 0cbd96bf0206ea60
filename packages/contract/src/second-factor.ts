import { z } from 'zod'
import { instant } from './scalars.ts'

/** Bytes as WebAuthn's JSON has them. */
const bytes = (max: number) =>
  z
    .string()
    .regex(/^[\w-]+$/, '패스키의 답이 아닙니다.')
    .max(max)

/** What a passkey derives for this site (WebAuthn's PRF): 32 bytes. It opens the person's key, so it travels like a password. */
const prf = z.string().regex(/^[\w-]{43}$/, '패스키의 답이 아닙니다.')

/** What both answers of a browser have. */
const credential = {
  id: bytes(1_400),
  rawId: bytes(1_400),
  type: z.literal('public-key'),
  authenticatorAttachment: z.enum(['platform', 'cross-platform']).exactOptional(),
  clientExtensionResults: z.object({}).catchall(z.unknown()),
}

/** What `navigator.credentials.get` gave, as JSON. */
export const PasskeyAnswer = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: bytes(4_000),
    authenticatorData: bytes(4_000),
    signature: bytes(4_000),
    userHandle: bytes(200).exactOptional(),
  }),
})
export type PasskeyAnswer = z.infer<typeof PasskeyAnswer>

/** What `navigator.credentials.create` gave, as JSON. */
export const NewPasskey = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: bytes(4_000),
    attestationObject: bytes(16_000),
    transports: z.array(z.string().max(20)).max(8).exactOptional(),
  }),
})

const passkeyProof = z.object({ passkey: PasskeyAnswer, prf: prf.optional() })
export { passkeyProof as PasskeyProof }

const digits = z.preprocess(
  (value) => (typeof value === 'string' ? value.replaceAll(/\s/g, '') : value),
  z.string().regex(/^\d{6}$/, '인증 앱의 여섯 자리 숫자를 넣어 주세요.'),
)
export const TotpCode = digits

/** One of an app's codes, one of the ten written down, or a passkey. */
export const FactorProof = z.union(
  [
    z.strictObject({ totp: digits }),
    z.strictObject({ code: z.string().trim().min(12, '복구 코드를 넣어 주세요.').max(40) }),
    z.strictObject(passkeyProof.shape),
  ],
  '인증 앱의 여섯 자리 숫자, 복구 코드나 패스키가 필요합니다.',
)
export type FactorProof = z.infer<typeof FactorProof>

/** What the browser is to be called with, as WebAuthn has it; the server makes it and the client passes it on. */
export const PasskeyOptions = z.looseObject({ challenge: z.string() })
export type PasskeyOptions = z.infer<typeof PasskeyOptions>

/** By what somebody can prove who they are. */
export const ProofWays = z.object({
  /** Only where there is no second factor. */
  password: z.boolean(),
  totp: z.boolean(),
  /** Recovery codes that were not used. */
  codes: z.int(),
  /** Null: there is no passkey. */
  passkey: PasskeyOptions.nullable(),
})
export type ProofWays = z.infer<typeof ProofWays>

export const Passkey = z.object({
  id: z.string(),
  name: z.string(),
  createdAt: instant,
  usedAt: instant.nullable(),
  /** Whether it is copied to its person's other devices. */
  backedUp: z.boolean(),
  /** Whether it opens the person's broker key, so that a log-in with it alone trades. */
  opensKey: z.boolean(),
})

export const Factors = z.object({
  passkeys: z.array(Passkey),
  totp: z.object({ createdAt: instant }).nullable(),
  /** Recovery codes that were not used. */
  codes: z.int(),
  /** Whether this server wants one of everybody. */
  required: z.boolean(),
  /** Addresses whose pages can use passkeys. */
  passkeyOrigins: z.array(z.string()),
})

export const OpenSession = z.object({
  id: z.string(),
  createdAt: instant,
  /** Up to an hour old. */
  usedAt: instant,
  address: z.string(),
  /** Browser and system, as the browser says. */
  device: z.string(),
  factor: z.enum(['totp', 'code', 'passkey']).nullable(),
  /** The one that asks. */
  current: z.boolean(),
})
