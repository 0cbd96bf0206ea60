import type { Route } from '../krx/route.ts'
import { onGrid } from '../krx/tick.ts'
import type { Context, Proposal } from './step-types.ts'

interface Asked extends Proposal {
  readonly ctx: Context
  readonly route: Route | null
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
