import { randomBytes, randomUUID } from 'node:crypto'
import { kstIso } from '@digger/core'
import { z } from 'zod'
import type { Account } from '../ledger/account.ts'
import { loadWhole, saveWhole } from '../runtime/state-log.ts'
import type { Broker } from '../broker/broker.ts'

const Token = z.object({ token: z.string(), appKey: z.string(), issuedAt: z.number(), expiresAt: z.number() })
type Token = z.infer<typeof Token>

const FILE = 'tokens.json'
const Saved = z.object({
  tokens: z.array(Token),
  dead: z.array(z.string()),
  lastIssue: z.array(z.tuple([z.string(), z.number()])),
})

const HOUR_MS = 3_600_000
const TOKEN_LIFE_MS = 24 * HOUR_MS
/** The broker gives the same token again to a new request within this time. */
const SAME_TOKEN_MS = 6 * HOUR_MS
/** Nobody says that the broker waits longer between two tokens of a key. */
const MAX_PAUSE_MS = 60_000
const APPROVAL_LIFE_MS = 24 * HOUR_MS

export interface IssuedKeys {
  readonly tokens: readonly string[]
  readonly approvals: readonly string[]
}

type TokenState = 'valid' | 'unknown' | 'expired' | 'revoked'

/** App keys, and the tokens and approval keys handed out for them. */
export class Keys {
  readonly #broker: Pick<Broker, 'clock' | 'assumed' | 'limits' | 'timeScale'>
  readonly #accounts = new Map<string, Account>()
  readonly #tokens = new Map<string, Token>()
  readonly #current = new Map<string, Token>()
  readonly #dead = new Set<string>()
  readonly #approvals = new Map<string, { appKey: string; expiresAt: number }>()
  readonly #lastIssue = new Map<string, number>()

  readonly #stateDir: string | null

  /** With a folder, tokens outlive the process, as the broker's outlive a client's process. */
  constructor(broker: Pick<Broker, 'clock' | 'assumed' | 'limits' | 'timeScale'>, stateDir: string | null) {
    this.#broker = broker
    this.#stateDir = stateDir
    const saved = stateDir === null ? null : loadWhole(stateDir, FILE)
    if (saved !== null) this.#restore(Saved.parse(saved))
  }

  add(account: Account): void {
    this.#accounts.set(account.spec.credentials.appKey, account)
  }

  account(appKey: string): Account | undefined {
    return this.#accounts.get(appKey)
  }

  /** Returns null when the key had a token issued too shortly before (EGW00133). */
  issue(appKey: string): { token: string; expiresAt: number; expiresInSeconds: number } | null {
    const { clock, assumed } = this.#broker
    const now = clock.now()
    if (this.#isTooSoon(appKey, now)) return null
    this.#lastIssue.set(appKey, now)
    let current = this.#current.get(appKey)
    if (!current || now - current.issuedAt >= SAME_TOKEN_MS || this.state(current.token, appKey) !== 'valid') {
      if (current && this.state(current.token, appKey) === 'valid' && assumed.decide('olderTokenDies'))
        this.#dead.add(current.token)
      current = { token: jwt(appKey, now), appKey, issuedAt: now, expiresAt: now + TOKEN_LIFE_MS }
      this.#current.set(appKey, current)
      this.#tokens.set(current.token, current)
      this.#sweep(now)
    }
    this.#save()
    const { token, expiresAt } = current
    return { token, expiresAt, expiresInSeconds: Math.floor((expiresAt - now) / 1_000) }
  }

  #isTooSoon(appKey: string, now: number): boolean {
    const { assumed, limits, timeScale } = this.#broker
    const since = now - (this.#lastIssue.get(appKey) ?? -Infinity)
    if (limits === 'off' || since >= Math.max(MAX_PAUSE_MS, assumed.answers.tokenPauseMs) * timeScale()) return false
    return since < assumed.decide('tokenPauseMs') * timeScale()
  }

  state(token: string, appKey: string): TokenState {
    const known = this.#tokens.get(token)
    if (known?.appKey !== appKey) return 'unknown'
    if (this.#dead.has(token)) return 'revoked'
    return known.expiresAt > this.#broker.clock.now() ? 'valid' : 'expired'
  }

  revoke(token: string): void {
    if (this.#tokens.has(token)) this.#dead.add(token)
    this.#save()
  }

  /** Tokens end before their time, as after the broker's maintenance. */
  expireTokens(appKey?: string): void {
    for (const { token, appKey: owner } of this.#tokens.values())
      if (appKey === undefined || owner === appKey) this.#dead.add(token)
    this.#save()
  }

  approve(appKey: string): string {
    const key = randomUUID()
    const now = this.#broker.clock.now()
    for (const [old, { expiresAt }] of this.#approvals) if (expiresAt <= now) this.#approvals.delete(old)
    this.#approvals.set(key, { appKey, expiresAt: now + APPROVAL_LIFE_MS })
    return key
  }

  approved(key: string): Account | undefined {
    const approval = this.#approvals.get(key)
    if (!approval || approval.expiresAt <= this.#broker.clock.now()) return undefined
    return this.#accounts.get(approval.appKey)
  }

  /** Every token and approval key that was handed out and is still known, dead ones too: for whoever looks for leaks. */
  issued(): IssuedKeys {
    return { tokens: [...this.#tokens.keys()], approvals: [...this.#approvals.keys()] }
  }

  /** A restart of the broker forgets them all. */
  forget(): void {
    for (const map of [this.#tokens, this.#current, this.#approvals, this.#lastIssue, this.#dead]) map.clear()
    this.#save()
  }

  #restore({ tokens, dead, lastIssue }: z.infer<typeof Saved>): void {
    for (const token of tokens) {
      this.#tokens.set(token.token, token)
      // In the order of their issue: the last one of a key is its current one.
      this.#current.set(token.appKey, token)
    }
    for (const token of dead) this.#dead.add(token)
    // A clock that was set back must not make everybody wait until it has caught up.
    for (const [appKey, at] of lastIssue) if (at <= this.#broker.clock.now()) this.#lastIssue.set(appKey, at)
  }

  #save(): void {
    if (this.#stateDir === null) return
    const saved = { tokens: [...this.#tokens.values()], dead: [...this.#dead], lastIssue: [...this.#lastIssue] }
    saveWhole(this.#stateDir, FILE, saved)
  }

  #sweep(now: number): void {
    for (const [token, { expiresAt }] of this.#tokens) {
      if (expiresAt + TOKEN_LIFE_MS > now) continue
      this.#tokens.delete(token)
      this.#dead.delete(token)
    }
  }
}

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** The broker's tokens look like this; nothing but their text is ever compared. */
function jwt(appKey: string, now: number): string {
  const seconds = Math.floor(now / 1_000)
  const claims = {
    sub: 'token',
    aud: randomUUID(),
    iss: 'unogw',
    exp: seconds + TOKEN_LIFE_MS / 1_000,
    iat: seconds,
    jti: appKey,
  }
  return `${part({ typ: 'JWT', alg: 'HS512' })}.${part(claims)}.${randomBytes(64).toString('base64url')}`
}

/** `YYYY-MM-DD HH:MM:SS` in Korea, without a zone. */
export const kstText = (ms: number): string => kstIso(ms).slice(0, 19).replace('T', ' ')
