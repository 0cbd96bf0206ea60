/**
 * What a refused order was refused for, as far as the broker's words tell. All but `order` are facts about the moment, and
 * say nothing against the order: the hour, the day, the venue, a halt, the day's price limits, an intake that is shut, cash
 * or shares that are not free, the call itself (its rate, its token). Words that nobody has sorted are `order`.
 */
export type RefusalCause =
  | 'hour'
  | 'day'
  | 'venue'
  | 'halted'
  | 'priceLimit'
  | 'service'
  | 'money'
  | 'shares'
  | 'call'
  | 'order'

/**
 * The broker publishes no list, and its codes are shared by many reasons (APBK0918: closed market, funds, holdings), so the
 * words come first. The first row that fits counts. The test beside this file quotes what each row was made for, and where
 * it was seen.
 */
const CAUSES: readonly (readonly [RefusalCause, RegExp])[] = [
  ['day', /영업일|휴장일|휴장입니다|거래일이 아|운영일자/],
  // "NXT 거래정지 종목": one venue has stopped the issue (the 15 % rule, a warning), the other trades it.
  ['venue', /(NXT|넥스트레이드|대체거래소)\s?(매매\s?)?(거래\s?)?정지/i],
  // "매매거래정지 종목", VI, circuit breaker: nothing trades, or only by single price.
  ['halted', /거래\s?정지|매매\s?정지|정지\s?종목|임시\s?정지|서킷|변동성\s?완화|VI\s?발동/i],
  ['priceLimit', /상\s?\/?\s?하한가|상한가|하한가|가격\s?제한폭/],
  // "[애프터마켓]지정가 및 … 주문만 가능합니다", "시장가호가불가": the kind of order is not taken at this hour.
  [
    'hour',
    /장\s?운영\s?시간|장\s?시작\s?전|장\s?개시\s?전|장\s?종료|장\s?마감|(거래|장)\s?시간\s?외|(주문|매매)\s?((가능|불가)\s?)?시간|접수\s?시간/,
  ],
  ['hour', /주문만 가능|단일가\s?매매|시장가\s?(호가|매매|주문)?\s?불가/],
  ['service', /접수.{0,4}(중단|중지)|점검/],
  ['money', /(주문|매수)\s?가능\s?(금액|현금)|(예수금|현금|잔액|증거금).{0,6}부족/],
  [
    'shares',
    /(주문|매도)\s?가능\s?한?\s?(수량|잔고)|(보유|잔고)\s?(수량|주식)?.{0,3}(부족|초과)|잔고\s?(내역)?.{0,2}없/,
  ],
  ['venue', /NXT|넥스트레이드|대체거래소|거래소\s?구분|애프터\s?마켓|프리\s?마켓|SOR/i],
]

/** Codes that mean one thing only, for messages that say something else or nothing. */
const BY_CODE: ReadonlyMap<string, RefusalCause> = new Map([
  ['KIOK0320', 'hour'],
  ['40570000', 'hour'],
  ['40580000', 'hour'],
  ['40100000', 'day'],
  ['40910001', 'day'],
])

/** Codes of the gateway: it looked at the call, and no order system saw the order. */
const GATEWAY_CODE = /^(EGW|IGW)/

/** A cancel that came too late: "정정/취소할 수량이 없습니다", "원주문번호가 존재하지 않습니다". */
export const saysNothingLeft = (code: string | null, message: string): boolean =>
  code === '40330000' || /취소\s?(가능|할)\s?수량|원주문/.test(message)

export function causeOf(code: string | null, message: string): RefusalCause {
  if (code !== null && GATEWAY_CODE.test(code)) return 'call'
  const byWords = CAUSES.find(([, words]) => words.test(message))?.[0]
  return byWords ?? BY_CODE.get(code ?? '') ?? 'order'
}
