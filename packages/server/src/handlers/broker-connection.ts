import type { FastifyBaseLogger } from 'fastify'
import { problemOf } from '@digger/http'
import type { Services } from '../services.ts'

/** A slow broker must not keep a person waiting; the account goes on connecting. */
const BROKER_TIMEOUT_MS = 8_000

export interface Connecting {
  readonly userId: string
  /** With a new token of the broker. */
  readonly newLogin: boolean
  readonly log: FastifyBaseLogger
}

/**
 * Gives the account of an open key its broker. Null when the broker took the key, which only a call shows; else a sentence
 * for the person. Never fails: the key is open whatever the broker says.
 */
export async function connectBroker(services: Services, { userId, newLogin, log }: Connecting): Promise<string | null> {
  const { keys, balances, wall } = services
  const connected = keys
    .give(userId, newLogin)
    .then(() => balances.read(userId))
    .then(
      () => null,
      (error: unknown) => {
        const problem = problemOf(error)
        if (problem === null) log.error({ err: error, userId }, 'the account did not get its broker')
        return problem?.message ?? '증권사 연결은 잠시 뒤 다시 시도합니다.'
      },
    )
  const timedOut = Promise.withResolvers<string>()
  const stop = wall.after(BROKER_TIMEOUT_MS, () => timedOut.resolve('증권사 연결이 늦어져 뒤에서 계속하고 있습니다.'))
  return Promise.race([connected, timedOut.promise]).finally(stop)
}
