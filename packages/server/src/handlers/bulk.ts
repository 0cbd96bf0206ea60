import { OutcomeUnknown, Refused } from '@digger/contract'
import type { Book, Stock } from '@digger/core'
import type { FastifyBaseLogger } from 'fastify'
import type { UserRow } from '@digger/database'
import { AnswerLimit } from '@digger/engine'
import { listUsers } from '@digger/identity'
import { beginLine, failureDetail, lineAtEnd } from '../http/audit-line.ts'
import type { Given, Handlers } from '../http/handler.ts'
import { problemOf, type Problem } from '../http/problem.ts'
import type { Services } from '../services.ts'

type BulkCalls = 'bulkLogin' | 'bulkCancel' | 'bulkSell' | 'bulkCheck' | 'bulkFix'

/** Accounts worked on at once. Each has its own app key, so they do not wait for each other at the broker. */
const CONCURRENCY = 4

interface Task {
  /** As the log and the progress bar name it. */
  readonly name: string
  /** It takes risk away, so it waits for no row in the audit. */
  readonly isSafeguard?: boolean
  /** Does one account's part. Resolves to a sentence for the administrator. */
  readonly work: (userId: string) => Promise<string>
}

export function bulkHandlers(services: Services): Pick<Handlers, BulkCalls> {
  const { accounts, keys } = services
  const bulk = (task: Task) => (given: Given<BulkCalls>) => forEveryone(services, given, task)
  return {
    bulkLogin: bulk({
      name: '로그인',
      work: async (userId) => {
        await keys.give(userId)
        await accounts.connect(userId)
        return '연결했습니다.'
      },
    }),
    bulkCancel: bulk({
      name: '주문 취소',
      isSafeguard: true,
      work: async (userId) => {
        await accounts.ask(userId, { kind: 'cancelOrders', code: null })
        return '취소했습니다.'
      },
    }),
    bulkSell: bulk({ name: '매도', work: (userId) => sellEverything(services, userId) }),
    bulkCheck: bulk({
      name: '잔고 비교',
      work: async (userId) => {
        const { differences = [] } = await accounts.ask(userId, { kind: 'checkBalance', code: null })
        return differences.length === 0
          ? '장부와 증권사가 같습니다.'
          : `장부와 증권사가 ${differences.length}곳에서 다릅니다.`
      },
    }),
    bulkFix: bulk({
      name: '잔고 맞춤',
      work: async (userId) => {
        const { differences = [] } = await accounts.ask(userId, { kind: 'fixBalance', code: null })
        return `${differences.length}건을 맞췄습니다.`
      },
    }),
  }
}

/**
 * Rests every open lot at its target. Stocks that cannot be sold, or not whole, keep none of the others from it. When time is
 * up the administrator learns which are left: what went on unseen could not be stopped by cancelling.
 */
async function sellEverything({ accounts, wall }: Services, userId: string): Promise<string> {
  const held = heldStocks(accounts.book(userId))
  const refused: Failure[] = []
  const unknown: Failure[] = []
  const limit = new AnswerLimit(wall)
  try {
    // One after the other: the orders of all at once would be more than may wait to be sent.
    for (const { issue, name } of held) {
      if (limit.isOver) refused.push({ name, problem: NOT_BEGUN })
      else
        await limit
          .outcome(accounts.ask(userId, { kind: 'sellStock', code: issue.code }))
          .catch((error: unknown) =>
            (error instanceof OutcomeUnknown ? unknown : refused).push({ name, problem: problemOrThrow(error) }),
          )
    }
  } finally {
    limit.end()
  }
  return sentenceOf(held.length, refused, unknown)
}

const NOT_BEGUN: Problem = { code: 'BUSY', message: '시간이 모자라 아직 걸지 않았습니다. 다시 눌러 주세요.' }

/** Throws it unless every sale rests. */
function sentenceOf(held: number, refused: readonly Failure[], unknown: readonly Failure[]): string {
  const rests = held - refused.length - unknown.length
  const [first] = refused
  if (unknown.length > 0) {
    const others = first === undefined ? '' : ` ${refused.length}종목은 다 걸지 못했습니다. ${reasonsOf(refused)}`
    throw new OutcomeUnknown(
      `${rests}종목을 목표가에 걸었고, ${unknown.length}종목은 결과를 확인하고 있습니다. ${reasonsOf(unknown)}${others}`,
    )
  }
  if (first === undefined) return `${rests}종목을 목표가에 걸었습니다.`
  const text = `${rests}종목을 목표가에 걸었고, ${refused.length}종목은 다 걸지 못했습니다. ${reasonsOf(refused)}`
  throw new Refused(first.problem.code, text)
}

interface Failure {
  readonly name: string
  readonly problem: Problem
}

const reasonsOf = (failures: readonly Failure[]): string =>
  failures.map(({ name, problem }) => `${name}: ${problem.message}`).join(' ')

const heldStocks = (book: Book): Stock[] => [...book.stocks.values()].filter(({ lots }) => lots.length > 0)

/** An error that nobody foresaw is thrown on, for the log. */
function problemOrThrow(error: unknown): Problem {
  const problem = problemOf(error)
  if (problem === null) throw error
  return problem
}

interface Outcome {
  readonly ok: boolean
  readonly message: string
}

/** `detail`: for the account's log. */
type Attempt = readonly [outcome: Outcome, detail: string]

interface Result extends Outcome {
  readonly userId: string
  readonly email: string
}

/** One user's failure is that user's line, never the end of the call. The administrator's screen receives each step. */
async function forEveryone(services: Services, given: Given<BulkCalls>, task: Task) {
  const { database, live } = services
  const users = await listUsers(database.db)
  const results: Result[] = Array.from({ length: users.length })
  let next = 0
  let done = 0
  const worker = async (): Promise<void> => {
    for (let at = next++; at < users.length; at = next++) {
      const user = users[at]
      if (!user) return
      results[at] = await one(services, given, user, task)
      live.publish(given.caller.userId, { kind: 'progress', task: task.name, done: ++done, total: users.length })
    }
  }
  await Promise.all(Array.from({ length: Math.min(CONCURRENCY, users.length) }, worker))
  return { results }
}

async function one(services: Services, given: Given<BulkCalls>, user: UserRow, task: Task): Promise<Result> {
  const { id: userId, email } = user
  const { log } = given.request
  try {
    const line = await openLine(services, given, userId, task)
    const [outcome, detail] = await attempt(services, userId, task, log)
    await line.end(detail)
    return { userId, email, ...outcome }
  } catch (error) {
    return { userId, email, ...failure(error, userId, log) }
  }
}

function openLine({ database, clock }: Services, given: Given<BulkCalls>, userId: string, task: Task) {
  const deps = { db: database.db, log: given.request.log }
  const action = `일괄 ${task.name}`
  const entry = { at: clock.now(), user_id: userId, by_email: given.caller.email, action, detail: '' }
  return task.isSafeguard ? lineAtEnd(deps, entry) : beginLine(deps, entry)
}

async function attempt({ keys }: Services, userId: string, { work }: Task, log: FastifyBaseLogger): Promise<Attempt> {
  try {
    await keys.need(userId)
    const message = await work(userId)
    return [{ ok: true, message }, message]
  } catch (error) {
    return [failure(error, userId, log), failureDetail(error)]
  }
}

function failure(error: unknown, userId: string, log: FastifyBaseLogger): Outcome {
  const problem = problemOf(error)
  if (!problem) log.error({ err: error, userId }, 'bulk call failed')
  return { ok: false, message: problem?.message ?? '서버에서 문제가 생겼습니다. 잠시 뒤 다시 해 주세요.' }
}
