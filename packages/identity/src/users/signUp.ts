import { Refused } from '@digger/contract'
import type { KisCredentials } from '@digger/kis'
import { DatabaseError as PgError } from 'pg'
import type { Clock, Db } from '@digger/database'
import type { Passwords } from '../vault/password.ts'
import type { Vault } from '../vault/vault.ts'
import { findUserByEmail, fullAccount, insertUser, maskAccount, newUserId } from './users.ts'

export interface NewUser {
  readonly email: string
  readonly password: string
  readonly credentials: KisCredentials
}

export interface SignUpDeps {
  readonly db: Db
  readonly clock: Clock
  readonly passwords: Passwords
  readonly vault: Vault
  /** Whether a user of such an id has their account in this process; without it, everybody has. */
  readonly isOwn?: (userId: string) => boolean
}

const UNIQUE_VIOLATION = '23505'

/**
 * Makes a user and their vault in one transaction; the key is present afterwards. Credentials are not checked here.
 * Refuses an e-mail that is taken, and an account somebody else already trades through this server.
 */
export async function createUser(deps: SignUpDeps, user: NewUser): Promise<string> {
  const { db, clock, passwords, vault, isOwn = () => true } = deps
  const id = ownUserId(isOwn)
  const email = user.email.trim().toLowerCase()
  const accountNumber = fullAccount(user.credentials.accountNumber)
  const row = {
    id,
    email,
    password_hash: await passwords.hash(user.password),
    digger_admin: false,
    account_masked: maskAccount(accountNumber),
    account_mark: await accountMark(db, passwords, accountNumber),
    bank_balance: 0,
    created_at: clock.now(),
    password_ends_at: null,
  }
  try {
    const newVault = await vault.prepare(id, user.password, { ...user.credentials, accountNumber })
    await db.transaction().execute(async (trx) => {
      await insertUser(trx, row)
      await newVault.store(trx)
    })
    newVault.afterCommit()
    return id
  } catch (error) {
    throw error instanceof PgError && error.code === UNIQUE_VIOLATION ? taken(error) : error
  }
}

/** Far more tries than it takes with one shard of them all. */
const MAX_DRAWN = 20_000

/** Key and account begin in the same process. Throws BUSY where this one has no accounts just now. */
function ownUserId(isOwn: (userId: string) => boolean): string {
  for (let drawn = 0; drawn < MAX_DRAWN; drawn += 1) {
    const id = newUserId()
    if (isOwn(id)) return id
  }
  throw new Refused('BUSY', '서버가 바뀌는 중이라 가입하지 못했습니다. 몇 초 뒤에 다시 해 주세요.')
}

export async function assertFree(db: Db, email: string): Promise<void> {
  if (await findUserByEmail(db, email)) throw emailTaken()
}

const emailTaken = (): Refused => new Refused('CONFLICT', '이미 가입한 이메일입니다. 로그인해 주세요.')

const taken = (error: PgError): Refused =>
  error.constraint?.includes('email')
    ? emailTaken()
    : new Refused('CONFLICT', '이미 다른 사용자가 연결한 계좌입니다. 한 계좌는 한 사용자만 쓸 수 있습니다.')

const SALT_NAME = 'account mark salt'
const COST_NAME = 'account mark cost'

/** One salt and one cost for all, stored at the first need: equal account numbers must give equal marks. */
async function accountMark(db: Db, passwords: Passwords, accountNumber: string): Promise<Buffer> {
  await storeOnce(db, SALT_NAME, passwords.newSalt().toString('base64'))
  await storeOnce(db, COST_NAME, passwords.cost)
  const rows = await db.selectFrom('server_setting').selectAll().where('name', 'in', [SALT_NAME, COST_NAME]).execute()
  const stored = new Map(rows.map(({ name, value }) => [name, value]))
  return passwords.key(accountNumber, Buffer.from(stored.get(SALT_NAME) ?? '', 'base64'), stored.get(COST_NAME) ?? null)
}

async function storeOnce(db: Db, name: string, value: string): Promise<void> {
  await db
    .insertInto('server_setting')
    .values({ name, value })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
