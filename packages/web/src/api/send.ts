import type { Reply } from '@digger/contract'
import type { CallName } from '@digger/contract/paths'
import { ask } from '../ask/ask.ts'
import { call, type CallInput } from './call.ts'
import { asProblem, type Problem } from './problem.ts'

type Handler = (problem: Problem) => void
let loginRequired: () => void = () => location.assign('/login')

/** Sets how to get to the login page; without it the page is loaded anew. */
export function onLoginRequired(go: () => void): void {
  loginRequired = go
}

let factorNeeded: () => void = () => location.assign('/user/security')

/** Sets how to get to the page where a second factor is set up. */
export function onFactorNeeded(go: () => void): void {
  factorNeeded = go
}

/** What a failed call means on screen, the same for every call (spec 8). */
export function report(error: unknown, handler?: Handler): void {
  const problem = asProblem(error)
  if (problem.code === 'LOGIN_REQUIRED') loginRequired()
  else if (problem.code === 'NO_SECOND_FACTOR') factorNeeded()
  // Its person closed the question who they are.
  else if (problem.code === 'STEP_UP') return
  else if (handler) handler(problem)
  else if (problem.code !== 'NEED_USERKEY') void ask.alert(problem.message)
}

/** Makes a call that a person started: its reply, or null after the failure was shown. */
export async function send<N extends CallName>(
  name: N,
  given: CallInput<N>,
  onError?: Handler,
): Promise<Reply<N> | null> {
  try {
    return await call(name, given)
  } catch (error) {
    report(error, onError)
    return null
  }
}
