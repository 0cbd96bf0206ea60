import { randomBytes } from 'node:crypto'
import type { Db, UserRow } from '@digger/database'
import type { Session } from './sessions.ts'

const ID_BYTES = 10
const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567'

/** Sixteen letters and digits: not guessable, and never one of the names used in paths (user, admin). */
export const newUserId = (): string => Array.from(randomBytes(ID_BYTES + 6), (byte) => BASE32[byte & 31]).join('')

/** What is shown of an account number. */
export const maskAccount = (accountNumber: string): string => `****${digits(accountNumber).slice(0, 8).slice(-4)}`

/** Ten digits; eight mean the ordinary product 01. */
export const fullAccount = (accountNumber: string): string =>
  digits(accountNumber).padEnd(8, '0').slice(0, 8) + (digits(accountNumber).slice(8) || '01')

const digits = (text: string): string => text.replaceAll(/\D/g, '')

export const findUser = (db: Db, userId: string): Promise<UserRow | undefined> =>
  db.selectFrom('users').selectAll().where('id', '=', userId).executeTakeFirst()

export const findUserByEmail = (db: Db, email: string): Promise<UserRow | undefined> =>
  db.selectFrom('users').selectAll().where('email', '=', email.trim().toLowerCase()).executeTakeFirst()

export const listUsers = (db: Db): Promise<UserRow[]> =>
  db.selectFrom('users').selectAll().orderBy('created_at').orderBy('id').execute()

export async function insertUser(db: Db, user: Omit<UserRow, 'may_add_stocks'>): Promise<void> {
  await db.insertInto('users').values(user).execute()
}

/** `endsAt`: until when it opens, for one that somebody else made; null for one's own. */
export async function setPasswordHash(
  db: Db,
  userId: string,
  passwordHash: string,
  endsAt: number | null,
): Promise<void> {
  await db
    .updateTable('users')
    .set({ password_hash: passwordHash, password_ends_at: endsAt })
    .where('id', '=', userId)
    .execute()
}

/** Whether a person may add stocks: an administrator, or whom one of them let. */
export const mayAddStocks = ({ digger_admin, may_add_stocks }: UserRow): boolean => digger_admin || may_add_stocks

/** The same of whoever is logged in: what is traded with whose keys is for the administrators to say. */
export async function mayAdd(
  db: Db,
  { userId, diggerAdmin }: Pick<Session, 'userId' | 'diggerAdmin'>,
): Promise<boolean> {
  if (diggerAdmin) return true
  const user = await findUser(db, userId)
  return user !== undefined && mayAddStocks(user)
}

/** Resolves to null when there is no such user. */
export async function setMayAddStocks(db: Db, userId: string, may: boolean): Promise<UserRow | null> {
  const row = await db
    .updateTable('users')
    .set({ may_add_stocks: may })
    .where('id', '=', userId)
    .returningAll()
    .executeTakeFirst()
  return row ?? null
}

/** Resolves to false when there is no such user. */
export async function setAdmin(db: Db, email: string, diggerAdmin: boolean): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set({ digger_admin: diggerAdmin })
    .where('email', '=', email.trim().toLowerCase())
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
