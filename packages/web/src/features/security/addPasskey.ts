import type { Reply } from '@digger/contract'
import { call } from '../../api/call.ts'
import { report, send } from '../../api/send.ts'
import { Problem } from '../../api/problem.ts'
import { ask } from '../../ask/ask.ts'
import type { FactorsView } from './useFactors.tsx'
import { makePasskey, passkeyTrouble, showPasskey } from '../../prove/passkey.ts'

/** `derives`: it opens the broker key once it was used in a browser where that is open. */
type Added = Reply<'addPasskey'> & { derives: boolean }

/** Makes a passkey in this browser and adds it. Null: it was not, and its person knows why. */
export async function addPasskey(userId: string, name: string): Promise<Added | null> {
  const params = { userId }
  const options = await send('beginPasskey', { params, body: {} })
  if (options === null) return null
  try {
    const { derives, ...made } = await makePasskey(options)
    const added = await call('addPasskey', { params, body: { name, ...made } })
    return { ...added, derives: derives && made.prf === undefined }
  } catch (error) {
    if (error instanceof Problem) report(error)
    else {
      const trouble = passkeyTrouble(error)
      if (trouble !== null) await ask.alert(trouble)
    }
    return null
  }
}

/** Many derive their secret only when they are used: one more touch, and it opens the broker key. Without it, it is there all the same. */
export async function letOpenKey(userId: string, factors: FactorsView): Promise<FactorsView> {
  const params = { userId }
  try {
    const { passkey } = await call('proofWays', { params })
    if (passkey === null) return factors
    await call('stepUp', { params, body: await showPasskey(passkey) })
    return await call('factors', { params })
  } catch {
    return factors
  }
}
