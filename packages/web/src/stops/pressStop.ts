import type { Reply } from '@digger/contract'
import { call } from '../api/call.ts'
import { asProblem, Problem } from '../api/problem.ts'

/** Longer than the server itself waits for whoever has the account (10 s), ms. Then one may press again. */
const ANSWER_TIMEOUT_MS = 20_000
/** The stop must not wait long for a number that only decides what is asked, ms. */
const COUNT_TIMEOUT_MS = 1_000

const AGAIN =
  '멈췄는지 알 수 없으니 다시 눌러 주세요. 두 번 눌러도 괜찮습니다. 급하면 증권사 앱에서 주문을 취소해 주세요.'

/** Makes a stop. Throws `Problem`: where no answer came its message says that it may be done, and what to do. */
export async function pressStop<T>(
  press: (signal: AbortSignal) => Promise<T>,
  timeout = ANSWER_TIMEOUT_MS,
): Promise<T> {
  try {
    return await press(AbortSignal.timeout(timeout))
  } catch (error) {
    throw unanswered(error)
  }
}

function unanswered(error: unknown): Problem {
  if (error instanceof DOMException && error.name === 'TimeoutError')
    return new Problem('OFFLINE', `서버의 답이 오지 않습니다. ${AGAIN}`, { cause: error })
  const problem = asProblem(error)
  return problem.code === 'OFFLINE' ? new Problem('OFFLINE', `${problem.message} ${AGAIN}`, { cause: error }) : problem
}

/** Orders that a person placed by hand and that still rest; 0 also where that cannot be read in time. */
export async function countOwnOrders(userId: string, timeout = COUNT_TIMEOUT_MS): Promise<number> {
  try {
    const signal = AbortSignal.timeout(timeout)
    return (await call('liveOrders', { params: { userId } }, { signal, progress: false })).own
  } catch {
    return 0
  }
}

export const stopAll = (userId: string, own: boolean): Promise<Reply<'stopAll'>> =>
  pressStop((signal) => call('stopAll', { params: { userId }, body: { own } }, { signal }))

/** The secret after the # of a stop link; null where there is none. What a messenger hangs on its end is left out. */
export const stopTokenIn = (hash: string): string | null => /^#([\w-]{43})(?![\w-])/.exec(hash)?.[1] ?? null

/** The same for whoever has the link, also without a log-in. */
export const pressStopLink = (token: string): Promise<Reply<'pressStopLink'>> =>
  pressStop((signal) => call('pressStopLink', { body: { token } }, { signal }))
