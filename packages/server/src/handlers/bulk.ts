import { Refused } from '@digger/contract'
import type { Book, Stock } from '@digger/core'
import type { UserRow } from '@digger/database'
import { writeAudit, listUsers } from '@digger/identity'
import type { Given, Handlers } from '../http/handler.ts'
import { problemOf, type Problem } from '../http/problem.ts'
import type { Services } from '../services.ts'

type BulkCalls = 'bulkLogin' | 'bulkCancel' | 'bulkSell' | 'bulkCheck' | 'bulkFix'

/** Accounts worked on at once. Each has its own app key, so they do not wait for each other at the broker. */
const AT_ONCE = 4

/** Does one account's part and says in words what came of it. */
type Work = (userId: string) => Promise<string>

export function bulkHandlers(services: Services): Pick<Handlers, BulkCalls> {
  const { accounts, keys } = services
  const bulk = (task: string, work: Work) => (given: Given<BulkCalls>) => forEveryone(services, given, task, work)
  return {
    bulkLogin: bulk('로그인', async (userId) => {
      await keys.give(userId)
      await accounts.connect(userId)
      return '연결했습니다.'
    }),
    bulkCancel: bulk('주문 취소', async (userId) => {
      await accounts.ask(userId, { kind: 'cancelOrders', code: null })
      return '취소했습니다.'
    }),
    bulkSell: bulk('매도', async (userId) => {
      const held = heldStocks(accounts.book(userId))
      const failures: { name: string; problem: Problem }[] = []
      // One after the other: the orders of all at once would be more than the gate lets wait to be sent.
      for (const { issue, name } of held) {
        await accounts
          .ask(userId, { kind: 'sellStock', code: issue.code })
          .catch((error: unknown) => failures.push({ name, problem: problemOrThrow(error) }))
      }
      const [first] = failures
      const rests = held.length - failures.length
      if (first === undefined) return `${rests}종목을 목표가에 걸었습니다.`
      const reasons = failures.map(({ name, problem }) => `${name}: ${problem.message}`).join(' ')
      const text = `${rests}종목을 목표가에 걸었고, ${failures.length}종목은 걸지 못했습니다. ${reasons}`
      throw new Refused(first.problem.code, text)
    }),
    bulkCheck: bulk('잔고 비교', async (userId) => {
      const { differences = [] } = await accounts.ask(userId, { kind: 'checkBalance', code: null })
      return differences.length === 0
        ? '장부와 증권사가 같습니다.'
        : `장부와 증권사가 ${differences.length}곳에서 다릅니다.`
    }),
    bulkFix: bulk('잔고 맞춤', async (userId) => {
      const { differences = [] } = await accounts.ask(userId, { kind: 'fixBalance', code: null })
      return `${differences.length}건을 맞췄습니다.`
    }),
  }
}

const heldStocks = (book: Book): Stock[] => [...book.stocks.values()].filter(({ lots }) => lots.length > 0)

/** What nobody foresaw stays what it is: the log wants to know. */
function problemOrThrow(error: unknown): Problem {
  const problem = problemOf(error)
  if (problem === null) throw error
  return problem
}

interface Result {
  readonly userId: string
  readonly email: string
  readonly ok: boolean
  readonly message: string
}

/** One user's failure is that user's line, never the end of the call. The administrator's screen hears of each step. */
async function forEveryone(services: Services, given: Given<BulkCalls>, task: string, work: Work) {
  const { database, live } = services
  const users = await listUsers(database.db)
  const results: Result[] = Array.from({ length: users.length })
  let next = 0
  let done = 0
  const worker = async (): Promise<void> => {
    for (let at = next++; at < users.length; at = next++) {
      const user = users[at]
      if (!user) return
      results[at] = await one(services, given, user, task, work)
      live.publish(given.caller.userId, { kind: 'progress', task, done: ++done, total: users.length })
    }
  }
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, users.length) }, worker))
  return { results }
}

async function one(
  services: Services,
  given: Given<BulkCalls>,
  user: UserRow,
  task: string,
  work: Work,
): Promise<Result> {
  const { database, clock, keys } = services
  const { id: userId, email } = user
  const result = await keys
    .need(userId)
    .then(() => work(userId))
    .then(
      (message) => ({ userId, email, ok: true, message }),
      (error: unknown) => {
        if (!problemOf(error)) given.request.log.error({ err: error, userId }, 'bulk call failed')
        return {
          userId,
          email,
          ok: false,
          message: problemOf(error)?.message ?? '서버에서 문제가 생겼습니다. 잠시 뒤 다시 해 주세요.',
        }
      },
    )
  await writeAudit(database.db, {
    at: clock.now(),
    user_id: userId,
    by_email: given.caller.email,
    action: `일괄 ${task}`,
    detail: `${result.ok ? '' : '거절: '}${result.message}`,
  })
  return result
}
