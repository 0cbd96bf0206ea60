import { kstInstant } from '@digger/core'
import type { Happening } from '@digger/kis-sim'
import type { NewShare } from '../replay/new-share.ts'
import { FRIDAY, KRX_CODE, MONDAY, NXT_CODE, OTHER_CODE } from './market.ts'

const at = (hhmmss: number): number => kstInstant(FRIDAY, hhmmss)

/** Each by itself, on the Friday of the record. */
export const HAPPENINGS: readonly (readonly [name: string, happenings: readonly Happening[]])[] = [
  ['an issue leaves NXT', [{ kind: 'nxtDropped', code: NXT_CODE, day: FRIDAY }]],
  ['NXT takes an issue in', [{ kind: 'nxtAdded', code: KRX_CODE, day: FRIDAY }]],
  [
    'NXT stops an issue from ten to two',
    [{ kind: 'nxtSuspended', code: NXT_CODE, from: at(100_000), until: at(140_000) }],
  ],
  [
    'an issue is halted from ten to eleven',
    [{ kind: 'halted', code: KRX_CODE, from: at(100_000), until: at(110_000) }],
  ],
  ['an issue is halted all day', [{ kind: 'halted', code: KRX_CODE, from: at(70_000), until: at(235_900) }]],
  ['a circuit breaker at half past ten', [{ kind: 'circuitBreaker', at: at(103_000) }]],
  ['one price every half hour', [{ kind: 'singlePrice', code: KRX_CODE, from: FRIDAY, until: FRIDAY }]],
  ['an issue is designated', [{ kind: 'warned', code: NXT_CODE, day: FRIDAY, as: 'warning' }]],
  ['a dividend', [{ kind: 'dividend', code: KRX_CODE, exDay: FRIDAY, payDay: MONDAY, won: 100 }]],
  [
    'a merger: three shares for one',
    [{ kind: 'merged', code: KRX_CODE, into: OTHER_CODE, stopsOn: FRIDAY, day: MONDAY, ratio: 3 }],
  ],
]

/** Each by itself, from the Friday on; their owner adjusts the stock that morning. */
export const NEW_SHARES: readonly (readonly [name: string, share: NewShare])[] = [
  ['one new share for each, on Monday', { code: KRX_CODE, day: FRIDAY, ratio: 2, creditDay: MONDAY }],
  [
    'a stock dividend of one in twenty',
    { code: KRX_CODE, day: FRIDAY, ratio: 1.05, creditDay: MONDAY, as: 'stockDividend' },
  ],
  ['a rights issue of one in two', { code: KRX_CODE, day: FRIDAY, ratio: 1.5, creditDay: MONDAY, as: 'rightsIssue' }],
  ['one share becomes five', { code: NXT_CODE, day: FRIDAY, ratio: 5, creditDay: FRIDAY }],
  ['ten shares become one', { code: KRX_CODE, day: FRIDAY, ratio: 0.1, creditDay: FRIDAY }],
]
