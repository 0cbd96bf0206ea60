import type { Generated } from 'kysely'

/** By what somebody proved who they are beside their password. */
export type Factor = 'totp' | 'code' | 'passkey'

export interface SessionRow {
  token_hash: Buffer
  user_id: string
  created_at: number
  seen_at: number
  expires_at: number
  /** When its person last proved who they are: at the log-in, or since. */
  proven_at: number
  /** The strongest that was shown in it; null: a password alone. */
  factor: Factor | null
  /** Where the log-in came from, and what the browser said it was. */
  address: string
  agent: string
  /** As in `known_device`. */
  device_hash: Buffer | null
}

export interface PasskeyRow {
  /** As the authenticator gives it, base64url. */
  credential_id: string
  user_id: string
  /** COSE. */
  public_key: Buffer
  /** How often the authenticator says it was used; 0 where it does not count. */
  counter: number
  /** Separated by commas. */
  transports: string
  name: string
  /** Whether it is copied to other devices of its person. */
  backed_up: boolean
  /** The person's data key, wrapped by what the passkey derives (PRF), and that key's version. Null: it opens no key. */
  by_prf: Buffer | null
  key_version: number | null
  created_at: number
  used_at: number | null
}

export interface TotpRow {
  user_id: string
  /** The secret, sealed by the server's key. */
  sealed: Buffer
  /** Null: a first code has still to show that the app has it. */
  confirmed_at: number | null
  /** Of the last code that was taken (RFC 6238): one is good once. */
  last_step: number
  created_at: number
}

export interface RecoveryCodeRow {
  user_id: string
  code_hash: Buffer
  salt: Buffer
  cost: string
  used_at: number | null
}

type SessionTable = Omit<SessionRow, 'proven_at' | 'address' | 'agent'> & {
  proven_at: Generated<number>
  address: Generated<string>
  agent: Generated<string>
}

export interface FactorTables {
  session: SessionTable
  passkey: PasskeyRow
  totp: Omit<TotpRow, 'last_step'> & { last_step: Generated<number> }
  recovery_code: RecoveryCodeRow
  /** Challenges whose answer was taken; each is answered once. */
  used_challenge: { challenge: string; expires_at: number }
}
