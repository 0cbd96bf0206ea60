import type { Timetable } from '@digger/core'
import type { Clock, Db } from '@digger/database'
import type { Reader, Series } from './series.ts'

/** What a step needs. */
export interface WorkParts {
  readonly db: Db
  readonly reader: Reader
  /** The market's. */
  readonly clock: Pick<Clock, 'now'>
  readonly timetable: () => Timetable
  /** Resolves when so many calls may leave; throws Stopped. */
  readonly wait: (calls: number) => Promise<void>
}

/** What came of a step: more is to be done, all is done, or another reader has the series. */
export type Ended =
  | { readonly kind: 'goOn'; readonly series: Series }
  | { readonly kind: 'done' }
  | { readonly kind: 'lost' }

/** This process ends: nothing more is asked of the broker. */
export class Stopped extends Error {
  override readonly name = 'Stopped'
}
