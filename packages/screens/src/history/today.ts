import { MAX_DONE, MAX_WAITING, type Today } from '@digger/contract'
import { type Attention, type Book, kstIso, nextOrders, perShareDown, perShareUp } from '@digger/core'
import type { Db } from '@digger/database'
import type { Accounts } from '@digger/engine'
import type { z } from 'zod'
import { dayDone, daySums, netByMinute, type DoneRow } from './day-trades.ts'

type View = z.infer<typeof Today>

interface Parts {
  readonly accounts: Accounts
  readonly db: Db
  /** The market's time. */
  readonly now: number
}

/** The account's day: what is past comes from the tables, what is to come from its book. */
export async function todayView({ accounts, db, now }: Parts, userId: string): Promise<View> {
  const { day } = accounts.book(userId)
  // One after the other: a screen takes one connection of the pool.
  const sums = await daySums(db, userId, day)
  const minutes = await netByMinute(db, userId, day)
  const done = await dayDone(db, userId, day, MAX_DONE)
  const book = accounts.book(userId)
  const waiting = waitingOf(accounts, book)
  const { at, differing } = accounts.comparison(userId)
  const { buys, bought, sales, sold, gain, net } = sums
  return {
    day,
    bought: { count: buys, amount: bought },
    sold: { count: sales, amount: sold, gainAmount: gain, costAmount: gain - net, netGainAmount: net },
    curve: curveOf(minutes),
    done: done.map((row) => doneView(book, row)),
    doneCount: buys + sales,
    waiting: waiting.slice(0, MAX_WAITING),
    waitingCount: waiting.length,
    attention: accounts.attention(userId).map((one) => attentionView(book, one, now)),
    compared: { at: at === null ? null : kstIso(at), stocks: book.stocks.size, differing: [...differing] },
  }
}

function curveOf(minutes: readonly { readonly at: number; readonly net: number }[]): View['curve'] {
  let sum = 0
  return minutes.map(({ at, net }) => ({ at: kstIso(at), netGainAmount: (sum += net) }))
}

function doneView(
  { stocks }: Book,
  { at, code, name, side, count, amount, net, origin, why }: DoneRow,
): View['done'][number] {
  return {
    at: kstIso(at),
    code,
    name: stocks.get(code)?.name ?? name ?? code,
    orderType: side === 'buy' ? 'BUY' : 'SELL',
    qty: count,
    price: (side === 'buy' ? perShareUp : perShareDown)(amount, count),
    amount,
    netGainAmount: net,
    auto: origin && origin === 'auto',
    why: amount === 0 ? NEVER_CAME : why === '' ? null : why,
  }
}

const NEVER_CAME = '받지 못한 주식의 산 값을 손실로 적었습니다.'

/** Nearest first: by how far the price has to go. What has no price is last. */
function waitingOf(accounts: Accounts, book: Book): View['waiting'] {
  return nextOrders(book, accounts.serverStop(), { shadow: accounts.rehearsesAll() })
    .map(({ code, side, price, count, isOut }) => {
      const currentPrice = accounts.lastPrice(code)?.price ?? null
      const way = currentPrice === null ? Infinity : Math.abs(price / currentPrice - 1)
      const name = book.stocks.get(code)?.name ?? code
      const orderType = side === 'buy' ? ('BUY' as const) : ('SELL' as const)
      return { way, view: { code, name, orderType, price, qty: count, isOut, currentPrice } }
    })
    .sort((a, b) => (a.way === b.way ? 0 : a.way - b.way))
    .map(({ view }) => view)
}

const attentionView = (
  { stocks }: Book,
  { kind, code, forMs, text }: Attention,
  now: number,
): View['attention'][number] => ({
  kind,
  code,
  name: code && (stocks.get(code)?.name ?? code),
  since: kstIso(now - forMs),
  text,
})
