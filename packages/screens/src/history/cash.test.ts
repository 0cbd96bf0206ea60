import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { costs, emptyBook, evolve, type Book, type Holding, type Order } from '@digger/core'
import { SETTINGS } from '@digger/engine/testing'
import { Cash } from './cash.ts'

const DAY = '20261120'
const AT = Date.parse('2026-11-20T10:00:00+09:00')
const START = 10_000_000
const issue = { code: '005930', kind: 'stock', market: 'KOSPI', nxt: true } as const
const stock = evolve(emptyBook(DAY), {
  kind: 'stockAdded',
  at: AT,
  code: '005930',
  name: '삼성전자',
  issue,
  settings: SETTINGS,
})

/** A whole order that the exchange filled: shares bought into a lot of their own, or the shares of one lot sold. */
interface Deal {
  readonly side: 'buy' | 'sell'
  readonly count: number
  readonly price: number
}

const orderOf = ({ side, count, price }: Deal, id: number, at: number): Order => ({
  id,
  code: '005930',
  side,
  origin: 'auto',
  type: 'limit',
  price,
  count,
  venue: 'KRX',
  session: 'regular',
  lots: [{ lotId: id, count }],
  status: 'intended',
  day: DAY,
  odno: null,
  orgno: null,
  filledCount: 0,
  filledAmount: 0,
  reservedPrice: price,
  createdAt: at,
  updatedAt: at,
  why: '',
  note: null,
  absentFrom: null,
  cancelAsked: false,
  cancelWanted: false,
})

/** The book after a deal; a sale takes the shares of the lot before it. */
function booked(book: Book, deal: Deal, id: number, at: number): Book {
  const { side, count, price } = deal
  const amount = count * price
  const order = orderOf(deal, id, at)
  const lot = {
    id,
    count,
    buyPrice: price,
    buyAmount: amount,
    boughtAt: at,
    buyOrderId: null,
    heldBack: false,
    takenOver: false,
  }
  const sold = book.stocks.get('005930')?.lots[0]
  const filled = evolve(evolve(book, { kind: 'orderIntended', at, order }), {
    kind: 'orderFilled',
    at,
    orderId: id,
    count,
    amount,
  })
  if (side === 'buy') return evolve(filled, { kind: 'lotBought', at, code: '005930', lot })
  if (sold === undefined) throw new Error('nothing to sell')
  return evolve(filled, {
    kind: 'lotSold',
    at,
    lotId: sold.id,
    trade: {
      id: sold.id,
      code: '005930',
      count,
      buyPrice: sold.buyPrice,
      buyAmount: sold.buyAmount,
      boughtAt: sold.boughtAt,
      sellPrice: price,
      sellAmount: amount,
      soldAt: at,
      day: DAY,
      fee: 0,
      tax: 0,
    },
  })
}

function moved(deposit: number, { side, count, price }: Deal): number {
  const amount = count * price
  const { fee, tax } = costs({ side, amount, market: 'KOSPI', kind: 'stock', day: DAY })
  return deposit + (side === 'sell' ? amount : -amount) - fee - tax
}

const balanceOf = (deposit: number, shares: number) => ({
  depositAmount: deposit,
  stockValueAmount: 0,
  leftAt: 0,
  holdings: shares === 0 ? [] : [{ ...HOLDING, count: shares }],
})
const HOLDING: Holding & { price: number; gainAmount: number; gainRatio: number } = {
  code: '005930',
  name: '삼성전자',
  count: 0,
  sellableCount: 0,
  averagePrice: 0,
  buyAmount: 0,
  price: 0,
  gainAmount: 0,
  gainRatio: 0,
}

/** Buys and sales by turns, so that there is always just one lot to sell; shares differ from deal to deal. */
const deals = fc
  .array(fc.record({ count: fc.integer({ min: 1, max: 9 }), price: fc.integer({ min: 100, max: 999 }) }), {
    minLength: 1,
    maxLength: 6,
  })
  .map((pairs) =>
    pairs.flatMap(({ count, price }): Deal[] => [
      { side: 'buy', count, price: price * 100 },
      { side: 'sell', count, price: price * 101 },
    ]),
  )

describe('the deposit that goes with the lots', () => {
  test('is what it was when the broker had just those deals, however far the broker is ahead', () => {
    fc.assert(
      fc.property(deals, fc.array(fc.nat(2), { maxLength: 40 }), (list, turns) => {
        const cash = new Cash()
        const broker = { deposit: START, shares: 0, done: 0 }
        let book = stock
        let expected = START
        let done = 0
        cash.receive('me', book, balanceOf(START, 0), AT)
        for (const [second, turn] of turns.entries()) {
          const at = AT + second * 1_000
          const next = list[broker.done]
          if (turn === 0 && next !== undefined && broker.done === done) {
            broker.deposit = moved(broker.deposit, next)
            broker.shares += next.side === 'buy' ? next.count : -next.count
            broker.done += 1
          }
          const late = list[done]
          if (turn === 1 && late !== undefined && done < broker.done) {
            book = booked(book, late, done + 1, at)
            expected = moved(expected, late)
            done += 1
          }
          if (turn === 2) cash.receive('me', book, balanceOf(broker.deposit, broker.shares), at)
          expect(cash.of('me', book)).toBe(expected)
        }
      }),
    )
  })

  test('follows the broker when shares differ for good, after ten seconds', () => {
    const cash = new Cash()
    cash.receive('me', stock, balanceOf(START, 0), AT)
    const sold = balanceOf(START - 700_000, 10)
    cash.receive('me', stock, sold, AT + 5_000)
    cash.receive('me', stock, sold, AT + 14_999)
    expect(cash.of('me', stock)).toBe(START)
    cash.receive('me', stock, sold, AT + 15_000)
    expect(cash.of('me', stock)).toBe(START - 700_000)
  })

  test('is unknown before the first reading, and belongs to one user', () => {
    const cash = new Cash()
    cash.receive('me', stock, balanceOf(START, 0), AT)
    expect(cash.of('you', stock)).toBeNull()
  })

  test('a new day starts from the broker’s reading, whatever it holds', () => {
    const cash = new Cash()
    const bought = booked(stock, { side: 'buy', count: 2, price: 70_000 }, 1, AT)
    cash.receive('me', stock, balanceOf(START, 0), AT)
    const tomorrow = evolve(bought, { kind: 'dayOpened', at: AT + 86_400_000, day: '20261121' })
    expect(cash.of('me', tomorrow)).toBe(START)
    cash.receive('me', tomorrow, balanceOf(9_859_979, 3), AT + 86_400_000)
    expect(cash.of('me', tomorrow)).toBe(9_859_979)
  })
})
