import type { Route } from '../krx/route.ts'
import { onGrid } from '../krx/tick.ts'
import { heldAmount } from './expected-shares.ts'
import { liveBuyAmount } from './limits/use.ts'
import type { Context, Proposal } from './step-types.ts'
import type { Order } from './types.ts'

interface Asked extends Proposal {
  readonly ctx: Context
  readonly route: Route | null
  readonly live: readonly Order[]
}

export function refuseOffGrid({ type, price, stock }: Asked): string | null {
  return type !== 'limit' || onGrid(price, stock.issue.kind) ? null : '호가 단위에 맞지 않는 가격입니다.'
}

export function refuseOutOfBand({ type, price, stock, ctx }: Asked): string | null {
  const band = ctx.quote(stock.issue.code)?.band ?? null
  if (type !== 'limit' || band === null) return null
  return price > band.upper || price < band.lower ? '오늘의 상한가·하한가를 벗어난 가격입니다.' : null
}

export function refuseMarketType({ type, route }: Asked): string | null {
  return type === 'market' && route?.marketOrders === false
    ? '지금은 시장가 주문을 받지 않습니다. 가격을 정해 주문해 주세요.'
    : null
}

/** The planner never asks for more than the settings allow; this check holds should it ever be wrong, and binds people too. */
export function refuseAboveMaxPrice({ stock, side, reservedPrice }: Asked): string | null {
  const { maxBuyPrice } = stock.settings
  if (side === 'sell' || !maxBuyPrice) return null
  return reservedPrice <= maxBuyPrice
    ? null
    : '최고 매수가보다 비싼 매수라 주문하지 않습니다. 최고 매수가를 확인해 주세요.'
}

export function refuseAboveMaxAmount({ stock, side, reservedPrice, count, live }: Asked): string | null {
  const { maxBuyAmount } = stock.settings
  if (side === 'sell' || !maxBuyAmount) return null
  const worst = heldAmount(stock) + liveBuyAmount(live) + reservedPrice * count
  return worst <= maxBuyAmount ? null : '최대 매수 금액을 넘어 주문하지 않습니다. 최대 매수 금액을 확인해 주세요.'
}
