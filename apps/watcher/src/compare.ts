import {
  graceOf,
  NEEDS_SERVER,
  type Disagreement,
  type Graces,
  type Kind,
  type Look,
  type Standing,
} from './disagreement.ts'
import type { IntendedOrder } from './journal-account.ts'
import { koreanDay } from './korean-time.ts'
import type { ListedOrder } from './order-list.ts'
import { againstStop } from './stops.ts'

/** Two listed orders this near to each other, alike in all, are taken for one sent twice, ms. */
const DOUBLE_WITHIN_MS = 10_000
/** An order leaves, or is given up, within this long of being written down, ms. */
const UNDER_WAY_MS = 130_000

/** Everything in which the broker's list and the journal disagree. Pure: the same look gives the same answer. */
export function compare(look: Look, day: string, graces: Graces): Disagreement[] {
  const { list, before, after } = look
  const own = [...after.orders.values()].filter((order) => order.day === day)
  const claims = Map.groupBy(
    own.filter(({ odno }) => odno !== null),
    ({ odno }) => odno ?? '',
  )
  const found: Disagreement[] = []
  for (const row of list.orders) {
    const [order, ...more] = claims.get(row.odno) ?? []
    if (order === undefined) found.push(...unclaimed(row, look, { own, claims, graces }))
    else found.push(...claimed(row, order, look))
    if (more.length > 0) found.push(of('twice', row, row.odno, `주문 ${order?.id}, ${more[0]?.id}`))
    found.push(...againstStop(row, order !== undefined, look, graces).map(() => of('stopped', row, row.odno)))
  }
  const listed = new Set(list.orders.map(({ odno }) => odno))
  for (const order of before.orders.values()) {
    if (order.day !== day || order.odno === null || listed.has(order.odno)) continue
    if (list.at - order.numberedAt < graces.listingMs) continue
    found.push({ kind: 'unlisted', key: `unlisted ${day} ${order.odno}`, text: describe(order, order.odno) })
  }
  return found
}

/** A row that the journal has by its number. */
function claimed(row: ListedOrder, order: IntendedOrder, { before }: Look): Disagreement[] {
  if (!isRowOf(row, order)) return [of('other', row, row.odno, `장부에는 ${describe(order, row.odno)}`)]
  // Booked before the list was asked for, so the list must have it, too.
  const booked = before.orders.get(order.id)?.filled ?? 0
  if (booked > row.filled) return [of('overbooked', row, `${row.odno} ${booked}`, `장부에는 ${booked}주 체결`)]
  if (row.filled > order.filled)
    return [of('unbooked', row, `${row.odno} ${order.filled}`, `장부에는 ${order.filled}주 체결`)]
  return []
}

interface OwnOrders {
  readonly own: readonly IntendedOrder[]
  readonly claims: ReadonlyMap<string, readonly IntendedOrder[]>
  readonly graces: Graces
}

/** A row of a stock in the book that no number of the journal names. */
function unclaimed(row: ListedOrder, look: Look, { own, claims, graces }: OwnOrders): Disagreement[] {
  const { list, after } = look
  const addedAt = after.codes.get(row.code)
  // Before the stock was in the book its orders were nobody's business here.
  if (addedAt === undefined || row.at < addedAt - graces.clockMs) return []
  const nameless = own.filter(
    (order) => order.odno === null && isRowOf(row, order) && order.at <= row.at + graces.clockMs,
  )
  const twins = list.orders.filter((one) => isAlike(row, one) && Math.abs(one.at - row.at) <= DOUBLE_WITHIN_MS)
  const ofNobody = twins.filter(({ odno }) => !claims.has(odno))
  const underWay = nameless.filter((order) => order.at >= row.at - UNDER_WAY_MS)
  const isOurs = underWay.length > 0 || ofNobody.length < twins.length
  if (isOurs && ofNobody.length > underWay.length) return [of('double', row, row.odno)]
  // Put before a person by the server itself: what is left of it is theirs.
  const block = after.blocks.get(row.code)
  if (block !== undefined && (block.inForce || block.at >= row.at - graces.clockMs)) return []
  if (nameless.length > 0) return [of('unsettled', row, row.odno)]
  // A person's order by phone that moved no share, or that another took back: the book is right all the same.
  const isHarmless = row.filled === 0 || sharesOfNobody(row.code, list.orders, claims) === 0
  return [of(isHarmless ? 'foreign' : 'stranger', row, row.odno)]
}

function sharesOfNobody(code: string, rows: readonly ListedOrder[], claims: OwnOrders['claims']): number {
  let shares = 0
  for (const row of rows) {
    if (row.code === code && !claims.has(row.odno)) shares += row.side === 'buy' ? row.filled : -row.filled
  }
  return shares
}

type Traits = Pick<ListedOrder, 'code' | 'side' | 'count' | 'price'>

/** An order that was sent without a price may be listed at 0, or at the price it got. */
const isRowOf = (row: ListedOrder, order: IntendedOrder): boolean =>
  isAlike(row, order.type === 'limit' ? order : { ...order, price: row.price })

const isAlike = (a: Traits, b: Traits): boolean =>
  a.code === b.code && a.side === b.side && a.count === b.count && a.price === b.price

function of(kind: Kind, row: ListedOrder, name: string, more = ''): Disagreement {
  const text = [describe(row, row.odno), `증권사에 ${row.filled}주 체결`, more].filter(Boolean).join(', ')
  return { kind, key: `${kind} ${koreanDay(row.at)} ${name}`, text }
}

const describe = ({ code, side, count, price }: Traits, odno: string): string =>
  `${code} ${side === 'buy' ? '매수' : '매도'} ${count}주 ${price}원 주문 ${odno}`

export interface Believed {
  readonly believed: readonly Disagreement[]
  readonly standing: Standing
}

/**
 * What may be believed by now: what two looks in a row showed for as long as it may take to be put right, and a double
 * order at once. `serverRuns`: whether there is one that could put it right.
 */
export function believe(
  found: readonly Disagreement[],
  before: Standing,
  { now, graces, serverRuns }: { now: number; graces: Graces; serverRuns: boolean },
): Believed {
  const waiting = found.filter(({ kind }) => serverRuns || !NEEDS_SERVER.has(kind))
  const standing = new Map(waiting.map(({ key }) => [key, before.get(key) ?? now]))
  const believed = waiting.filter(({ kind, key }) => {
    const grace = graceOf(kind, graces)
    const since = before.get(key)
    return grace === null || (since !== undefined && now - since >= grace)
  })
  return { believed, standing }
}
