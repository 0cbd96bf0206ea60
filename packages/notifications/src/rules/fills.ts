import { grouped, realisedNetGain, won, type Fact } from '@digger/core'
import type { NotificationFill } from '@digger/database'

/** A row of the journal that is about a fill, with the order it names. */
export interface FillLine {
  readonly seq: number
  readonly at: number
  readonly fact: Fact
  /** Of the fact's order; null on facts that name none. */
  readonly code: string | null
  readonly side: 'buy' | 'sell' | null
  readonly name: string | null
}

export interface FillNotification {
  readonly seq: number
  readonly at: number
  readonly kind: 'bought' | 'sold'
  readonly code: string
  readonly text: string
  readonly amounts: string
  readonly fill: NotificationFill
}

/** Shares and won of an order so far. */
export interface Total {
  readonly count: number
  readonly amount: number
}

/**
 * One notification for each fill. The fact of a fill says the totals of its order so far, so that `before` is needed: what was filled of
 * each order before these lines. The facts of the lots that were sold follow it and say what came of them.
 */
export function fillsOf(lines: readonly FillLine[], before: ReadonlyMap<number, Total>): FillNotification[] {
  const totals = new Map(before)
  const found: FillNotification[] = []
  for (const [index, line] of lines.entries()) {
    const { fact, code, side } = line
    if (fact.kind !== 'orderFilled' || code === null || side === null) continue
    const total = totals.get(fact.orderId) ?? { count: 0, amount: 0 }
    totals.set(fact.orderId, fact)
    const fill: NotificationFill = {
      order: fact.orderId,
      side,
      count: fact.count - total.count,
      amount: fact.amount - total.amount,
      net: side === 'buy' ? null : netOf(lines, index, code, fact.count - total.count),
      totalCount: fact.count,
      totalAmount: fact.amount,
    }
    if (fill.count <= 0) continue
    const kind = side === 'buy' ? 'bought' : 'sold'
    found.push({ seq: line.seq, at: line.at, kind, code, ...fillText(line.name ?? code, fill), fill })
  }
  return found
}

/**
 * Won realised by a fill of `count` shares: of the sales that stand right behind it. Whoever corrects shares or gives some up sells lots,
 * too, and no fill comes before those.
 */
function netOf(lines: readonly FillLine[], fill: number, code: string, count: number): number {
  let [net, left] = [0, count]
  for (let index = fill + 1; left > 0; index += 1) {
    const [before, line] = [lines[index - 1], lines[index]]
    if (before === undefined || line?.seq !== before.seq + 1) break
    const { fact } = line
    if (fact.kind !== 'lotSold' || fact.trade.code !== code) break
    net += realisedNetGain(fact.trade) ?? 0
    left -= fact.trade.count
  }
  return net
}

const VERBS = { buy: '샀습니다', sell: '팔았습니다' } as const

function fillText(name: string, { side, count, amount, net }: NotificationFill) {
  const price = `주당 ${won(Math.round(amount / count))}, 모두 ${won(amount)}`
  return {
    text: `${name} ${grouped(count)}주를 ${VERBS[side]}`,
    amounts: net === null ? price : `${price}, ${gainText(net)}`,
  }
}

/** `순이익 +1,234원`, `순손실 -1,234원`. */
export const gainText = (net: number): string =>
  net < 0 ? `순손실 -${won(-net)}` : `순이익 ${net > 0 ? '+' : ''}${won(net)}`
