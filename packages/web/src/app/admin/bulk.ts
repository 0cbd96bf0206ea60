import type { Reply, Stock } from '@digger/contract'
import type { QueryClient } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { asProblem, type Problem } from '../../api/problem.ts'
import { withProgress } from '../../api/progress.ts'
import { bodyOf, type Draft } from '../../features/stock/draft.ts'
import type { AdminUser } from './useAdminUsers.ts'

export type Results = Reply<'bulkCheck'>['results']
type ServerTask = 'bulkLogin' | 'bulkCancel' | 'bulkSell' | 'bulkCheck' | 'bulkFix'
/** Resolves to a sentence where more is to be said than that it was done. */
export type UserTask = (user: AdminUser) => Promise<unknown>
export type OnProgress = (results: Results) => void

/** How often a job that outlasts its first answer is looked at again, ms. */
const JOB_INTERVAL_MS = 2_000
/** As many lines as one reading of a job may have. */
const JOB_PAGE = 500

/** A task that the server runs over all users, until the last of them is through. */
export async function runOnServer(task: ServerTask): Promise<Results> {
  const { results, jobId } = await call(task, {})
  if (results.every(({ ok }) => ok)) return results
  return withProgress(() => endOf(String(jobId)))
}

/** The server answers after a minute at the latest, but goes on. */
async function endOf(jobId: string): Promise<Results> {
  for (;;) {
    const { finishedAt, total } = await call('job', { params: { jobId }, query: { limit: '1' } }, quiet)
    if (finishedAt !== null) return linesOf(jobId, total)
    await new Promise((resolve) => setTimeout(resolve, JOB_INTERVAL_MS))
  }
}

async function linesOf(jobId: string, total: number): Promise<Results> {
  const results: Results = []
  while (results.length < total) {
    const query = { offset: String(results.length), limit: String(JOB_PAGE) }
    const { items } = await call('job', { params: { jobId }, query }, quiet)
    if (items.length === 0) break
    results.push(
      ...items.map(({ userId, email, state, message }) => ({
        userId,
        email,
        ok: state === 'done',
        message: message ?? '',
      })),
    )
  }
  return results
}

const NOT_TRIED = '앞의 사용자에서 멈춰 하지 않았습니다.'

/**
 * A task over all users, one after the other; one that fails does not stop the rest, unless the failure would be everybody's:
 * before anything is done it is thrown, later the others are not tried.
 */
export async function runForEach(
  users: readonly AdminUser[],
  task: UserTask,
  onProgress: OnProgress,
  isEverybodys: (problem: Problem) => boolean = () => false,
): Promise<Results> {
  const results: Results = []
  await withProgress(async () => {
    for (const [at, user] of users.entries()) {
      const line = await lineOf(user, task)
      results.push(line.line)
      if (line.problem !== null && isEverybodys(line.problem)) {
        if (at === 0) throw line.problem
        results.push(...users.slice(at + 1).map((rest) => ({ ...personOf(rest), ok: false, message: NOT_TRIED })))
        return
      }
      onProgress([...results])
    }
  })
  return results
}

const personOf = ({ userId, email }: AdminUser) => ({ userId, email })

async function lineOf(user: AdminUser, task: UserTask) {
  try {
    const message = sentenceOf(await task(user)) ?? ''
    return { line: { ...personOf(user), ok: true, message }, problem: null }
  } catch (error) {
    const problem = asProblem(error)
    return { line: { ...personOf(user), ok: false, message: problem.message }, problem }
  }
}

export const sentenceOf = (result: unknown): string | null => (typeof result === 'string' ? result : null)

/** The stream of an administrator's page is of the own account: what is read of all users has no event, nor has a key. */
export const refreshUsers = (client: QueryClient): Promise<void> =>
  client.invalidateQueries({ predicate: ({ queryKey: [name] }) => name.startsWith('admin') || name === 'me' })

const quiet = { progress: false }
export const connect: UserTask = ({ userId }) => call('adminConnectSocket', { params: { userId } }, quiet)
export const disconnect: UserTask = ({ userId }) => call('adminDisconnectSocket', { params: { userId } }, quiet)
export const closeKey: UserTask = ({ userId }) => call('deleteUserKey', { params: { userId } }, quiet)
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
/** The password is the administrator's: what is wrong with it, or tried too often, is so for every user. It counts once. */
export const isOfPassword = ({ code }: Problem): boolean => code === 'INVALID' || code === 'BUSY'

/** What was typed is refused for every user alike: it is to be mended, not tried with the next. */
export const isOfDraft = ({ code }: Problem): boolean => code === 'INVALID' || code === 'NOT_FOUND'

/** Adds a stock that nobody has (version 0), with what was typed. */
export const saving =
  (stock: Stock, draft: Draft): UserTask =>
  ({ userId }) =>
    call('updateStock', { params: { userId, code: stock.code }, body: bodyOf(stock, draft) }, { progress: false })
