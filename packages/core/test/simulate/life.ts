import { isLive, outlook, type ReasonCode } from '../../src/index.ts'
import { Violation } from './violation.ts'
import type { Simulation } from './simulation.ts'

/** In peace a call is answered within a second; one that is out for longer will never be, ms. */
const ANSWERED_MS = 5_000
/** What is due leaves within this, ms: a question about cash, a failed one's wait, and the queue. */
const DUE_MS = 30_000

/** Why a buy that the price asks for may stay away for ever: money, a limit, or the settings. All else must pass. */
const MAY_HOLD = new Set<ReasonCode>([
  'unitTooSmall',
  'capReached',
  'notEnoughCash',
  'noLowerPrice',
  'maxBuyPrice',
  'maxBuyAmount',
  'orderAmount',
  'dailyBuyAmount',
  'ordersPerMinute',
  'lossAmount',
  'positionAmount',
  'outOfBand',
])

/**
 * After the last fault the price falls to where each stock buys next, so that something is due. Returns from when on orders
 * count as an answer to it.
 */
export function fallToNextBuys({ broker, shell }: Simulation): number {
  for (const stock of broker.stocks.values()) {
    const next = shell.account.book.stocks.get(stock.issue.code)?.nextBuyPrice ?? null
    if (next !== null && next < stock.price) stock.price = Math.max(next, stock.band.lower)
  }
  return shell.now
}

/** The account lives: armed, nothing waits for an answer, and what is due has left. Returns the automatic orders since. */
export function checkLife(simulation: Simulation, since: number): number {
  checkArmed(simulation)
  checkNothingWaits(simulation)
  let orders = 0
  for (const { order } of simulation.monitor.intents.values())
    if (order.origin === 'auto' && order.createdAt >= since) orders += 1
  for (const code of simulation.shell.account.book.stocks.keys()) checkDueBuy(simulation, code, since)
  return orders
}

function checkArmed({ shell }: Simulation): void {
  const { authorised, armed } = shell.account.view.connection
  if (!authorised || !armed) throw new Violation('life', 'the account is not armed long after the last fault')
}

function checkNothingWaits({ shell }: Simulation): void {
  const { readSchedule, cash, orders, stocks } = shell.account.view
  const isOut = (since: number | null): boolean => since !== null && shell.now - since > ANSWERED_MS
  if (readSchedule.running && isOut(readSchedule.startedAt)) throw new Violation('life', 'a reading never comes back')
  // It is asked anew when something needs the answer.
  if (isOut(cash.askedAt) && stocks.dueSince.size > 0)
    throw new Violation('life', 'a question about cash is never answered')
  if (orders.pendingSales.length > 0) throw new Violation('life', "a person's sale waits for ever")
  for (const { status, cancelWanted } of shell.account.book.orders.values())
    if (cancelWanted && isLive(status)) throw new Violation('life', 'an order that a person wants gone is still there')
  if (orders.noticedFills.size > 0 && shell.now - orders.noticedAt > DUE_MS)
    throw new Violation('life', `noticed and never booked: ${[...orders.noticedFills.keys()].join(', ')}`)
  for (const [what, at] of stocks.dueSince)
    if (shell.now - at > DUE_MS) throw new Violation('life', `${what} is due and held up by ourselves`)
}

/** The price stands where the stock buys, so it was bought, or cannot be for a reason that time does not mend. */
function checkDueBuy({ shell, monitor }: Simulation, code: string, since: number): void {
  const stock = shell.account.book.stocks.get(code)
  const price = shell.quotes.get(code)?.price
  if (stock?.nextBuyPrice == null || price === undefined || price > stock.nextBuyPrice) return
  for (const { order } of monitor.intents.values())
    if (order.code === code && order.side === 'buy' && order.createdAt >= since) return
  const context = shell.context()
  const held = outlook(shell.account, context, code).reasons.find(({ side, ok }) => side === 'buy' && !ok)
  if (held !== undefined && MAY_HOLD.has(held.code)) return
  const isLimit = held?.code === 'stop' && shell.account.book.limits.trips.length > 0
  if (!isLimit) throw new Violation('life', `${code} is due at ${price} and not bought: ${held?.text ?? 'no reason'}`)
}
