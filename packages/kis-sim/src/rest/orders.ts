import { kstTime, type Venue } from '@digger/core'
import { REVISE_CODE } from '@digger/kis'
import { admit, pricingRefusal, reserved, standstill } from '../exchange/admission.ts'
import { DIVISIONS } from '../exchange/divisions.ts'
import { REFUSALS } from '../exchange/refusals.ts'
import type { SimOrder } from '../ledger/account.ts'
import { badInput, field, missingField, refused, success, type Reply, type Call } from './call.ts'

const VENUES: readonly Venue[] = ['KRX', 'NXT', 'SOR']

/** Branch that routes the orders: five digits, in use on real and paper. */
export const BRANCH = { real: '06010', paper: '00950' } as const

const numeric = (text: string): boolean => /^\d+$/.test(text)

export function orderCash(call: Call): Reply {
  for (const name of ['PDNO', 'ORD_DVSN', 'ORD_QTY', 'ORD_UNPR'])
    if (!call.params.has(name.toLowerCase())) return missingField(name)
  const venue = venueOf(call)
  const price = field(call, 'ORD_UNPR') || '0'
  if (venue === null) return refused(call, REFUSALS.noVenue)
  if (!numeric(field(call, 'ORD_QTY'))) return refused(call, REFUSALS.badCount)
  if (!numeric(price)) return refused(call, REFUSALS.offGrid)

  const { broker, account } = call
  const admission = admit(broker.exchange, account, {
    code: field(call, 'PDNO'),
    side: call.name === 'orderSell' ? 'sell' : 'buy',
    division: field(call, 'ORD_DVSN'),
    count: Number(field(call, 'ORD_QTY')),
    price: Number(price),
    trigger: Number(field(call, 'CNDT_PRIC') || 0),
    venue,
  })
  if ('refusal' in admission) return refused(call, admission.refusal)
  const order = broker.ledger.accept(broker.clock.now(), admission.order)
  return sent(call, order)
}

export function orderRevise(call: Call): Reply {
  for (const name of ['ORGN_ODNO', 'RVSE_CNCL_DVSN_CD', 'ORD_QTY', 'ORD_UNPR', 'QTY_ALL_ORD_YN']) {
    if (!call.params.has(name.toLowerCase())) return missingField(name)
  }
  const kind = field(call, 'RVSE_CNCL_DVSN_CD')
  if (kind !== REVISE_CODE.modify && kind !== REVISE_CODE.cancel) {
    return badInput('OPSQ2001', 'ERROR : INPUT INVALID_CHECK_RVSE_CNCL_DVSN_CD')
  }
  const { broker, account } = call
  const original = account.order(broker.ledger.day, field(call, 'ORGN_ODNO').padStart(10, '0'))
  if (!original || original.change === 'cancel') return refused(call, REFUSALS.unknownOrder)
  if (!canReach(call, original)) return refused(call, REFUSALS.otherVenue)
  const branch = field(call, 'KRX_FWDG_ORD_ORGNO')
  if (branch !== '' && branch !== BRANCH[account.env]) return refused(call, REFUSALS.unknownOrder)
  if (original.remaining === 0) return refused(call, REFUSALS.nothingLeft)

  const count = field(call, 'QTY_ALL_ORD_YN') === 'Y' ? original.remaining : Number(field(call, 'ORD_QTY'))
  if (!Number.isSafeInteger(count) || count <= 0) return refused(call, REFUSALS.badCount)
  if (count > original.remaining) return refused(call, REFUSALS.tooMuchToChange)
  return kind === REVISE_CODE.cancel ? cancel(call, original, count) : modify(call, original, count)
}

function cancel(call: Call, original: SimOrder, count: number): Reply {
  const order = call.broker.ledger.accept(call.broker.clock.now(), {
    ...identity(original),
    count,
    price: 0,
    original: original.odno,
    change: 'cancel',
    reservedPrice: 0,
  })
  return sent(call, order)
}

function modify(call: Call, original: SimOrder, count: number): Reply {
  const issue = call.broker.exchange.issue(original.code)
  const division = field(call, 'ORD_DVSN') || original.division
  const price = Number(field(call, 'ORD_UNPR') || 0)
  const refusal = standstill(issue) ?? pricingRefusal(issue, division, price)
  const kind = DIVISIONS.get(division)
  if (refusal || !kind) return refused(call, refusal ?? REFUSALS.badDivision)
  const reservedPrice = reserved(issue, kind, price)
  const extraWon = Math.ceil((reservedPrice - original.reservedPrice) * count * (1 + call.account.brokerage))
  if (original.side === 'buy' && extraWon > call.account.orderable()) return refused(call, REFUSALS.funds)
  const order = call.broker.ledger.accept(call.broker.clock.now(), {
    ...identity(original),
    division,
    count,
    price,
    original: original.odno,
    change: 'modify',
    reservedPrice,
  })
  return sent(call, order)
}

const identity = ({ account, code, side, division, trigger, venue, routed }: SimOrder) => ({
  account,
  code,
  side,
  division,
  trigger,
  venue,
  routed,
})

/** The broker's receipt, and the order on its way. */
function sent(call: Call, order: SimOrder): Reply {
  const { broker, account } = call
  const lag = broker.dice.within(broker.latency.listing) + broker.faults.lag('listingLag', account.number)
  if (lag > 0) broker.visibility.hide(order, order.at + lag * broker.timeScale())
  broker.exchange.send(order)
  return receipt(call, order)
}

/** The reply to an order the broker has accepted. */
export function receipt(call: Call, order: Pick<SimOrder, 'odno' | 'at'>): Reply {
  const { account } = call
  const output = {
    KRX_FWDG_ORD_ORGNO: BRANCH[account.env],
    ODNO: order.odno,
    ORD_TMD: kstTime(order.at),
  }
  if (account.env === 'real') return success('APBK0013', '주문 전송 완료 되었습니다.', { output })
  if (call.name === 'orderRevise') {
    const verb = field(call, 'RVSE_CNCL_DVSN_CD') === REVISE_CODE.modify ? '정정' : '취소'
    return success('40620000', `모의투자 ${verb}주문이 완료 되었습니다.`, { output })
  }
  return call.name === 'orderBuy'
    ? success('40600000', '모의투자 매수주문이 완료 되었습니다.', { output })
    : success('40590000', '모의투자 매도주문이 완료 되었습니다.', { output })
}

/** Transaction ids from before NXT reach KRX alone. */
function venueOf(call: Call): Venue | null {
  const named = call.old ? 'KRX' : field(call, 'EXCG_ID_DVSN_CD') || 'KRX'
  return VENUES.find((venue) => venue === named) ?? null
}

function canReach(call: Call, original: SimOrder): boolean {
  const { assumed } = call.broker
  if (call.old) return original.venue === 'KRX' || assumed.decide('oldIdsReachNxt')
  return venueOf(call) === original.venue || assumed.decide('cancelOnOtherVenue') === 'accept'
}
