import { disagreements, keyOf, type Truth } from '../agreement/agreement.ts'
import type { ReplayResult } from '../replay/replay.ts'

type Filled = Extract<Truth['events'][number], { kind: 'filled' }>

const fillsByPhone = ({ events, orders }: Truth): Filled[] => {
  const theirs = new Set(orders.filter(({ byPhone }) => byPhone === true).map(({ day, odno }) => keyOf(day, odno)))
  return events.filter((event) => event.kind === 'filled').filter((event) => theirs.has(keyOf(event.day, event.odno)))
}

/** Shares that somebody bought by phone more than they sold, per code; only where that is not nothing. */
export function sharesByPhone(truth: Truth): Map<string, number> {
  const net = new Map<string, number>()
  for (const { code, side, count } of fillsByPhone(truth))
    net.set(code, (net.get(code) ?? 0) + (side === 'buy' ? count : -count))
  return new Map([...net].filter(([, count]) => count !== 0))
}

/** What the broker would have without the orders that people made by phone: no book is to know those. */
export function withoutPhone(truth: Truth): Truth {
  const fills = new Set(fillsByPhone(truth))
  const net = sharesByPhone(truth)
  const spent = [...fills].reduce(
    (sum, { side, price, count, fee, tax }) => sum + (side === 'buy' ? price * count : -price * count) + fee + tax,
    0,
  )
  const codes = new Set([...truth.holdings.map(({ code }) => code), ...net.keys()])
  return {
    ...truth,
    events: truth.events.filter((event) => event.kind !== 'filled' || !fills.has(event)),
    orders: truth.orders.filter(({ byPhone }) => byPhone !== true),
    holdings: [...codes].map((code) => {
      const held = truth.holdings.find((one) => one.code === code) ?? { code, count: 0, sellable: 0, averagePrice: 0 }
      return { ...held, count: held.count - (net.get(code) ?? 0) }
    }),
    cashAfter: truth.cashAfter + spent,
  }
}

/** The problems of a run, with those of book and broker as they are beside what people did by phone. */
export function problemsBesidePhone({ problems, book, truth }: ReplayResult): string[] {
  const compared = new Set(disagreements(book, truth))
  return [...disagreements(book, withoutPhone(truth)), ...problems.filter((text) => !compared.has(text))]
}
