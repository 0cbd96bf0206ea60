import { createHash } from 'node:crypto'
import type { Db } from '@digger/database'
import { type KeyPair, sealFor, unsealWith } from './hpke.ts'
import * as rows from './keyShareRows.ts'
import type { PresentKeys } from './presentKeys.ts'
import { heldVersions } from './rows.ts'
import { labelOf, seal, unseal } from './seal.ts'
import type { DataKey } from './wraps.ts'

/** Keys that are sealed between two statements: other work gets its turn. */
const BATCH = 100
/** A process that was not there for so long has ended, ms. */
const LOST_MS = 86_400_000

export interface KeySharesParts {
  readonly db: Db
  /** Of this process, in memory alone. */
  readonly pair: KeyPair
  /** All workers have it, the database has not: whoever can only write there makes no share that opens. */
  readonly memberKey: Buffer
  /** Proven public keys of the workers that are there. */
  readonly recipients: () => Promise<readonly Buffer[]>
  /** Whether the user's account is this process' own. */
  readonly isOwn: (userId: string) => boolean
}

/** Names a public key in the rows of what is sealed for it. */
export const recipientOf = (publicKey: Buffer): string =>
  createHash('sha256').update(publicKey).digest('hex').slice(0, 32)

/**
 * Users' keys sealed for every worker that is there, this one too: who takes an account over opens its key, and a copy of the
 * database opens none. Each is sealed twice: for the worker's key pair (HPKE), and by the cluster's secret.
 */
export class KeyShares {
  readonly #parts: KeySharesParts
  readonly #me: string

  constructor(parts: KeySharesParts) {
    this.#parts = parts
    this.#me = recipientOf(parts.pair.publicKey)
  }

  isOwn(userId: string): boolean {
    return this.#parts.isOwn(userId)
  }

  /** Seals a key before the transaction that stores it, whose function keeps nothing of a key that is not the vault's by then. */
  async prepare(userId: string, key: DataKey): Promise<(db: Db) => Promise<void>> {
    const sealed = await this.#sealForAll(userId, key, await this.#recipients())
    return (db) => rows.putKeyShares(db, sealed)
  }

  /** Null when there is none for this process. Throws SealError for one that does not open; it is taken away. */
  async open(userId: string): Promise<DataKey | null> {
    const { db, pair, memberKey } = this.#parts
    const row = await rows.findKeyShare(db, userId, this.#me)
    if (!row) return null
    const label = labelFor(row)
    try {
      const bytes = await unsealWith(pair.privateKey, unseal(memberKey, row.sealed, label), label)
      return { bytes, version: row.key_version }
    } catch (error) {
      await rows.dropKeyShare(db, row)
      throw error
    }
  }

  /** Users of these shards whose key this process can open. */
  usersOf(shards: readonly number[]): Promise<string[]> {
    return rows.usersSharedWith(this.#parts.db, this.#me, shards)
  }

  /** Names of the workers' keys, sorted: shows when another worker has come. */
  async recipients(): Promise<string[]> {
    return [...(await this.#recipients()).keys()].sort()
  }

  /** Seals users' keys for every worker that lacks them. `keyOf`: null for a key that is not to be had any more. */
  async share(userIds: readonly string[], keyOf: (userId: string) => Promise<DataKey | null>): Promise<void> {
    const { db } = this.#parts
    const recipients = await this.#recipients()
    for (let at = 0; at < userIds.length; at += BATCH) {
      const missing = await rows.missingKeyShares(db, userIds.slice(at, at + BATCH), [...recipients.keys()])
      const shares: rows.KeyShareRow[] = []
      for (const [userId, lacking] of Map.groupBy(missing, ({ user_id }) => user_id)) {
        const key = await keyOf(userId)
        const names = new Set(lacking.map(({ recipient }) => recipient))
        const wanting = new Map([...recipients].filter(([recipient]) => names.has(recipient)))
        if (key !== null) shares.push(...(await this.#sealForAll(userId, key, wanting)))
      }
      await rows.putKeyShares(db, shares)
    }
  }

  /**
   * What this process can open and another worker cannot: whoever had the key may have ended before it sealed it for one that had just
   * come. One that does not open harms no other.
   */
  async passOn(failed: (userId: string, error: unknown) => void): Promise<void> {
    const lacking = await rows.keysToPassOn(this.#parts.db, this.#me, [...(await this.#recipients()).keys()])
    await this.share(lacking, (userId) =>
      this.open(userId).catch((error: unknown) => {
        failed(userId, error)
        return null
      }),
    )
  }

  /** Takes away what was sealed for processes that have ended. */
  async sweep(): Promise<void> {
    await rows.dropLostKeyShares(this.#parts.db, LOST_MS)
  }

  async #recipients(): Promise<Map<string, Buffer>> {
    const publicKeys = [this.#parts.pair.publicKey, ...(await this.#parts.recipients())]
    return new Map(publicKeys.map((publicKey) => [recipientOf(publicKey), publicKey]))
  }

  #sealForAll(
    userId: string,
    { bytes, version }: DataKey,
    recipients: ReadonlyMap<string, Buffer>,
  ): Promise<rows.KeyShareRow[]> {
    const share = { user_id: userId, key_version: version }
    return Promise.all(
      Array.from(recipients, async ([recipient, publicKey]) => {
        const label = labelFor({ ...share, recipient })
        const forOne = await sealFor(publicKey, bytes, label)
        return { ...share, recipient, sealed: seal(this.#parts.memberKey, forOne, label) }
      }),
    )
  }

  /** Whose key in memory is closed in the tables, or another one there. */
  async changedElsewhere(present: Pick<PresentKeys, 'users' | 'of'>): Promise<string[]> {
    const users = present.users()
    const held = new Map((await heldVersions(this.#parts.db, users)).map((row) => [row.user_id, row.key_version]))
    return users.filter((userId) => held.get(userId) !== present.of(userId)?.version)
  }
}

const labelFor = ({ user_id, recipient, key_version }: Omit<rows.KeyShareRow, 'sealed'>): string =>
  labelOf('key share', [user_id, recipient], key_version)
