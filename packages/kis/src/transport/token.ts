import { TokenError } from '../errors.ts'

export interface StoredToken {
  readonly token: string
  /** Epoch ms. */
  readonly issuedAt: number
  readonly expiresAt: number
}

/** Keeps tokens across restarts: every issue sends the customer a message and may invalidate the older token. */
export interface TokenStore {
  load(id: string): Promise<StoredToken | null>
  save(id: string, token: StoredToken): Promise<void>
}

export type IssueResult =
  | { readonly kind: 'issued'; readonly token: StoredToken }
  /** EGW00133. */
  | { readonly kind: 'throttled'; readonly message: string }
  | { readonly kind: 'failed'; readonly error: TokenError }

export interface TokenTimes {
  /** From one request to the token endpoint to the next (one a minute is allowed). */
  readonly spacingMs: number
  /** How long nothing is asked after EGW00133; recovery took 107 s once and minutes while requests went on. */
  readonly backOffMs: number
  /** A token is renewed this long before it ends. */
  readonly renewBeforeMs: number
}

export const DEFAULT_TOKEN_TIMES: TokenTimes = { spacingMs: 61_000, backOffMs: 130_000, renewBeforeMs: 1_800_000 }

interface TokenManagerOptions {
  /** Host and app key: a token of the other environment must never be picked up. */
  readonly id: string
  readonly store: TokenStore
  readonly issue: () => Promise<IssueResult>
  readonly now: () => number
  readonly times: TokenTimes
  readonly onProblem: (error: Error) => void
}

/** The one owner of an app key's access token. Asks for a new one once, however many calls need it. */
export class TokenManager {
  readonly #options: TokenManagerOptions
  #held: StoredToken | null = null
  #renewal: Promise<string> | null = null
  #nextIssueAt = Number.NEGATIVE_INFINITY

  constructor(options: TokenManagerOptions) {
    this.#options = options
  }

  get renewing(): boolean {
    return this.#renewal !== null
  }

  async get(): Promise<string> {
    const { now, times } = this.#options
    if (this.#held !== null && this.#held.expiresAt - times.renewBeforeMs > now()) return this.#held.token
    return this.#renew(null)
  }

  /** For a token the broker no longer takes; another call may have replaced it meanwhile. */
  async replace(bad: string): Promise<string> {
    return this.#held !== null && this.#held.token !== bad ? this.#held.token : this.#renew(bad)
  }

  async #renew(bad: string | null): Promise<string> {
    this.#renewal ??= this.#findOrIssue(bad).finally(() => {
      this.#renewal = null
    })
    return this.#renewal
  }

  async #findOrIssue(bad: string | null): Promise<string> {
    if (await this.#adoptStored(bad)) return this.#current()
    const { now, issue, times } = this.#options
    const allowedAt = this.#allowedAt()
    if (now() < allowedAt) {
      return this.#fallBack(
        bad,
        `접근 토큰은 ${Math.ceil((allowedAt - now()) / 1_000)}초 뒤에 다시 발급할 수 있습니다.`,
      )
    }

    this.#nextIssueAt = now() + times.spacingMs
    const result = await issue()
    if (result.kind === 'issued') {
      this.#held = result.token
      await this.#save(result.token)
      return result.token.token
    }
    if (result.kind === 'throttled') {
      this.#nextIssueAt = now() + times.backOffMs
      // Someone else was issued a token within this minute, perhaps another process of ours.
      return (await this.#adoptStored(bad)) ? this.#current() : this.#fallBack(bad, result.message)
    }
    // It may have arrived as late as we gave it up, and the broker counts its minute from there.
    this.#nextIssueAt = now() + times.spacingMs
    return this.#fallBack(bad, result.error.message, result.error)
  }

  /** When the token endpoint may be asked. The clock may have been set back: no wait is longer than the longest pause. */
  #allowedAt(): number {
    const { now, times } = this.#options
    const at = now()
    this.#nextIssueAt = Math.min(this.#nextIssueAt, at + Math.max(times.spacingMs, times.backOffMs))
    const issuedAt = this.#held?.issuedAt ?? Number.NEGATIVE_INFINITY
    return issuedAt > at ? this.#nextIssueAt : Math.max(this.#nextIssueAt, issuedAt + times.spacingMs)
  }

  /** The held token stays in use until its end, unless it is the one the broker refused. */
  #fallBack(bad: string | null, message: string, error?: TokenError): string {
    const held = this.#held
    if (held !== null && held.token !== bad && held.expiresAt > this.#options.now()) return held.token
    throw error ?? new TokenError(message)
  }

  #current(): string {
    if (this.#held === null) throw new TokenError('접근 토큰이 없습니다.')
    return this.#held.token
  }

  async #adoptStored(bad: string | null): Promise<boolean> {
    const { store, id, now, times, onProblem } = this.#options
    try {
      const stored = await store.load(id)
      if (stored === null || stored.token === bad) return false
      if (stored.expiresAt - times.renewBeforeMs <= now()) return false
      if (this.#held !== null && (stored.token === this.#held.token || stored.issuedAt < this.#held.issuedAt))
        return false
      this.#held = stored
      return true
    } catch (error) {
      onProblem(new TokenError('저장된 접근 토큰을 읽지 못했습니다.', null, error))
      return false
    }
  }

  async #save(token: StoredToken): Promise<void> {
    try {
      await this.#options.store.save(this.#options.id, token)
    } catch (error) {
      this.#options.onProblem(new TokenError('접근 토큰을 저장하지 못했습니다.', null, error))
    }
  }
}
