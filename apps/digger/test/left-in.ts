import { type DatabasePlace, openDatabase, readRestored } from '@digger/database'
import { readServerStop } from '@digger/storage'

/** What whoever comes next finds where a backup of two accounts was being put back. */
export async function leftIn(place: DatabasePlace): Promise<string> {
  const found = await openDatabase({ ...place, trades: { shared: false, report: () => undefined } }).catch(String)
  if (typeof found === 'string') return found.includes('되살리다 중간에 끊긴') ? 'refused' : found
  const users = await found.db.selectFrom('users').select('id').execute()
  const { stop } = await readServerStop(found.db)
  const restored = await readRestored(found.db)
  const accounts = await found.db.selectFrom('account').select('other_server').execute()
  await found.close()
  if (users.length === 0) return restored === null ? 'empty' : JSON.stringify(restored)
  const isAsked = accounts.length === 2 && accounts.every(({ other_server: { suspected } }) => suspected !== null)
  return stop === 'halt' && restored?.isWhole === true && isAsked ? 'halted' : JSON.stringify({ stop, restored })
}
