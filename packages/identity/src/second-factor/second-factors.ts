import { hkdfSync } from 'node:crypto'
import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import type { Clock, Db, Factor, PasskeyRow } from '@digger/database'
import { tooOften } from '../users/check.ts'
import type { LoginThrottle } from '../users/throttle.ts'
import { PasskeyWraps } from '../vault/passkeyWraps.ts'
import type { Passwords } from '../vault/password.ts'
import { updateVault } from '../vault/rows.ts'
import type { Vault } from '../vault/vault.ts'
import { Challenges } from './challenges.ts'
import { dropCodes } from './drop-factors.ts'
import { Passkeys } from './passkeys.ts'
import { RecoveryCodes } from './recovery-codes.ts'
import type { RelyingParty } from './relying-party.ts'
import { Totps } from './totp.ts'

export interface SecondFactorsParts {
  readonly db: Db
  /** Of people. */
  readonly clock: Clock
  readonly passwords: Passwords
  readonly throttle: LoginThrottle
  readonly vault: Vault
  /** The server's own, 32 bytes, not in the database; several processes share one. */
  readonly key: Buffer
  readonly party: () => RelyingParty
}

/** What somebody shows besides a password. `prf`: what the passkey derives for this site, 32 bytes, base64url. */
export type Proof =
  | { readonly totp: string }
  | { readonly code: string }
  | { readonly passkey: AuthenticationResponseJSON; readonly prf?: string | undefined }

/** What was shown, and by which passkey. */
export interface Proven {
  readonly factor: Factor
  readonly passkey: PasskeyRow | null
}

/** Everything that proves who somebody is besides their password. */
export class SecondFactors {
  readonly #parts: SecondFactorsParts
  readonly totps: Totps
  readonly codes: RecoveryCodes
  readonly passkeys: Passkeys
  readonly wraps: PasskeyWraps

  constructor(parts: SecondFactorsParts) {
    this.#parts = parts
    const { db, clock, passwords, vault, party } = parts
    // The file's key is for addresses, too: what is made of it for one is of no use for the other.
    const key = Buffer.from(hkdfSync('sha256', parts.key, '', 'digger second factor', 32))
    this.totps = new Totps(db, clock, key)
    this.codes = new RecoveryCodes(db, clock, passwords)
    this.passkeys = new Passkeys({ db, clock, challenges: new Challenges(db, clock, key), party })
    this.wraps = new PasskeyWraps(db, vault)
  }

  /** For whom passkeys are made. */
  get party(): RelyingParty {
    return this.#parts.party()
  }

  /** Whether a password alone is not enough for this person. Recovery codes are a way back, no factor of their own. */
  async has(userId: string): Promise<boolean> {
    return (await this.totps.confirmedAt(userId)) !== null || (await this.passkeys.of(userId)).length > 0
  }

  /**
   * Checks what was shown; null where it proves nothing. `from`: the device or session whose tries are counted apart from
   * strangers'; null for a stranger's. Throws BUSY when no try is left, and ClonedPasskeyError.
   */
  async prove(userId: string, proof: Proof, from: string | null): Promise<Proven | null> {
    if ('passkey' in proof) {
      const passkey = await this.passkeys.use('prove', userId, proof.passkey)
      return passkey && { factor: 'passkey', passkey }
    }
    const { waitMs, giveBack } = await this.#parts.throttle.asFactor(from, userId)
    if (waitMs > 0) throw tooOften(waitMs)
    const isTotp = 'totp' in proof
    const right = await (isTotp ? this.totps.check(userId, proof.totp) : this.codes.use(userId, proof.code))
    if (!right) return null
    await giveBack()
    return { factor: isTotp ? 'totp' : 'code', passkey: null }
  }

  /** The first code of a new secret, counted like any other. */
  async confirmTotp(userId: string, token: string, from: string): Promise<boolean> {
    const { waitMs, giveBack } = await this.#parts.throttle.asFactor(from, userId)
    if (waitMs > 0) throw tooOften(waitMs)
    const right = await this.totps.confirm(userId, token)
    if (right) await giveBack()
    return right
  }

  /** False: there was none. What it wrapped is wrapped anew by the next log-in: an old copy of it opens nothing from then on. */
  async removePasskey(userId: string, credentialId: string): Promise<boolean> {
    if (!(await this.passkeys.remove(userId, credentialId))) return false
    await updateVault(this.#parts.db, userId, { rotation_due: true })
    await this.#dropCodesOfNone(userId)
    return true
  }

  async removeTotp(userId: string): Promise<boolean> {
    const removed = await this.totps.remove(userId)
    await this.#dropCodesOfNone(userId)
    return removed
  }

  /** Codes without a factor would be asked for by nobody. */
  async #dropCodesOfNone(userId: string): Promise<void> {
    if (!(await this.has(userId))) await dropCodes(this.#parts.db, userId)
  }
}
