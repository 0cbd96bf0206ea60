import { kstMidnight } from '@digger/core'
import type { Happening } from '@digger/kis-sim'
import type { Truth } from '../agreement/agreement.ts'

/** Something the exchange itself knows of a stock; code null: of every one. */
export interface ExchangeFact {
  readonly code: string | null
  readonly at: number
  readonly what: string
}

/** A fill, as the exchange has it. */
export interface Fill {
  readonly code: string
  readonly at: number
  /** Day, side, price and count: the same fill in another run. */
  readonly key: string
}

export const fillsOf = ({ events }: Truth): Fill[] =>
  events.flatMap((event): Fill[] => {
    if (event.kind !== 'filled') return []
    const { code, at, day, side, price, count } = event
    return [{ code, at, key: [day, code, side, price, count].join(' ') }]
  })

/** What somebody did by phone. */
export const phoneFacts = ({ orders }: Truth): ExchangeFact[] =>
  orders.flatMap(({ byPhone, code, at, change, side }) =>
    byPhone === true ? [{ code, at, what: `${change ?? side} by phone` }] : [],
  )

/** When a happening begins to matter for whoever trades. */
export function factOf(happening: Happening): ExchangeFact[] {
  const { kind } = happening
  if (kind === 'circuitBreaker') return [{ code: null, at: happening.at, what: kind }]
  const { code } = happening
  const fact = (at: number): ExchangeFact[] => [{ code, at, what: kind }]
  switch (kind) {
    case 'nxtDropped':
    case 'nxtAdded':
    case 'warned':
      return fact(kstMidnight(happening.day))
    case 'nxtSuspended':
    case 'halted':
      return fact(happening.from)
    case 'singlePrice':
      return fact(kstMidnight(happening.from))
    // Cash alone: the price of a recorded day does not follow, so nothing may change.
    case 'dividend':
      return []
    case 'corporateAction':
      return fact(kstMidnight(happening.exDay))
    case 'merged':
      return fact(kstMidnight(happening.stopsOn))
  }
}

/** Fills of one run that the other has not, each as often as it is missing. */
export function missingFrom(other: readonly Fill[], fills: readonly Fill[]): Fill[] {
  const there = new Map<string, number>()
  for (const { key } of other) there.set(key, (there.get(key) ?? 0) + 1)
  return fills.filter(({ key }) => {
    const left = there.get(key) ?? 0
    there.set(key, left - 1)
    return left <= 0
  })
}

/** The first fact of the exchange before a fill that may be why it differs. */
export const causeOf = ({ code, at }: Fill, facts: readonly ExchangeFact[]): ExchangeFact | undefined =>
  facts.find((fact) => (fact.code === null || fact.code === code) && fact.at <= at)
