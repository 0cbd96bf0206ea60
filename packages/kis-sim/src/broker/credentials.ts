import type { KisCredentials } from '@digger/kis'
import type { SimAccount } from '../ledger/facts.ts'
import { Dice } from '../runtime/random.ts'

const ALPHANUMERIC = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** Credentials of pretend person `n` = 0, 1, …: always the same, in the broker's lengths (key 36, secret 180). */
export function demoCredentials(n: number): KisCredentials {
  const dice = new Dice('demo credentials', n)
  return {
    appKey: `PS${dice.text(34, ALPHANUMERIC)}`,
    appSecret: dice.text(180, ALPHANUMERIC),
    accountNumber: `${50_000_001 + n}01`,
    htsId: `demo${String(n + 1).padStart(2, '0')}`,
  }
}

/** The first `count` demo customers, with the default cash and no holdings. */
export const demoAccounts = (count: number): SimAccount[] =>
  Array.from({ length: count }, (_, n) => ({ credentials: demoCredentials(n) }))
