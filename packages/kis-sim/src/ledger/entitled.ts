import { kstDay } from '@digger/core'
import type { Account } from './account.ts'

/** Shares of an issue an account held when a day began: who holds them then is paid, or gets new ones, whatever happens afterwards. */
export function countBefore({ facts }: Account, code: string, day: string): number {
  let count = 0
  for (const fact of facts) {
    if (kstDay(fact.at) >= day) continue
    if (fact.kind === 'opened') count = fact.spec.holdings?.find((holding) => holding.code === code)?.count ?? 0
    if (fact.kind === 'set' && fact.holding?.code === code) count = fact.holding.count
    if (fact.kind === 'filled' && fact.code === code) count += fact.side === 'buy' ? fact.count : -fact.count
    if (fact.kind === 'credited' && fact.code === code) count += fact.count
  }
  return count
}

export const isPaid = ({ facts }: Account, code: string, exDay: string): boolean =>
  facts.some((fact) => fact.kind === 'dividend' && fact.code === code && fact.exDay === exDay)

export const isCredited = ({ facts }: Account, code: string, exDay: string): boolean =>
  facts.some((fact) => fact.kind === 'credited' && fact.code === code && fact.exDay === exDay)
