import {
  type KisExecution,
  NotOfferedError,
  type NewOrder,
  outcomeOf,
  type Receipt,
  refusalCause,
} from '../../src/index.ts'
import { kstDay } from '../../src/kst.ts'
import { expectOrder } from './account-checks.ts'
import { fact, LeftOut, type Paper, type PaperCheck } from './check.ts'

/** Nobody sells so low on a day that is none of a crash. */
const FAR_BELOW = 0.8

/** One share at the day's lower limit. */
async function farOrder({ rest, code }: Paper): Promise<NewOrder> {
  const quote = await rest.quote(code)
  fact(quote !== null, `${code} has no price`)
  if (quote.lower > quote.price * FAR_BELOW)
    throw new LeftOut('the price is near the day’s lower limit: an order there could fill')
  return { code, side: 'buy', type: 'limit', session: 'regular', price: quote.lower, count: 1, venue: 'KRX' }
}

/** A person has to look: nothing here sends an order or a cancellation twice. */
const stillOpen = (which: string, error: unknown): Error =>
  new Error(
    `ORDER MAY STILL BE OPEN: ${which}. Look for it in the broker's app, and cancel it there: ${error instanceof Error ? error.message : String(error)}`,
    { cause: error },
  )

/** Paper takes no orders outside the hours: nothing is wrong then. */
async function place({ rest }: Paper, order: NewOrder): Promise<Receipt> {
  try {
    return await rest.order(order)
  } catch (error) {
    if (outcomeOf(error) === 'unknown') throw stillOpen(`one share of ${order.code} at ${order.price} won`, error)
    const cause = refusalCause(error)
    if (cause !== 'hour' && cause !== 'day') throw error
    throw new LeftOut(`the exchange is closed: ${error instanceof Error ? error.message : ''}`)
  }
}

/** The order's row, as soon as it fits; null: not in time. */
async function row(
  { rest, now, pause, times }: Paper,
  { odno }: Pick<Receipt, 'odno'>,
  fits: (found: KisExecution) => boolean,
): Promise<KisExecution | null> {
  const today = kstDay(now())
  for (let waitedMs = 0; waitedMs <= times.listedWithinMs; waitedMs += times.pollMs) {
    const found = (await rest.executions({ from: today, to: today })).find((one) => one.odno === odno)
    if (found !== undefined && fits(found)) return found
    await pause(times.pollMs)
  }
  return null
}

async function cancel({ rest }: Paper, { odno, orgno }: Receipt): Promise<Receipt> {
  try {
    return await rest.cancel({ odno, orgno, type: 'limit', session: 'regular', venue: 'KRX' })
  } catch (error) {
    throw stillOpen(`number ${odno}`, error)
  }
}

/** Whatever is found out about the order, it is cancelled. */
async function whileResting<T>(paper: Paper, receipt: Receipt, look: () => Promise<T>): Promise<T> {
  try {
    return await look()
  } finally {
    await cancel(paper, receipt)
  }
}

const restAndCancel: PaperCheck = {
  name: 'one share far below the market: listed, cancelled, listed as cancelled',
  async run(paper) {
    const order = await farOrder(paper)
    const receipt = await place(paper, order)
    const today = kstDay(paper.now())
    await whileResting(paper, receipt, async () => {
      fact(
        /^\d{10}$/.test(receipt.odno) && receipt.orgno !== '',
        'the receipt has no number of ten digits, or no branch',
      )
      const listed = await row(paper, receipt, () => true)
      fact(listed !== null, `order ${receipt.odno} is not listed after ${paper.times.listedWithinMs / 1_000} s`)
      expectOrder(listed, today, today)
      fact(
        listed.code === order.code && listed.side === 'buy' && listed.count === 1 && listed.price === order.price,
        'it is listed as another order than was sent',
      )
      fact(listed.remainingCount === 1 && listed.filledCount === 0 && !listed.cancelled, 'it is not listed as resting')
      const open = await paper.rest.openOrders()
      fact(
        open.some(({ odno }) => odno === receipt.odno),
        'it rests, and is not among the open orders',
      )
    })
    const cancelled = await row(paper, receipt, (found) => found.cancelled)
    fact(cancelled !== null, `order ${receipt.odno} was cancelled and is not listed so`)
    fact(cancelled.remainingCount === 0 && cancelled.filledCount === 0, 'a cancelled order has shares left or filled')
    return 'as it was sent, with one number everywhere'
  },
}

const otherVenue: PaperCheck = {
  name: 'an order for NXT, which paper does not take',
  async run(paper) {
    const order = await farOrder(paper)
    const error = await paper.rest.order({ ...order, venue: 'NXT' }).then(
      () => null,
      (thrown: unknown) => thrown,
    )
    fact(error instanceof NotOfferedError, 'the client does not say that paper has KRX alone')
    return 'said by the client, without a request'
  },
}

/** Only where somebody asked for orders. */
export const ORDER_CHECKS: readonly PaperCheck[] = [otherVenue, restAndCancel]
