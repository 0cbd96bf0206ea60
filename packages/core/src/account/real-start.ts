import { planBuy } from '../ladder/buy.ts'
import type { ReasonCode } from '../ladder/reason-codes.ts'
import { heldAmount } from './expected-shares.ts'
import { gateChecks } from './gate.ts'
import { maxSharesOf } from './limits/first-days.ts'
import { liveBuyAmount } from './limits/use.ts'
import { proposalOf, wantedSells } from './selling.ts'
import { step } from './step.ts'
import { liveOrders } from './step-builder.ts'
import type { Account, AccountEvent, Context, Proposal, Quote } from './step-types.ts'
import type { Order } from './types.ts'
import { routeOf } from './venues.ts'

/** What leaving the shadow would send: orders as far as they are known before. */
export interface RealStart {
  /** At once, and one after the other. */
  readonly atOnce: readonly StartOrder[]
  /** When the next session opens, at prices like the last; empty while one is open. */
  readonly atOpening: readonly StartOrder[]
}

/** `price`: won. */
export type StartOrder = Pick<Order, 'side' | 'count' | 'price'>

/** More than any account has, won: whether the cash is enough is asked when it comes to it. */
const ENOUGH = 1_000_000_000_000

/** More than a stock has lots: where orders that are taken called for others without end, the count would not end either. */
const MAX_ANSWERS = 300

/** What the next session's opening changes: whatever else refuses an order, it refuses then, too. */
const OPENING_ENDS: ReadonlySet<ReasonCode> = new Set(['session', 'timeKnown', 'fresh', 'limitsRead', 'armed', 'queue'])

/**
 * By the last prices and where the cash is enough. A price that has grown old counts as if it had just been traded: the next trade may
 * come in a moment. Nothing is changed.
 */
export function ordersOfRealStart(account: Account, server: Context, code: string): RealStart {
  const { now: at } = server
  const quote = (of: string): Quote | undefined => {
    const last = server.quote(of)
    return last && { ...last, at, live: true }
  }
  // What the pace of a minute holds up leaves with the next one, without another press.
  const ctx: Context = { ...server, quote, limits: { ...server.limits, ordersPerMinute: null } }
  const { made, started } = startedFor(withoutPace(account), ctx, code)
  return {
    atOnce: made.filter((order) => order.code === code).map(startOrder),
    atOpening: proposalsAtOpening(started, ctx, code).map(startOrder),
  }
}

const startOrder = ({ side, count, price }: StartOrder): StartOrder => ({ side, count, price })

function withoutPace({ book, view }: Account): Account {
  const { limits } = book
  return { book: { ...book, limits: { ...limits, own: { ...limits.own, ordersPerMinute: null } } }, view }
}

/** Runs on until nothing new comes: few orders leave at a time, the next ones once the broker has taken those. */
function startedFor(account: Account, ctx: Context, code: string): { made: readonly Order[]; started: Account } {
  const made: Order[] = []
  const unsent = [...account.book.orders.values()].flatMap(({ id, status }) => (status === 'intended' ? id : []))
  let started = account
  const take = (event: AccountEvent): void => {
    const { facts, account: after } = step(started, event, ctx)
    started = after
    for (const fact of facts) {
      if (fact.kind !== 'orderIntended') continue
      made.push(fact.order)
      unsent.push(fact.order.id)
    }
  }
  take({ kind: 'command', ticket: 0, command: { kind: 'setShadow', code, shadow: false } })
  take({ kind: 'timer' })
  take({ kind: 'cash', amount: ENOUGH, askedAt: ctx.now })
  for (let answers = 0; answers < MAX_ANSWERS; answers += 1) {
    const orderId = unsent.shift()
    if (orderId === undefined) break
    take({ kind: 'accepted', orderId, odno: `P${orderId}`, orgno: '' })
    if (unsent.length === 0) take({ kind: 'timer' })
  }
  return { made, started }
}

/** As the settings have it: each sale that should rest, and the buy that the last price would bring. */
function proposalsAtOpening(account: Account, ctx: Context, code: string): Proposal[] {
  const stock = account.book.stocks.get(code)
  const quote = ctx.quote(code)
  if (stock === undefined || routeOf(account, ctx, stock.issue) !== null) return []
  const sales = wantedSells(account, ctx, stock).missing.map((plan) => proposalOf(stock, plan))
  const plan = planBuy({
    settings: stock.settings,
    kind: stock.issue.kind,
    heldAmount: heldAmount(stock),
    liveBuyAmount: liveBuyAmount(liveOrders(account.book, code)),
    price: quote?.price ?? Number.POSITIVE_INFINITY,
    buyableCount: null,
    ...maxSharesOf(account.book.limits),
    band: quote?.band ?? null,
  })
  const { price, count } = plan.kind === 'buy' ? plan : { price: 0, count: 0 }
  const buy = { stock, side: 'buy', origin: 'auto', type: 'limit', price, reservedPrice: price, count } as const
  const proposals = count === 0 ? sales : [...sales, { ...buy, lotIds: [] }]
  return proposals.filter((proposal) =>
    gateChecks(account, ctx, proposal).every(({ name, refusal }) => refusal === null || OPENING_ENDS.has(name)),
  )
}
