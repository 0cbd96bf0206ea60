import { deepStrictEqual } from 'node:assert/strict'
import type { Settings } from '@digger/core'
import type { Engine } from '@digger/engine'
import { SETTINGS as EXAMPLE } from '@digger/engine/testing'

/** So many stocks fit one user's socket. */
export const STOCKS = 40
/** Below this each of them is bought, won. */
export const MAX_BUY = 70_000
/** Nothing is asked of the broker by the clock while something is timed, ms. */
export const NEVER_MS = 86_400_000
/** An account asks about its cash when it is armed, and not again while that answer is so young, ms. */
const CASH_ANSWER_YOUNG_MS = 5_000
const SETTINGS: Settings = { ...EXAMPLE, maxBuyPrice: MAX_BUY, lastBuyPrice: null }

export const pause = (ms: number): Promise<unknown> => new Promise((resolve) => setTimeout(resolve, ms))

export const credentialsOf = (number: number) => ({
  appKey: `bench${number}`,
  appSecret: 's',
  accountNumber: `${10_000_000 + number}01`,
  htsId: `bench${number}`,
})

/** Each of the users gets 40 stocks of its own and is armed. `first`: numbers that no other engine at the same broker uses. */
export async function armTraders(
  engine: Engine,
  userIds: readonly string[],
  { first, codeOf }: { readonly first: number; readonly codeOf: (user: number, stock: number) => string },
): Promise<void> {
  for (const [user, userId] of userIds.entries()) {
    for (let stock = 0; stock < STOCKS; stock += 1) {
      const code = codeOf(user, stock)
      const listing = { issue: { code, kind: 'stock', market: 'KOSPI', nxt: false }, name: code } as const
      await engine.ask(userId, { kind: 'updateStock', code, version: null, settings: SETTINGS, listing })
    }
    await engine.unlock(userId, credentialsOf(first + user))
  }
  // Registered, price limits read, and book and broker compared since the sockets came up.
  for (let second = 0; second < 20; second += 1) {
    engine.activity.tick()
    await engine.activity.idle()
    await pause(100)
  }
  // So that the first price near a trigger asks again, which is what is waited for.
  await pause(CASH_ANSWER_YOUNG_MS)
  deepStrictEqual(new Set(userIds.map((userId) => engine.socket(userId).stocks.length)), new Set([STOCKS]))
}
