import type { Db } from '@digger/database'
import type { KisCredentials } from '@digger/kis'

/** `storedAt`: when they replaced those of the sign-up, epoch ms. */
export interface StoredCredentials extends KisCredentials {
  readonly storedAt?: number
}

/** A change whose slow part is done: `store` runs in the caller's transaction, `afterCommit` after it. */
export interface Prepared {
  readonly store: (db: Db) => Promise<void>
  readonly afterCommit: () => void
}

/** How the master key of this server stands to the stored keys. */
export interface MasterState {
  /** Another one replaced it: the database takes no wrap by it any more. */
  readonly replaced: boolean
  /** Whose key a restart should open and another master key wraps. */
  readonly wrappedByOther: readonly string[]
}
