import { randomBytes } from 'node:crypto'
import type { Clock, Db, RecoveryCodeRow } from '@digger/database'
import type { Passwords } from '../vault/password.ts'

const COUNT = 10
/** Without letters that are taken for digits, or for one another: 30 signs, 58 bits in twelve of them. */
const SIGNS = 'abcdefghjkmnpqrstvwxyz23456789'
const LENGTH = 12
const GROUP = 4

/** Ten ways in that are written down: each opens once. Only slow hashes of them are kept. */
export class RecoveryCodes {
  readonly #db: Db
  readonly #clock: Clock
  readonly #passwords: Passwords

  constructor(db: Db, clock: Clock, passwords: Passwords) {
    this.#db = db
    this.#clock = clock
    this.#passwords = passwords
  }

  /** Ten new ones, to be shown once; those of before open nothing any more. */
  async make(userId: string): Promise<string[]> {
    const codes = Array.from({ length: COUNT }, newCode)
    const [salt, cost] = [this.#passwords.newSalt(), this.#passwords.cost]
    const rows: RecoveryCodeRow[] = []
    for (const code of codes) {
      const code_hash = await this.#passwords.key(bare(code), salt, cost)
      rows.push({ user_id: userId, code_hash, salt, cost, used_at: null })
    }
    await this.#db.transaction().execute(async (trx) => {
      await trx.deleteFrom('recovery_code').where('user_id', '=', userId).execute()
      await trx.insertInto('recovery_code').values(rows).execute()
    })
    return codes
  }

  /** Whether it is one of them that was not used; it is now. */
  async use(userId: string, code: string): Promise<boolean> {
    const left = await this.#left(userId)
    const [one] = left
    if (!one) return false
    const hash = await this.#passwords.key(bare(code), one.salt, one.cost)
    const { numUpdatedRows } = await this.#db
      .updateTable('recovery_code')
      .set({ used_at: this.#clock.now() })
      .where('user_id', '=', userId)
      .where('code_hash', '=', hash)
      .where('used_at', 'is', null)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  }

  async left(userId: string): Promise<number> {
    return (await this.#left(userId)).length
  }

  #left(userId: string) {
    const unused = this.#db.selectFrom('recovery_code').selectAll().where('user_id', '=', userId)
    return unused.where('used_at', 'is', null).execute()
  }
}

/** As people type it: with or without lines between, in large letters or small. */
const bare = (code: string): string => code.toLowerCase().replaceAll(/[^a-z0-9]/g, '')

function newCode(): string {
  let signs = ''
  while (signs.length < LENGTH) {
    // What is beyond the last whole multiple would make the first signs likelier.
    for (const byte of randomBytes(LENGTH)) if (byte < SIGNS.length * 8) signs += SIGNS[byte % SIGNS.length]
  }
  return signs.slice(0, LENGTH).replaceAll(new RegExp(`(.{${GROUP}})(?=.)`, 'g'), '$1-')
}
