import { emptyView, type View } from './view.ts'

type Plain<V> =
  V extends ReadonlyMap<infer K, infer T>
    ? readonly (readonly [K, T])[]
    : V extends ReadonlySet<infer T>
      ? readonly T[]
      : V

/** A view as data for JSON: what is as in an empty view is left out, a Map is a list of pairs, a Set a list. */
export type PlainView = {
  readonly [Group in keyof View]?: { readonly [Field in keyof View[Group]]?: Plain<View[Group][Field]> }
}

/** What a view says beyond an empty one; `viewOf` makes the view of it again. */
export function differing(view: View): object {
  const groups: Record<string, object> = {}
  const empty = new Map<string, object>(Object.entries(emptyView))
  for (const [name, group] of Object.entries(view)) {
    const fields = fieldsDiffering(group, empty.get(name) ?? {})
    if (fields.length > 0) groups[name] = Object.fromEntries(fields)
  }
  return groups
}

function fieldsDiffering(group: object, empty: object): [string, unknown][] {
  const before = new Map<string, unknown>(Object.entries(empty))
  const fields: [string, unknown][] = Object.entries(group)
  return fields.flatMap(([name, value]): [string, unknown][] => {
    if (value === before.get(name)) return []
    if (!(value instanceof Map || value instanceof Set)) return [[name, value]]
    return value.size === 0 ? [] : [[name, [...value]]]
  })
}

/** The view that `differing` told of. A field that is a Map or a Set and is not named here does not pass the types. */
export function viewOf({ connection, readSchedule, cash = {}, orders = {}, stocks = {} }: PlainView): View {
  return {
    connection: { ...emptyView.connection, ...connection },
    readSchedule: { ...emptyView.readSchedule, ...readSchedule },
    cash: { ...emptyView.cash, ...cash, acceptedAt: new Map(cash.acceptedAt) },
    orders: {
      ...emptyView.orders,
      ...orders,
      cancelsOut: new Set(orders.cancelsOut),
      cancelAfter: new Map(orders.cancelAfter),
      operatorConfirmed: new Set(orders.operatorConfirmed),
      clockUncertain: new Set(orders.clockUncertain),
      missingSince: new Map(orders.missingSince),
      unlisted: new Map(orders.unlisted),
      noticedFills: new Map(orders.noticedFills),
      refusedByNotice: new Set(orders.refusedByNotice),
      nothingLeft: new Map(orders.nothingLeft),
      seenBefore: new Map(orders.seenBefore),
      strangers: new Map(orders.strangers?.map(([key, one]) => [key, { ...one, replaces: one.replaces ?? null }])),
    },
    stocks: {
      suspectedMismatches: new Map(stocks.suspectedMismatches),
      waits: new Map(stocks.waits),
      notOnNxt: new Set(stocks.notOnNxt),
      heldBuys: new Set(stocks.heldBuys),
      dueSince: new Map(stocks.dueSince),
      strangerFillsSince: new Map(stocks.strangerFillsSince),
      agreedStrangers: new Map(stocks.agreedStrangers),
      correctedStrangers: new Map(stocks.correctedStrangers),
      uncompared: new Set(stocks.uncompared),
    },
  }
}
