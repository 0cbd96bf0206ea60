import type { Input, Reply } from '@digger/contract'
import { call } from '../../api/call.ts'
import { asProblem } from '../../api/problem.ts'

/** Null: its person gave up at the second step. */
export async function byPassword(body: Input<'login'>['body']): Promise<Reply<'login'> | null> {
  try {
    return await call('login', { body })
  } catch (error) {
    const { code, ways } = asProblem(error)
    if (code !== 'SECOND_FACTOR' || ways === undefined) throw error
    return (await import('./secondStep.ts')).secondStep(body, ways)
  }
}

/** Null: the browser's dialog was closed. */
export const byPasskey = async (forceKisLogin: boolean): Promise<Reply<'login'> | null> =>
  (await import('./secondStep.ts')).passkeyStep(forceKisLogin)
