import { describe, expect, it } from 'vitest'
import { NotOfferedError, refusalCause, RefusedError, ThrottledError } from '../errors.ts'
import { causeOf, type RefusalCause } from './refusals.ts'

/** Words as public projects, logs and the broker's own notices quote them. */
const SEEN: readonly (readonly [code: string, message: string, cause: RefusalCause])[] = [
  ['APBK0918', '장운영시간이 아닙니다.(주문불가)', 'hour'],
  ['APBK0918', '장운영시간이 아닙니다.(장시작전)', 'hour'],
  ['APBK0919', '장 운영시간이 아닙니다.', 'hour'],
  ['KIOK0320', '주문가능시간이 아닙니다', 'hour'],
  ['40570000', '모의투자 장시작전 입니다.', 'hour'],
  ['40580000', '모의투자 장종료 입니다.', 'hour'],
  ['APBK3013', '[애프터마켓]지정가 및 최유리/최우선지정가 주문만 가능합니다.', 'hour'],
  ['APBK3013', '[단일가매매]지정가 및 시장가 주문만 가능합니다.', 'hour'],
  ['APBK1943', '시장가호가불가로 주문이 불가합니다.', 'hour'],
  ['APBK0919', '영업일이 아닙니다.', 'day'],
  ['40910001', '모의투자 영업일이 아닙니다.', 'day'],
  ['40100000', '모의투자 영업일이 아닙니다.', 'day'],
  ['APBK0918', 'NXT 거래불가 종목입니다.', 'venue'],
  ['APBK0918', '거래소구분을 확인하여 주십시오.', 'venue'],
  ['APBK0918', '매매거래정지 종목으로 주문이 불가합니다.', 'halted'],
  ['40910003', '모의투자 거래정지 종목입니다.(매매불가 종목)', 'halted'],
  ['APBK0918', 'NXT 거래정지 종목으로 주문이 불가합니다.', 'venue'],
  ['APBK0918', '넥스트레이드 매매거래정지 종목입니다.', 'venue'],
  ['APBK0918', '상/하한가를 벗어난 주문단가입니다.', 'priceLimit'],
  ['40270000', '모의투자 상/하한가 오류', 'priceLimit'],
  ['EGW00201', '초당 거래건수를 초과하였습니다.', 'call'],
  ['EGW00123', '기간이 만료된 token 입니다.', 'call'],
  ['APBK0918', '주문가능금액을 초과 했습니다.', 'order'],
  ['APBK0400', '주문 가능한 수량을 초과 하였습니다.', 'order'],
  ['APBK1234', '매도가능한 잔고가 없습니다.', 'order'],
  ['APBK0656', '해당종목정보가 없습니다.', 'order'],
  ['40270000', '모의투자 주문단가 오류입니다.(호가단위 오류)', 'order'],
  ['APBK0918', '주문이 불가한 계좌입니다.', 'order'],
  ['40910000', '모의투자 주문이 불가한 계좌입니다.', 'order'],
]

describe('why an order was refused', () => {
  it.each(SEEN)('%s %s: %s', (code, message, cause) => expect(causeOf(code, message)).toBe(cause))

  it('reads words before codes, and codes where the words say nothing', () => {
    expect(causeOf('40580000', '모의투자 영업일이 아닙니다.')).toBe('day')
    expect(causeOf('40580000', '')).toBe('hour')
    expect(causeOf(null, '')).toBe('order')
  })

  it('holds too many calls against nobody, and what this environment lacks against the order', () => {
    expect(refusalCause(new ThrottledError('초당 거래건수를 초과하였습니다.', 'EGW00201'))).toBe('call')
    expect(refusalCause(new NotOfferedError('모의투자에서 제공하지 않습니다.', 'EGW02006'))).toBe('order')
    expect(refusalCause(new RefusedError('영업일이 아닙니다.', 'APBK0919'))).toBe('day')
    expect(refusalCause(new Error('영업일이 아닙니다.'))).toBe('order')
  })
})
