import { tickSize, type Timetable } from '../../src/index.ts'
import type { Agenda } from './agenda.ts'
import type { Cause, Listed, Request } from './broker-types.ts'
import { isHourOf, openRoutes } from './routes.ts'

/** What the broker knows beside the stock. */
interface Ground {
  readonly agenda: Agenda
  readonly timetable: Timetable
  readonly env: 'real' | 'paper'
  /** Shares that are in no open sell. */
  readonly free: number
  /** Won that the order would leave. */
  readonly cashLeft: number
}

/** A margin account: the broker itself would let Digger buy on credit. */
const CREDIT = 100_000_000

/** Why the broker does not take an order, and what its words are read as; null: it takes it. */
export function refusalOf(
  request: Request,
  stock: Listed,
  ground: Ground,
): readonly [text: string, cause: Cause] | null {
  const { agenda, timetable, env } = ground
  const isTaken = openRoutes(stock, agenda.now, timetable, env).some(
    ({ venue, session }) => venue === request.venue && session === request.session,
  )
  if (!isTaken)
    return isHourOf(stock, request, agenda.now, timetable, env)
      ? ['이 거래소에서는 주문할 수 없는 종목입니다.', 'venue']
      : ['장 운영 시간이 아닙니다.', 'hour']
  if (stock.halted) return ['거래 정지 종목입니다.', 'halted']
  if (request.type === 'limit') {
    if (request.price % tickSize(request.price, stock.issue.kind) !== 0) return ['호가 단위 오류입니다.', 'order']
    if (request.price > stock.band.upper || request.price < stock.band.lower)
      return ['상하한가를 벗어난 가격입니다.', 'priceLimit']
  }
  if (request.side === 'sell') return ground.free < request.count ? ['주문 가능 수량을 초과했습니다.', 'order'] : null
  return ground.cashLeft < -CREDIT ? ['주문 가능 금액을 초과했습니다.', 'order'] : null
}
