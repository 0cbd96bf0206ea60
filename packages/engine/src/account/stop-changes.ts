import { effectiveStop, type AccountCommand, type Book, type Fact } from '@digger/core'
import type { Changes, Loaded } from '@digger/storage'

type SetStop = Extract<AccountCommand, { kind: 'setStop' }>

/** The account itself, or one of its stocks by code. */
type Place = string | null

/** Which journal row changed the stop of an account, or of a stock, last: a looser one asked for before then undoes nothing. */
export class StopChanges {
  /** Newest journal row when the account was read: whether a stop was changed in it is not known. */
  #loaded: number
  readonly #changed = new Map<Place, number>()

  constructor({ seq }: Pick<Loaded, 'seq'>) {
    this.#loaded = seq
  }

  readAgain({ seq }: Pick<Loaded, 'seq'>): void {
    this.#loaded = seq
    this.#changed.clear()
  }

  written({ journal }: Pick<Changes, 'journal'>): void {
    for (const { seq, fact } of journal) {
      const place = stoppedBy(fact)
      if (place !== undefined) this.#changed.set(place, seq)
    }
  }

  /** Whether it would loosen a stop that whoever asked for it does not know. */
  isLate(command: AccountCommand, book: Book): boolean {
    if (command.kind !== 'setStop' || command.seen === undefined) return false
    const place = command.level === 'user' ? null : command.code
    return isLooser(command, book) && (this.#changed.get(place) ?? this.#loaded) > command.seen
  }
}

function stoppedBy(fact: Fact): Place | undefined {
  switch (fact.kind) {
    case 'userStopped':
    case 'limitReached':
      return null
    case 'stockStopped':
    case 'stockLimitReached':
    case 'stockBlocked':
      return fact.code
    default:
      return undefined
  }
}

function isLooser({ level, code, stop }: SetStop, book: Book): boolean {
  const stock = level === 'user' ? undefined : book.stocks.get(code ?? '')
  const inForce = level === 'user' ? book.stop : (stock?.stop ?? 'active')
  // Going on with a stock lifts the block of its rejects, too.
  const liftsBlock = stop === 'active' && stock?.blocked?.code === 'rejects'
  return liftsBlock || effectiveStop(inForce, stop, 'active') !== stop
}
