import { realClock, type Db } from '@digger/database'
import { Passwords, TokenStore, Vault, type MasterKey } from '@digger/identity'
import type { Access } from './broker.ts'

/** Whose list can be read now, and why not of others whose key is meant to be open. */
export interface OpenedKeys {
  readonly access: ReadonlyMap<string, Access>
  readonly closed: ReadonlyMap<string, string>
}

const NO_MASTER = 'the master key does not open its key'
const NO_TOKEN = 'the server has stored no token'

/**
 * Opens the keys that the operator's master key opens, with the tokens the server has stored. Nothing of it is held
 * between two looks: a key that is closed meanwhile is closed here, too.
 */
export async function openKeys(db: Db, master: MasterKey, env: 'real' | 'paper'): Promise<OpenedKeys> {
  const vault = new Vault({ db, clock: realClock, passwords: new Passwords(), master })
  const tokens = new TokenStore(db, vault, realClock)
  const access = new Map<string, Access>()
  const closed = new Map<string, string>()
  try {
    await vault.openByMaster((userId) => void closed.set(userId, NO_MASTER))
    const held = await db.selectFrom('vault').select('user_id').where('held', '=', true).execute()
    for (const { user_id: userId } of held) {
      const credentials = vault.has(userId) ? await vault.credentials(userId).catch(() => null) : null
      const stored = credentials === null ? null : await tokens.load(userId, env)
      if (credentials === null) closed.set(userId, NO_MASTER)
      else if (stored === null) closed.set(userId, NO_TOKEN)
      else access.set(userId, { ...credentials, token: stored.token })
    }
    return { access, closed }
  } finally {
    vault.close()
  }
}
