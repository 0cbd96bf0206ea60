/**
 * Refusals of the business side. The broker publishes no list; real codes are shared by many reasons (APBK0918 above
 * all), so clients must read the text. Paper answers with eight digits and texts of its own.
 */
export interface Refusal {
  /** `rtCd`: default 1. */
  readonly real: readonly [code: string, text: string, rtCd?: string]
  readonly paper: readonly [code: string, text: string, rtCd?: string]
}

const refusal = (real: Refusal['real'], paper: Refusal['paper']): Refusal => ({ real, paper })

export const REFUSALS = {
  unknownIssue: refusal(
    ['APBK0656', '해당종목정보가 없습니다.'],
    ['40910002', '모의투자 종목정보가 없습니다.(매매불가 종목)'],
  ),
  halted: refusal(
    ['APBK0918', '매매거래정지 종목으로 주문이 불가합니다.'],
    ['40910003', '모의투자 거래정지 종목입니다.(매매불가 종목)'],
  ),
  circuitBreaker: refusal(
    ['APBK0918', '서킷브레이커 발동으로 주문이 불가합니다.'],
    ['40910003', '모의투자 서킷브레이커 발동으로 주문이 불가합니다.'],
  ),
  closed: refusal(['APBK0918', '장운영시간이 아닙니다.(주문불가)'], ['40580000', '모의투자 장종료 입니다.']),
  beforeOpen: refusal(['APBK0918', '장운영시간이 아닙니다.(장시작전)'], ['40570000', '모의투자 장시작전 입니다.']),
  notBusinessDay: refusal(['APBK0919', '영업일이 아닙니다.'], ['40910001', '모의투자 영업일이 아닙니다.']),
  badCount: refusal(['APBK0918', '주문수량을 확인하여 주십시오.'], ['40240001', '모의투자 주문수량 오류입니다.']),
  offGrid: refusal(
    ['APBK0918', '호가단위를 확인하여 주십시오.(호가단위 오류)'],
    ['40270000', '모의투자 주문단가 오류입니다.(호가단위 오류)'],
  ),
  offLimits: refusal(['APBK0918', '상/하한가를 벗어난 주문단가입니다.'], ['40270000', '모의투자 상/하한가 오류']),
  // As the log of a real account has it (a public project, 2026); others report the same words with APBK0918 and 0919.
  funds: refusal(
    ['APBK0952', '주문가능금액을 초과 했습니다', '7'],
    ['40250000', '모의투자 주문가능금액이 부족합니다.'],
  ),
  noHolding: refusal(['APBK1234', '매도가능한 잔고가 없습니다.'], ['40240000', '모의투자 잔고내역이 없습니다.']),
  sellable: refusal(
    ['APBK0400', '주문 가능한 수량을 초과 하였습니다.'],
    ['40240000', '모의투자 주문가능수량이 부족합니다.'],
  ),
  noMarketOrder: refusal(
    ['APBK1943', '시장가호가불가로 주문이 불가합니다.'],
    ['40970000', '모의투자에서 제공하지 않는 주문유형입니다.'],
  ),
  afterMarketOnly: refusal(
    ['APBK3013', '[애프터마켓]지정가 및 최유리/최우선지정가 주문만 가능합니다.'],
    ['40970000', '모의투자에서 제공하지 않는 주문유형입니다.'],
  ),
  notInAfterMarket: refusal(
    ['APBK0918', '[애프터마켓]거래불가 종목입니다.'],
    ['40970000', '모의투자에서 제공하지 않는 주문유형입니다.'],
  ),
  auctionOnly: refusal(
    ['APBK3013', '[단일가매매]지정가 및 시장가 주문만 가능합니다.'],
    ['40970000', '모의투자에서 제공하지 않는 주문유형입니다.'],
  ),
  badDivision: refusal(
    ['APBK1269', '주문구분을 확인하여 주십시오.'],
    ['40970000', '모의투자에서 제공하지 않는 주문유형입니다.'],
  ),
  notOnNxt: refusal(['APBK0918', 'NXT 거래불가 종목입니다.'], ['40970001', '모의투자에서 제공하지 않는 거래소입니다.']),
  haltedOnNxt: refusal(
    ['APBK0918', 'NXT 거래정지 종목으로 주문이 불가합니다.'],
    ['40970001', '모의투자에서 제공하지 않는 거래소입니다.'],
  ),
  noVenue: refusal(
    ['APBK0918', '거래소구분을 확인하여 주십시오.'],
    ['40970001', '모의투자에서 제공하지 않는 거래소입니다.'],
  ),
  unknownOrder: refusal(
    ['APBK0918', '원주문번호가 존재하지 않습니다.'],
    ['40320000', '모의투자 원주문번호가 존재하지 않습니다.'],
  ),
  otherVenue: refusal(
    ['APBK0918', '원주문과 거래소구분이 다릅니다.'],
    ['40970001', '모의투자에서 제공하지 않는 거래소입니다.'],
  ),
  nothingLeft: refusal(
    ['APBK0918', '정정/취소할 수량이 없습니다.'],
    ['40330000', '모의투자 정정/취소할 수량이 없습니다.'],
  ),
  tooMuchToChange: refusal(
    ['APBK0918', '정정/취소 가능수량을 초과 하였습니다.'],
    ['40330000', '모의투자 정정/취소 가능수량을 초과하였습니다.'],
  ),
  accountExpired: refusal(
    ['APBK0918', '주문이 불가한 계좌입니다.'],
    ['40910000', '모의투자 주문이 불가한 계좌입니다.'],
  ),
} as const satisfies Record<string, Refusal>
