import { bookItem, cashItem } from './book.ts'
import { clockItem, hoursItem, keyItem, noticesItem } from './connection.ts'
import { baseItem, limitsItem, MOVED, venuesItem } from './stocks.ts'
import { MORNING_ITEMS, type MorningInput, type MorningItem, type MorningItemName, type MorningState } from './types.ts'

const RULES: Readonly<Record<MorningItemName, (input: MorningInput) => MorningItem>> = {
  key: keyItem,
  notices: noticesItem,
  clock: clockItem,
  hours: hoursItem,
  limits: limitsItem,
  venues: venuesItem,
  base: baseItem,
  book: bookItem,
  cash: cashItem,
}

/**
 * What an account has before it trades by itself, and what it waits for. It looks at what the gate looks at and decides nothing: what is
 * red here the gate refuses for reasons of its own (`preconditions.ts`, `limitsRead`, `frozen`, `armed`, `reconciled`, and cash in `buying.ts`).
 */
export const morningCheck = (input: MorningInput): MorningItem[] => MORNING_ITEMS.map((item) => RULES[item](input))

const WORSE: readonly MorningState[] = ['notApplicable', 'ok', 'waiting', 'red']

/** The worst of them: what one line says of an account. */
export const morningState = (items: readonly Pick<MorningItem, 'state'>[]): MorningState =>
  items.reduce<MorningState>(
    (worst, { state }) => (WORSE.indexOf(state) > WORSE.indexOf(worst) ? state : worst),
    'notApplicable',
  )

/** Of these nothing else calls a person; a moved base, a difference and a missing key have calls of their own. */
const CALLED: ReadonlySet<MorningItemName> = new Set(['notices', 'clock', 'hours', 'limits', 'base', 'cash'])

export const redToCall = (items: readonly MorningItem[]): MorningItem[] =>
  items.filter(({ item, state, text }) => state === 'red' && CALLED.has(item) && text !== MOVED)

/** `key=ok notices=ok limits=red(005930)`: for a log; nothing of it is a secret. */
export const morningLine = (items: readonly MorningItem[]): string =>
  items
    .map(({ item, state, codes }) => `${item}=${state}${codes.length > 0 ? `(${codes.slice(0, 10).join(',')})` : ''}`)
    .join(' ')
