import { z } from 'zod'
import type { CancelOrder, NewOrder, Receipt, WriteGuard } from '../api.ts'
import { KisError, NotOfferedError, NotSentError, OutcomeUnknownError } from '../errors.ts'
import { kstDay, kstInstant } from '../kst.ts'
import { padOdno } from '../odno.ts'
import type { ApiReply } from '../transport/api-reply.ts'
import { ORD_DVSN, REVISE_CODE } from '../wire/codes.ts'
import type { RestContext } from './context.ts'
import { odno, parse, single, text } from './fields.ts'

/** Zeros stand for "no order" wherever the broker names one. */
const ordered = odno.refine((value) => /^\d*[1-9]\d*$/.test(value), 'names no order')
const ReplyBody = z.object({ output: single(z.object({ krx_fwdg_ord_orgno: text, odno: ordered, ord_tmd: text })) })

export async function sendOrder(kis: RestContext, order: NewOrder, guard?: WriteGuard): Promise<Receipt> {
  checkVenue(kis, order)
  const ordDvsn = orderType(order)
  const priced = order.type === 'limit'
  if (!isPositive(order.count) || (priced && !isPositive(order.price))) {
    throw new NotSentError('주문 수량과 가격은 1 이상의 정수여야 합니다.')
  }
  const body = {
    ...kis.account,
    PDNO: order.code,
    ORD_DVSN: ordDvsn,
    ORD_QTY: String(order.count),
    // "0" where the type has no price; such buys reserve cash at the upper limit price.
    ORD_UNPR: priced ? String(order.price) : '0',
    EXCG_ID_DVSN_CD: order.venue,
  }
  const reply = await kis.calls.order(order.side === 'buy' ? 'orderBuy' : 'orderSell', body, guard)
  return receiptOf(reply, kis.now())
}

/** Whole remainder: ORD_QTY "0" with QTY_ALL_ORD_YN "Y". */
export async function sendCancel(kis: RestContext, order: CancelOrder, guard?: WriteGuard): Promise<Receipt> {
  checkVenue(kis, order)
  const body = {
    ...kis.account,
    KRX_FWDG_ORD_ORGNO: order.orgno,
    ORGN_ODNO: padOdno(order.odno),
    // "00" cancels every regular order; one with a code of its own keeps it.
    ORD_DVSN: codesOf(order) === 'regular' ? ORD_DVSN.limit : orderType(order),
    RVSE_CNCL_DVSN_CD: REVISE_CODE.cancel,
    ORD_QTY: '0',
    ORD_UNPR: '0',
    QTY_ALL_ORD_YN: 'Y',
    EXCG_ID_DVSN_CD: order.venue,
  }
  return receiptOf(await kis.calls.order('orderRevise', body, guard), kis.now())
}

const isPositive = (value: number): boolean => Number.isSafeInteger(value) && value > 0

/** NXT's pre-market and KRX's after-market have codes of their own; an evening order on NXT is a plain one. */
function codesOf({ session, venue }: Pick<NewOrder, 'session' | 'venue'>): 'pre' | 'regular' | 'after' {
  if (session === 'pre') return 'pre'
  return session === 'after' && venue !== 'NXT' ? 'after' : 'regular'
}

const NO_MARKET_ORDERS = {
  pre: '프리마켓에는 시장가 주문이 없습니다.',
  after: '애프터마켓에는 시장가 주문이 없습니다.',
}

function orderType(order: Pick<NewOrder, 'type' | 'session' | 'venue'>): string {
  const codes = codesOf(order)
  if (codes === 'regular') {
    if (order.type === 'market' && order.venue === 'NXT')
      throw new NotSentError('넥스트레이드에는 시장가 주문이 없습니다.')
    return ORD_DVSN[order.type]
  }
  if (order.type === 'market') throw new NotSentError(NO_MARKET_ORDERS[codes])
  if (codes === 'pre') return order.type === 'limit' ? ORD_DVSN.preLimit : ORD_DVSN.preBest
  return order.type === 'limit' ? ORD_DVSN.afterLimit : ORD_DVSN.afterBest
}

function checkVenue(kis: RestContext, { venue }: Pick<NewOrder, 'venue'>): void {
  if (kis.env === 'paper' && venue !== 'KRX') throw new NotOfferedError('모의투자 주문은 KRX에만 낼 수 있습니다.')
}

/** Accepted; when its number cannot be read the order exists all the same, so the ledger decides. */
function receiptOf(reply: ApiReply, now: number): Receipt {
  try {
    const { output } = parse(ReplyBody, reply, 'order receipt')
    const at = kstInstant(kstDay(now), output.ord_tmd)
    return { odno: output.odno, orgno: output.krx_fwdg_ord_orgno, orderedAt: Number.isNaN(at) ? now : at }
  } catch (error) {
    if (!(error instanceof KisError)) throw error
    throw new OutcomeUnknownError('주문은 접수되었지만 주문 번호를 읽지 못했습니다.', reply.code, error)
  }
}
