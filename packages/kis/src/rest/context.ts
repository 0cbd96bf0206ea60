import type { KisEnv } from '../api.ts'
import type { Calls } from '../transport/calls.ts'
import type { Oddities } from './oddities.ts'

/** What every endpoint file needs. */
export interface RestContext {
  readonly env: KisEnv
  readonly calls: Calls
  /** CANO and ACNT_PRDT_CD. */
  readonly account: { readonly CANO: string; readonly ACNT_PRDT_CD: string }
  readonly now: () => number
  /** Whether there are orders on a day, as far as the caller knows. */
  readonly isOpenDay: (day: string) => boolean
  readonly oddities: Pick<Oddities, 'report'>
  /** Lists that broke once, by what was asked: a day's list only grows, and goes on breaking. */
  readonly brokenLists: Set<string>
}

/** Ten digits, or eight for product 01 (brokerage). */
export function splitAccount(accountNumber: string): RestContext['account'] {
  const digits = accountNumber.replaceAll(/\D/g, '')
  return { CANO: digits.slice(0, 8), ACNT_PRDT_CD: digits.slice(8, 10) || '01' }
}
