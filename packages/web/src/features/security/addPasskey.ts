import type { Reply } from '@digger/contract'
import { call } from '../../api/call.ts'
import { report, send } from '../../api/send.ts'
import { Problem } from '../../api/problem.ts'
import { ask } from '../../ask/ask.ts'
import { makePasskey, passkeyTrouble, showPasskey } from '../../prove/passkey.ts'

/** Makes a passkey in this browser and adds it. Null: it was not, and its person knows why. */
export async function addPasskey(userId: string, name: string): Promise<Reply<'addPasskey'> | null> {
  const params = { userId }
  const options = await send('beginPasskey', { params, body: {} })
  if (options === null) return null
  try {
    const { derives, ...made } = await makePasskey(options)
    const added = await call('addPasskey', { params, body: { name, ...made } })
    // Many derive their secret only when they are used: one more touch, and it opens the broker key.
    return derives && made.prf === undefined ? await withSecret(userId, added) : added
  } catch (error) {
    if (error instanceof Problem) report(error)
    else {
      const trouble = passkeyTrouble(error)
      if (trouble !== null) await ask.alert(trouble)
    }
    return null
  }
}

/** Without it the passkey is there all the same. */
async function withSecret(userId: string, added: Reply<'addPasskey'>): Promise<Reply<'addPasskey'>> {
  const params = { userId }
  try {
    const { passkey } = await call('proofWays', { params })
    if (passkey === null) return added
    await call('stepUp', { params, body: await showPasskey(passkey) })
    return { ...added, factors: await call('factors', { params }) }
  } catch {
    return added
  }
}
