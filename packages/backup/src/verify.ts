import type { Db } from '@digger/database'
import { listUsers } from '@digger/identity'
import { verifyAccount } from '@digger/storage'

export interface Verified {
  readonly accounts: number
  readonly facts: number
  /** One line each; empty when every account's tables say what its journal says. */
  readonly differences: readonly string[]
}

/** Rebuilds every account from its journal and compares it with the tables. */
export async function verifyAccounts(db: Db): Promise<Verified> {
  const users = await listUsers(db)
  const differences: string[] = []
  let facts = 0
  for (const { id, email } of users) {
    try {
      const found = await verifyAccount(db, id)
      facts += found.facts
      if (found.facts > 0) differences.push(...found.differences.map((text) => `${email}: ${text}`))
    } catch (error) {
      differences.push(`${email}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  return { accounts: users.length, facts, differences }
}
