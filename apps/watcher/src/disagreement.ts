import type { JournalReading } from './journal.ts'
import type { StopTime } from './journal-account.ts'
import type { OrderList } from './order-list.ts'

/** How long the server has for what it must do, and how far two clocks may differ, ms. */
export interface Graces {
  /** An accepted order must be listed by then. */
  readonly listingMs: number
  /** A foreign order must be put before a person by then. */
  readonly strangerMs: number
  /** An order whose reply was lost must be found in the list by then. */
  readonly settlingMs: number
  /** A fill must be booked by then. */
  readonly bookingMs: number
  /** An order may still arrive this long after a stop: its bytes were on the way. */
  readonly stoppingMs: number
  /** The broker counts whole seconds, and its clock may differ from the journal's. */
  readonly clockMs: number
}

export const GRACES: Graces = {
  listingMs: 60_000,
  strangerMs: 60_000,
  settlingMs: 180_000,
  bookingMs: 90_000,
  stoppingMs: 15_000,
  clockMs: 5_000,
}

/** What one look at one account saw. */
export interface Look extends JournalReading {
  readonly list: OrderList
  /** The times in which the whole server was seen halted, besides the stops of the journal. */
  readonly serverStops: readonly StopTime[]
}

export type Kind =
  | 'double'
  | 'stranger'
  | 'unsettled'
  | 'foreign'
  | 'unlisted'
  | 'other'
  | 'twice'
  | 'unbooked'
  | 'overbooked'
  | 'stopped'

/** One thing in which list and journal disagree. It has the same key as long as it is the very same. */
export interface Disagreement {
  readonly kind: Kind
  readonly key: string
  /** For whose account it is: codes, counts and numbers. */
  readonly text: string
}

/** What everybody may read of it; null where it is no reason to halt. */
export const REASONS: Readonly<Record<Kind, string | null>> = {
  double: '같은 주문이 증권사에 두 번 들어갔습니다.',
  stranger: '장부에 없는 주문이 체결됐는데 서버가 알아채지 못했습니다.',
  unsettled: '응답을 받지 못한 주문이 증권사에 있는데 서버가 찾지 못했습니다.',
  foreign: null,
  unlisted: '증권사가 받았다고 한 주문이 증권사 기록에 없습니다.',
  other: '장부의 주문과 증권사의 주문이 번호는 같은데 내용이 다릅니다.',
  twice: '증권사의 한 주문이 장부에 두 번 적혀 있습니다.',
  unbooked: '체결된 것이 장부에 적히지 않았습니다.',
  overbooked: '증권사보다 장부에 더 많이 체결된 것으로 적혀 있습니다.',
  stopped: '멈춘 뒤에 주문이 나갔습니다.',
}

/** What only a running server can put right: while there is none, nobody trades either. */
export const NEEDS_SERVER: ReadonlySet<Kind> = new Set(['stranger', 'unsettled', 'foreign', 'unbooked'])

/** Since when each disagreement has been there, by an even clock, ms. */
export type Standing = ReadonlyMap<string, number>

/** How long a disagreement stands before it is believed; null: it is believed at once. */
export function graceOf(kind: Kind, graces: Graces): number | null {
  switch (kind) {
    case 'double':
      return null
    case 'stranger':
    case 'foreign':
      return graces.strangerMs
    case 'unsettled':
      return graces.settlingMs
    case 'unbooked':
      return graces.bookingMs
    default:
      return 0
  }
}
