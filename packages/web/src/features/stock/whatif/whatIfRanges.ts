import { addDays } from '@digger/core'
import type { Unit } from './protocol.ts'

export type PastRange = 'quarter' | 'year' | 'three' | 'ten' | 'minute'

export const PAST_RANGES: readonly (readonly [PastRange, string])[] = [
  ['quarter', '3개월'],
  ['year', '1년'],
  ['three', '3년'],
  ['ten', '10년'],
  ['minute', '분봉 60일'],
]

/** Three years are what the page begins with. */
export const pastRangeOf = (text: string): PastRange =>
  PAST_RANGES.map(([range]) => range).find((range) => range === text) ?? 'three'

export const unitOf = (range: PastRange): Unit => (range === 'minute' ? 'minute' : 'day')

const DAYS = { quarter: 92, year: 366, three: 3 * 365 + 1, ten: 10 * 365 + 3 } as const

/** The first day of a range that ends with `last`; '' for all there are. */
export const firstDay = (range: PastRange, last: string): string =>
  range === 'minute' ? '' : addDays(last, 1 - DAYS[range])
