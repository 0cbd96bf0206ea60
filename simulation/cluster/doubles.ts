import type { DatabaseModel } from '../database/model.ts'
import { Violation } from '../violation.ts'
import { CUSTOMERS } from './customers.ts'
import type { WrittenOrder } from './worker.ts'

/** An order as the broker took it. */
export interface TakenOrder {
  readonly account: string
  readonly code: string
  readonly side: 'buy' | 'sell'
  readonly count: number
  readonly price: number
}

interface Seen extends Pick<WrittenOrder, 'userId' | 'order'> {
  /** Orders of the same stock and side that the tables called not placed when this one was written. */
  readonly givenUp: ReadonlySet<number>
  /** Ms since the start of the run. */
  readonly writtenAt: number
  isTaken: boolean
}

/** No kernel delivers later than this what was written: it gives up 102 s after the write, ms. */
const LATEST_MS = 105_000

/** Watches the broker's own list of orders for two of them that were made for the same lot, or for the same step down. */
export class Doubles {
  taken = 0
  readonly #database: Pick<DatabaseModel, 'query'>
  readonly #seen: Seen[] = []

  readonly #now: () => number

  /** `now`: ms since the start of the run. */
  constructor(database: Pick<DatabaseModel, 'query'>, now: () => number) {
    this.#database = database
    this.#now = now
  }

  /** Whether no order that was written can arrive any more. */
  get noneOut(): boolean {
    return this.#out.length === 0
  }

  get #out(): Seen[] {
    return this.#seen.filter(({ isTaken, writtenAt }) => !isTaken && this.#now() - writtenAt < LATEST_MS)
  }

  /** Its bytes are written in this turn; they may arrive later, or never. */
  written({ userId, order }: WrittenOrder): void {
    if (this.#seen.some((one) => one.userId === userId && one.order.id === order.id)) return
    const rows = this.#database.query(
      `select id from account_order where user_id = $1 and code = $2 and side = $3 and status = 'notPlaced'`,
      [userId, order.code, order.side],
    )
    this.#seen.push({
      userId,
      order,
      givenUp: new Set(rows.map(({ id }) => Number(id))),
      writtenAt: this.#now(),
      isTaken: false,
    })
  }

  /** Throws Violation when the broker has two orders where one was wanted. */
  take(taken: TakenOrder): void {
    this.taken += 1
    const userId = CUSTOMERS.find(({ credentials }) => credentials.accountNumber === taken.account)?.userId
    // Of several that look the same it may be either: both are there in the end, or one is not.
    const found = this.#out.findLast((one) => one.userId === userId && isLike(one, taken))
    if (found === undefined) throw new Violation('the broker takes what was written, once', JSON.stringify(taken))
    found.isTaken = true
    for (const other of this.#seen) if (other.isTaken && isDouble(found, other)) throw doubleOf(found, other)
  }
}

const isLike = ({ order }: Seen, { code, side, count, price }: TakenOrder): boolean =>
  order.code === code && order.side === side && order.count === count && order.price === price

/** The later one was made because the earlier one was taken for lost. */
function isDouble(one: Seen, other: Seen): boolean {
  const [earlier, later] = one.order.id < other.order.id ? [one, other] : [other, one]
  if (earlier.userId !== later.userId || !later.givenUp.has(earlier.order.id)) return false
  return later.order.side === 'buy' || later.order.lots.some(({ lotId }) => hasLot(earlier, lotId))
}

const hasLot = ({ order }: Seen, lotId: number): boolean => order.lots.some((lot) => lot.lotId === lotId)

function doubleOf(one: Seen, other: Seen): Violation {
  const ids = [one.order.id, other.order.id].sort((a, b) => a - b).join(' and ')
  const { side, code, lots } = one.order
  const what = side === 'buy' ? 'the same step down' : `lot ${lots.map(({ lotId }) => lotId).join()}`
  return new Violation('no double order', `${one.userId} ${side}s ${code} for ${what}: orders ${ids} are at the broker`)
}
