import type { Fact } from './facts.ts'
import type { Book, Order, Stock } from './types.ts'

/** Facts, and the book before and after them. */
export interface Change {
  readonly before: Book
  readonly after: Book
  readonly facts: readonly Fact[]
}

/** The order a fact is about. A new day drops ended orders from the book: then the book before the change has it. */
export function orderOf(fact: Fact, { before, after }: Change): Order | null {
  if (fact.kind === 'orderIntended') return fact.order
  return 'orderId' in fact ? (after.orders.get(fact.orderId) ?? before.orders.get(fact.orderId) ?? null) : null
}

/** Numbers of lots and past trades; a buy order names the lot that it has yet to make. */
export function touchedLots(change: Change, stock: Stock | undefined): ReadonlySet<number> {
  const lots = new Set(change.facts.flatMap((fact) => lotsOf(fact, change)))
  const isTargetShared = stock?.settings.autoSellWithAvgPrice === true
  if (isTargetShared && change.facts.some(movesAverage)) for (const { id } of stock.lots) lots.add(id)
  return lots
}

function lotsOf(fact: Fact, change: Change): readonly number[] {
  if (fact.kind === 'lotBought') return [fact.lot.id]
  if (fact.kind === 'lotSold') return [fact.lotId, fact.trade.id]
  if (fact.kind === 'lotSplit') return [fact.lotId, fact.newLotId]
  if (fact.kind === 'lotsHeldBack' || fact.kind === 'lotsReleased') return fact.lotIds
  if (fact.kind === 'stockAdjusted' || fact.kind === 'expectedGivenUp') return fact.lots.map(({ id }) => id)
  return orderOf(fact, change)?.lots.map(({ lotId }) => lotId) ?? []
}

const MOVES_AVERAGE: ReadonlySet<Fact['kind']> = new Set(['lotBought', 'lotSold', 'lotsReleased', 'expectedGivenUp'])
const movesAverage = ({ kind }: Fact): boolean => MOVES_AVERAGE.has(kind)
