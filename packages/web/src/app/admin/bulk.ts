import type { Reply, Stock } from '@digger/contract'
import type { QueryClient } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { bodyOf, type Draft } from '../../features/stock/draft.ts'
import { asProblem } from '../../api/problem.ts'
import { setGlobalProgress } from '../../api/progress.ts'
import { send } from '../../api/send.ts'
import type { AdminUser } from './AdminFrame.tsx'

export type Results = Reply<'bulkCheck'>['results']
type ServerTask = 'bulkLogin' | 'bulkCancel' | 'bulkSell' | 'bulkCheck' | 'bulkFix'
/** Resolves to a sentence where more is to be said than that it was done. */
export type UserTask = (user: AdminUser) => Promise<unknown>
type OnProgress = (results: Results) => void

/** A task that the server runs over all users; null after a refusal was shown. */
export const runOnServer = async (task: ServerTask): Promise<Results | null> => (await send(task, {}))?.results ?? null

/** A task over all users, one after the other; one that fails does not stop the rest. */
export async function runForEach(
  users: readonly AdminUser[],
  task: UserTask,
  onProgress: OnProgress,
): Promise<Results> {
  const results: Results = []
  setGlobalProgress(1)
  for (const user of users) {
    const { userId, email } = user
    const outcome = await task(user).then(
      (result) => ({ ok: true, message: sentenceOf(result) ?? '' }),
      (error: unknown) => ({ ok: false, message: asProblem(error).message }),
    )
    results.push({ userId, email, ...outcome })
    onProgress([...results])
  }
  setGlobalProgress(-1)
  return results
}

export const sentenceOf = (result: unknown): string | null => (typeof result === 'string' ? result : null)

/** The stream of an administrator's page is of the own account: what is read of all users has no event, nor has a key. */
export const refreshUsers = (client: QueryClient): Promise<void> =>
  client.invalidateQueries({ predicate: ({ queryKey: [name] }) => name.startsWith('admin') || name === 'me' })

const quiet = { progress: false }
export const connect: UserTask = ({ userId }) => call('adminConnectSocket', { params: { userId } }, quiet)
export const disconnect: UserTask = ({ userId }) => call('adminDisconnectSocket', { params: { userId } }, quiet)
export const closeKey: UserTask = ({ userId }) => call('deleteUserKey', { params: { userId } }, quiet)
/** Puts a stock with these settings into a list. */
export const saving =
  (stock: Stock, draft: Draft): UserTask =>
  ({ userId }) =>
    call('updateStock', { params: { userId, code: stock.code }, body: bodyOf(stock, draft) }, { progress: false })
export const letAdd =
  (mayAddStocks: boolean): UserTask =>
  // The reply is the user's row: nothing of it is said.
  async ({ userId }) => {
    await call('setMayAdd', { params: { userId }, body: { mayAddStocks } }, quiet)
    return null
  }
/** The key of a user is opened with the administrator's own email and password; the broker may be away all the same. */
export const openKey =
  (email: string, password: string): UserTask =>
  async ({ userId }) => {
    const body = { email, password, forceKisLogin: false }
    const { connected, message } = await call('createUserKey', { params: { userId }, body }, quiet)
    return connected ? null : message
  }
