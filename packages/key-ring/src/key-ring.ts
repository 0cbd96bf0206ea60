import { Refused } from '@digger/contract'
import { OperatorError } from '@digger/database'
import type { Accounts, Trouble } from '@digger/engine'
import { type MasterState, type TokenStore, type Vault, SealError } from '@digger/identity'
import { masterTrouble } from './master-trouble.ts'

/** Keys that a worker opens at a time when it takes accounts over: each is a few questions to the database. */
const OPENING_CONCURRENCY = 8

/** Keeps the vault and the accounts in step: an opened key gives the account its broker, a removed one takes it away. */
export class KeyRing {
  readonly #vault: Vault
  readonly #tokens: TokenStore
  readonly #accounts: Accounts
  /** As it was at the start, without the accounts that are to stay closed since. */
  #master: MasterState | null = null
  /** Whose key should have opened at the start and gave no account its broker. */
  readonly #failed = new Set<string>()
  /** Accounts that come to this process just now, each with the key that follows it. */
  readonly #comings = new Set<Promise<void>>()
  /** The last of what was asked for each user's key. */
  readonly #turns = new Map<string, Promise<unknown>>()

  constructor(vault: Vault, tokens: TokenStore, accounts: Accounts) {
    this.#vault = vault
    this.#tokens = tokens
    this.#accounts = accounts
  }

  has(userId: string): boolean {
    return this.#vault.has(userId)
  }

  /** What has kept accounts from their keys since the start. */
  get troubles(): readonly Trouble[] {
    const master = masterTrouble(this.#master, (userId) => this.has(userId))
    const closed = this.#failed.size
    const keys = { code: 'keys', accounts: closed, text: `계좌 ${closed}개: ${NOT_RESTORED}` } as const
    return [...(master === null ? [] : [master]), ...(closed === 0 ? [] : [keys])]
  }

  /**
   * After a restart: every account whose key the master key opens, of those that are this process' own. Each failure is reported by
   * itself, and one of the master key without a user.
   */
  async restore(
    failed: (userId: string | null, error: unknown) => void,
    isOwn: (userId: string) => boolean = () => true,
  ): Promise<void> {
    this.#master = await this.#vault.masterState()
    for (const { text } of this.troubles) failed(null, new OperatorError(text))
    const note = (userId: string, error: unknown): void => {
      this.#failed.add(userId)
      failed(userId, error)
    }
    for (const userId of await this.#vault.openByMaster(note, isOwn)) {
      await this.give(userId).catch((error: unknown) => note(userId, error))
    }
  }

  /**
   * Opens what other processes have sealed for this one, of the accounts in these shards, and gives them their brokers. Each failure is
   * reported by itself.
   */
  async openShared(shards: readonly number[], failed: (userId: string, error: unknown) => void): Promise<void> {
    const shared = (await this.#vault.keyShares?.usersOf(shards)) ?? []
    const closed = shared.filter((userId) => !this.has(userId))
    const note = (userId: string, error: unknown): void => {
      if (this.has(userId)) this.#failed.add(userId)
      failed(userId, error)
    }
    for (let at = 0; at < closed.length; at += OPENING_CONCURRENCY) {
      const some = closed.slice(at, at + OPENING_CONCURRENCY)
      await Promise.all(some.map((userId) => this.#openShared(userId).catch((error: unknown) => note(userId, error))))
    }
  }

  /** In its turn: one that is being closed is not opened again by what was written before. */
  #openShared(userId: string): Promise<void> {
    return this.#inTurn(userId, async () => {
      if (!this.has(userId) && (await this.#vault.openByShare(userId))) await this.#give(userId, false)
    })
  }

  /** Another process has these users' accounts: their keys are wiped here, in this very turn. */
  forget(isGone: (userId: string) => boolean): void {
    for (const userId of this.#vault.present.users()) if (isGone(userId)) this.#vault.forget(userId)
    for (const userId of this.#failed) if (isGone(userId)) this.#failed.delete(userId)
  }

  /** What failed at the start and may have passed, as a database that was away. */
  async tryAgain(failed: (userId: string, error: unknown) => void): Promise<void> {
    for (const userId of this.#failed) {
      if (this.has(userId)) await this.give(userId).catch((error: unknown) => failed(userId, error))
    }
  }

  /** Gives the account its broker. `newLogin`: with a new broker token. Throws NEED_USERKEY when the key is absent. */
  give(userId: string, newLogin = false): Promise<void> {
    return this.#inTurn(userId, () => this.#give(userId, newLogin))
  }

  /** Stores other credentials, and the account begins anew with them: its connection is closed first, its token is void. */
  replace(userId: string, store: () => Promise<void>): Promise<void> {
    return this.#inTurn(userId, async () => {
      await store()
      await this.#lock(userId)
      await this.#tokens.drop(userId)
      await this.#give(userId, false)
    })
  }

  async #give(userId: string, newLogin: boolean): Promise<void> {
    const credentials = await this.#vault.credentials(userId).catch(damaged)
    if (!credentials) throw needKey()
    if (newLogin) {
      await this.#lock(userId)
      await this.#tokens.renew(userId)
    }
    if (this.has(userId)) await this.#accounts.unlock(userId, credentials)
    // A key may be closed while its account is opened: the account must not keep the broker.
    if (!this.has(userId)) {
      await this.#lock(userId)
      throw needKey()
    }
    this.#failed.delete(userId)
  }

  /** Whoever needs a key meanwhile waits until this is over before it is called absent. */
  async whileComing(work: () => Promise<void>): Promise<void> {
    const coming = work()
    const over = coming.catch(() => undefined)
    this.#comings.add(over)
    await coming.finally(() => this.#comings.delete(over))
  }

  /** Resolves when it is known whether the user's key is here: it may be on its way with its account. */
  async known(userId: string): Promise<void> {
    if (!this.has(userId)) await Promise.all(this.#comings)
  }

  /** Before a call that needs the broker. A key that is present but without an account (broker was down) is tried again. */
  async need(userId: string): Promise<void> {
    await this.known(userId)
    if (this.has(userId) && this.#accounts.unlocked(userId)) return
    await this.give(userId)
  }

  /**
   * Closes the key: in memory and for its account in this very turn, then durably. Throws where it could not be written,
   * since a restart would open it again. The broker's token stays, sealed by the key that goes: whoever opens the key again
   * has it back.
   */
  async remove(userId: string): Promise<void> {
    this.#vault.forget(userId)
    await Promise.all([
      this.#lock(userId),
      // In its turn: whatever opens the key meanwhile is over, and closed with it.
      this.#inTurn(userId, () => this.#vault.remove(userId)),
    ])
    this.#failed.delete(userId)
    if (this.#master === null) return
    const wrappedByOther = this.#master.wrappedByOther.filter((id) => id !== userId)
    this.#master = { ...this.#master, wrappedByOther }
  }

  /** In memory and for its account alone: another process has settled what the tables say. */
  async close(userId: string): Promise<void> {
    this.#vault.forget(userId)
    await this.#lock(userId)
  }

  /** An account that could not be loaded has no broker to lose. */
  async #lock(userId: string): Promise<void> {
    if (this.#accounts.has(userId)) await this.#accounts.lock(userId)
  }

  /** One after the other for each user, so that a key which is being closed gives no account its broker. */
  async #inTurn(userId: string, work: () => Promise<void>): Promise<void> {
    const mine = (this.#turns.get(userId) ?? Promise.resolve()).then(work)
    const over = mine.catch(() => undefined)
    this.#turns.set(userId, over)
    try {
      await mine
    } finally {
      if (this.#turns.get(userId) === over) this.#turns.delete(userId)
    }
  }
}

const NOT_RESTORED =
  '서버를 다시 켠 뒤 사용자 키를 열지 못해 매매하지 않습니다. 1분마다 다시 해 봅니다. 계속되면 로그에서 원인을 보고, 사용자가 로그인하거나 관리자가 키를 다시 열어 주세요.'

/** Somebody changed the stored bytes, or put older ones back. */
function damaged(error: unknown): never {
  if (!(error instanceof SealError)) throw error
  throw new Refused(
    'NEED_USERKEY',
    '저장된 증권사 정보가 마지막에 저장한 것과 달라 쓰지 않습니다. 서버 운영자에게 데이터베이스가 바뀌었는지 확인해 달라고 하세요.',
  )
}

const needKey = (): Refused =>
  new Refused('NEED_USERKEY', '사용자 키가 열려 있지 않습니다. 다시 로그인하거나 관리자에게 키를 열어 달라고 하세요.')
