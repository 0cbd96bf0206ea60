import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import { isoBase64URL } from '@simplewebauthn/server/helpers'
import type { Clock, Db, PasskeyRow } from '@digger/database'
import { CHALLENGE_MS, Challenges, type Purpose } from './challenges.ts'
import type { RelyingParty } from './relying-party.ts'

/** One person needs no more, and a browser shows them in a list. */
export const MAX_PASSKEYS = 10
const NAME = 'Digger'
/** COSE: EdDSA, ES256, RS256 – what authenticators speak. */
const ALGORITHMS = [-8, -7, -257]

/** A passkey was shown whose counter says that somebody else has a copy of it. */
export class ClonedPasskeyError extends Error {
  override readonly name = 'ClonedPasskeyError'
  readonly passkey: PasskeyRow

  constructor(passkey: PasskeyRow) {
    super(`the counter of passkey ${passkey.credential_id} went backwards`)
    this.passkey = passkey
  }
}

interface PasskeysParts {
  readonly db: Db
  readonly clock: Clock
  readonly challenges: Challenges
  readonly party: () => RelyingParty
}

/** WebAuthn's two ceremonies. An answer is good for one challenge, one origin, one domain, once. */
export class Passkeys {
  readonly #parts: PasskeysParts

  constructor(parts: PasskeysParts) {
    this.#parts = parts
  }

  of(userId: string): Promise<PasskeyRow[]> {
    const rows = this.#parts.db.selectFrom('passkey').selectAll().where('user_id', '=', userId)
    return rows.orderBy('created_at').orderBy('credential_id').execute()
  }

  /** What `navigator.credentials.create` is to be called with. */
  async beginRegistration(userId: string, email: string) {
    const { challenges, party } = this.#parts
    return generateRegistrationOptions({
      rpName: NAME,
      rpID: party().id,
      userName: email,
      userDisplayName: email,
      userID: new Uint8Array(Buffer.from(userId)),
      challenge: challenges.make('register', userId),
      timeout: CHALLENGE_MS,
      supportedAlgorithmIDs: ALGORITHMS,
      excludeCredentials: (await this.of(userId)).map(descriptorOf),
      // The person proves themselves to the device, and the device knows whose passkey it is: it opens without a name.
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    })
  }

  /** Null: the answer is not one to a challenge of ours, or was used before, or there is no room for another. */
  async register(userId: string, name: string, response: RegistrationResponseJSON): Promise<PasskeyRow | null> {
    const { db, clock, challenges } = this.#parts
    const verified = await this.#orNull(
      (expected) => verifyRegistrationResponse({ ...expected, response, supportedAlgorithmIDs: ALGORITHMS }),
      {
        purpose: 'register',
        userId,
      },
    )
    if (!verified?.answer.verified) return null
    const { credential, credentialBackedUp } = verified.answer.registrationInfo
    if ((await this.of(userId)).length >= MAX_PASSKEYS || !(await challenges.use(verified.challenge))) return null
    const row = await db
      .insertInto('passkey')
      .values({
        credential_id: credential.id,
        user_id: userId,
        public_key: Buffer.from(credential.publicKey),
        counter: credential.counter,
        transports: (credential.transports ?? []).join(','),
        name,
        backed_up: credentialBackedUp,
        by_prf: null,
        key_version: null,
        created_at: clock.now(),
        used_at: null,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returningAll()
      .executeTakeFirst()
    return row ?? null
  }

  /** What `navigator.credentials.get` is to be called with. `userId` empty: whoever has a passkey of this site. */
  async beginUse(purpose: Exclude<Purpose, 'register'>, userId: string) {
    const { challenges, party } = this.#parts
    const passkeys = userId === '' ? [] : await this.of(userId)
    return generateAuthenticationOptions({
      rpID: party().id,
      challenge: challenges.make(purpose, userId),
      timeout: CHALLENGE_MS,
      userVerification: 'required',
      allowCredentials: passkeys.map(descriptorOf),
    })
  }

  /**
   * The passkey that was used; null for an answer that proves nothing. `userId` empty: whose it is, the passkey says.
   * Throws ClonedPasskeyError.
   */
  async use(
    purpose: Exclude<Purpose, 'register'>,
    userId: string,
    response: AuthenticationResponseJSON,
  ): Promise<PasskeyRow | null> {
    const { db, clock, challenges } = this.#parts
    const found = await db.selectFrom('passkey').selectAll().where('credential_id', '=', response.id).executeTakeFirst()
    if (!found || (userId !== '' && found.user_id !== userId) || !isHandleOf(found, response)) return null
    // The library refuses a counter that went backwards; here it is told from an answer that is merely wrong.
    const credential = { id: found.credential_id, publicKey: new Uint8Array(found.public_key), counter: 0 }
    const verify = (expected: Expected) => verifyAuthenticationResponse({ ...expected, response, credential })
    const verified = await this.#orNull(verify, { purpose, userId })
    if (!verified?.answer.verified || !(await challenges.use(verified.challenge))) return null
    const { newCounter, credentialBackedUp } = verified.answer.authenticationInfo
    const used = await db
      .updateTable('passkey')
      .set({ counter: newCounter, backed_up: credentialBackedUp, used_at: clock.now() })
      .where('credential_id', '=', found.credential_id)
      .where((is) => (newCounter === 0 ? is('counter', '=', 0) : is('counter', '<', newCounter)))
      .returningAll()
      .executeTakeFirst()
    if (!used) throw new ClonedPasskeyError(found)
    return used
  }

  /** False: there was no such passkey of this person. */
  async remove(userId: string, credentialId: string): Promise<boolean> {
    const { numDeletedRows } = await this.#parts.db
      .deleteFrom('passkey')
      .where('user_id', '=', userId)
      .where('credential_id', '=', credentialId)
      .executeTakeFirst()
    return numDeletedRows > 0n
  }

  /** The library throws for whatever does not fit, with words for who wrote the page; and so it does for nonsense. */
  async #orNull<T>(
    verify: (expected: Expected) => Promise<T>,
    { purpose, userId }: { readonly purpose: Purpose; readonly userId: string },
  ): Promise<{ readonly answer: T; readonly challenge: string } | null> {
    const { challenges, party } = this.#parts
    const { id, origins } = party()
    let answered = ''
    try {
      const answer = await verify({
        expectedChallenge: (challenge) => {
          answered = challenge
          return challenges.isOurs(challenge, purpose, userId)
        },
        expectedOrigin: [...origins],
        expectedRPID: id,
        requireUserVerification: true,
      })
      return { answer, challenge: answered }
    } catch {
      return null
    }
  }
}

interface Expected {
  readonly expectedChallenge: (challenge: string) => boolean
  readonly expectedOrigin: string[]
  readonly expectedRPID: string
  readonly requireUserVerification: true
}

const descriptorOf = ({ credential_id, transports }: PasskeyRow) => ({
  id: credential_id,
  ...(transports === '' ? {} : { transports: transports.split(',') }),
})

/** An authenticator that knows whose passkey it is says the same as the row. */
const isHandleOf = ({ user_id }: PasskeyRow, { response: { userHandle } }: AuthenticationResponseJSON): boolean =>
  userHandle === undefined || isoBase64URL.toUTF8String(userHandle) === user_id
