import {
  beginnerLimits,
  ceilingOf,
  inForce,
  kstIso,
  LIMIT_NAMES,
  limitUse,
  type Book,
  type LimitName,
  type ServerLimits,
  type Stop,
} from '@digger/core'

/** Who stopped what, and the limits that did it by themselves. */
export const stopsView = (
  { stop, stocks, limits, otherServer: { suspected } }: Book,
  server: Stop,
  serverReason: string | null,
) => ({
  server,
  serverReason,
  user: stop,
  stocks: [...stocks.values()].map((stock) => ({ code: stock.issue.code, stop: stock.stop })),
  reached: limits.trips.map((one) => ({ ...one, at: kstIso(one.at) })),
  otherServer: suspected === null ? null : { text: suspected.text, at: kstIso(suspected.at) },
})

interface Now {
  readonly now: number
  /** What the server's environment sets for every account. */
  readonly limits: ServerLimits
  readonly quote: (code: string) => { readonly price: number } | undefined
  /** Won that may be ordered for; null: the broker has not said. */
  readonly cash: number | null
}

/** The form of who never decided; nothing holds of it. */
const NO_FIRST_DAYS = { on: false, days: 5, amount: 1_000_000, startedOn: null, usedDays: 0, pending: null } as const
/** What a share may rise by on a day, as a factor. */
const UPPER = 1.3

function proposedOf(book: Book, { limits: server, quote }: Now, worth: number) {
  const prices = [...book.stocks.values()].map(({ issue }) => quote(issue.code)?.price ?? 0)
  const dearest = Math.ceil(Math.max(0, ...prices) * UPPER)
  return beginnerLimits({ worth: Math.max(0, Math.floor(worth)), dearest, limits: book.limits, server })
}

/** Every limit as it holds now, how much of it is used, and what waits for its night. */
export function limitsView(book: Book, now: Now) {
  const used = limitUse(book, now)
  const pendingOf = (name: LimitName) => {
    const pending = book.limits.pending.find(({ limit }) => limit === name)
    return pending === undefined ? null : { value: pending.value, from: pending.from }
  }
  return {
    limits: LIMIT_NAMES.map((name) => ({
      name,
      value: inForce(book.limits, now.limits, name),
      ceiling: ceilingOf(now.limits, name),
      used: used[name],
      pending: pendingOf(name),
    })),
    firstDays: book.limits.firstDays ?? NO_FIRST_DAYS,
    proposed: now.cash === null ? [] : proposedOf(book, now, now.cash + (used.positionAmount ?? 0)),
  }
}
