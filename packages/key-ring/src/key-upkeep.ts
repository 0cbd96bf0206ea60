import { every, type OwnedShards } from '@digger/database'
import type { KeyShares, Vault } from '@digger/identity'
import type { KeyRing } from './key-ring.ts'

/** A worker that has come has every key this much later, ms. */
const LOOK_MS = 3_000
/** How long whoever has a key may take to seal it for a worker that has come, before others that can open it do, ms. */
const PASS_ON_MS = 10_000
/** How often all is looked at as if it were new: rows may have been lost, ms. */
const WHOLE_MS = 60_000
const SWEEP_MS = 3_600_000

export interface KeyUpkeepParts {
  readonly vault: Vault
  readonly keys: KeyRing
  readonly shares: KeyShares
  readonly owned: Pick<OwnedShards, 'all'>
  readonly problem: (userId: string | null, error: unknown) => void
}

/** What a worker does again and again so that each key is where its account is, or may be next. */
export class KeyUpkeep {
  readonly #parts: KeyUpkeepParts
  #recipients = ''
  #sharedKeys = -1
  #wholeAt = Number.NEGATIVE_INFINITY
  #passOnAt: number | null = null
  /** Not at the start: whoever was away as long as this worker has an hour to come back. */
  #sweptAt = performance.now()
  #looking: Promise<void> | null = null
  #sharing = Promise.resolve()
  /** Begins when `#sharing` is over. */
  #next: Promise<void> | null = null
  /** Whose key in memory was not that of the tables at the last look. */
  #changed: ReadonlySet<string> = new Set()

  constructor(parts: KeyUpkeepParts) {
    this.#parts = parts
  }

  /** Looks from now on. Returns the way to end it. */
  begin(clock: Parameters<typeof every>[0]): () => void {
    return every(clock, LOOK_MS, () => void this.look())
  }

  /** Never throws: what failed is reported, and done with the next look. */
  look(): Promise<void> {
    this.#looking ??= this.#look()
      .catch((error: unknown) => this.#parts.problem(null, error))
      .finally(() => (this.#looking = null))
    return this.#looking
  }

  /**
   * Every key that is here by now is sealed for every worker that is there by now. One that is under way may have looked before: it is
   * waited for, and whoever waits then shares the next. Never throws: a failure is reported.
   */
  share(): Promise<void> {
    this.#next ??= this.#sharing.then(() => {
      this.#next = null
      this.#sharing = this.#share(false).catch((error: unknown) => this.#parts.problem(null, error))
      return this.#sharing
    })
    return this.#next
  }

  /** Another process may have closed a key, or made a new one, while this one took the account. */
  async #closeChanged(): Promise<void> {
    const { keys, shares, vault } = this.#parts
    const changed = new Set(await shares.changedElsewhere(vault.present))
    // Twice: what is being written just now is not known here yet.
    for (const userId of changed) if (this.#changed.has(userId)) await keys.close(userId)
    this.#changed = changed
  }

  async #share(isWhole: boolean): Promise<void> {
    const { shares, vault } = this.#parts
    const recipients = (await shares.recipients()).join(' ')
    const hasCome = recipients !== this.#recipients
    if (hasCome) this.#passOnAt = performance.now() + PASS_ON_MS
    const { changes } = vault.present
    if (!isWhole && !hasCome && changes === this.#sharedKeys) return
    await shares.share(vault.present.users(), async (userId) => vault.present.of(userId))
    this.#recipients = recipients
    this.#sharedKeys = changes
  }

  async #look(): Promise<void> {
    const { keys, owned, shares, vault, problem } = this.#parts
    const now = performance.now()
    await this.#closeChanged()
    await keys.openShared(owned.all(), problem)
    const isWhole = now - this.#wholeAt > WHOLE_MS
    await this.#share(isWhole)
    if (isWhole) {
      await vault.shareWithAdmins()
      this.#wholeAt = now
    }
    if (this.#passOnAt !== null && now > this.#passOnAt) {
      await shares.passOn(problem)
      this.#passOnAt = null
    }
    if (now - this.#sweptAt > SWEEP_MS) {
      await shares.sweep()
      this.#sweptAt = now
    }
  }
}
