import { OutcomeUnknown, Refused } from '@digger/contract'
import type { Book, Stock } from '@digger/core'
import type { Clock } from '@digger/database'
import { type Accounts, AnswerLimit } from '@digger/engine'
import { problemOf, type Problem } from '@digger/http'

/**
 * Rests every open lot at its target. Stocks that cannot be sold, or not whole, keep none of the others from it. When time is
 * up the administrator learns which are left: what went on unseen could not be stopped by cancelling.
 */
export async function sellEverything(accounts: Accounts, wall: Clock, userId: string): Promise<string> {
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
