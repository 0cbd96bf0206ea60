import { barringStatus, STATUS_NAMES, type IssueStatus } from '../krx/issue-status.ts'
import { frozenText } from './frozen.ts'
import type { Context, Proposal, Quote } from './step-types.ts'

export { frozenText, isFrozen } from './frozen.ts'

type Checked = Pick<Proposal, 'stock' | 'side' | 'origin'> & { readonly ctx: Context }

export const refuseHalted = ({ ctx, stock }: Checked): string | null =>
  ctx.quote(stock.issue.code)?.halted === true ? '거래가 정지된 종목입니다. 정지가 풀린 뒤에 주문할 수 있습니다.' : null

export const refuseFrozen = ({ ctx, stock, origin }: Checked): string | null =>
  origin === 'person' ? null : frozenText(stock, ctx.quote(stock.issue.code)?.moved)

/** A ladder buys ever more of what falls: of a share that may leave the exchange, or was driven up, nothing by itself. */
export function refuseDesignated({ ctx, stock, side, origin }: Checked): string | null {
  if (side === 'sell' || origin === 'person') return null
  const status = barredAs(ctx.quote(stock.issue.code))
  if (status === null) return null
  const why = `${STATUS_NAMES[status]} 종목이라 자동으로 사지 않습니다.`
  if (status === 'liquidation') return `${why} 상장폐지를 앞두고 있습니다. 가진 주식은 그대로 팝니다.`
  return `${why} 가진 주식은 그대로 팔고, 지정이 풀리면 다시 삽니다.`
}

/** Where the broker said nothing of it, nothing bars: the day's limits, which a buy waits for, come in the same reply. */
export const barredAs = (quote: Pick<Quote, 'statuses'> | undefined): IssueStatus | null =>
  barringStatus(quote?.statuses ?? [])
