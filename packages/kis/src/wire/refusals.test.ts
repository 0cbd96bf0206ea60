import { describe, expect, it } from 'vitest'
import { NotOfferedError, refusalCause, RefusedError, ThrottledError } from '../errors.ts'
import { causeOf, type RefusalCause } from './refusals.ts'

/**
 * Where the words were seen. real: an owner of a real account, who keeps a table of them (canduk910/auto_stock,
 * docs/kis/error-codes.md and src/api/balance.py). log: logs, issues and notes of other public clients (APBK0952 with rt_cd 7,
 * "장운영일자" with APBK0919, 4… of the paper host). test: only in tests of public clients. guess: the broker's screens and papers
 * use these words; nobody quotes them from this interface.
 */
type Source = 'real' | 'log' | 'test' | 'guess'

const SEEN: readonly (readonly [code: string, message: string, cause: RefusalCause, source: Source])[] = [
  ['APBK0918', '장운영시간이 아닙니다.(주문불가)', 'hour', 'real'],
  ['APBK0918', '장운영시간이 아닙니다.(장시작전)', 'hour', 'log'],
  ['APBK0919', '장 운영시간이 아닙니다.', 'hour', 'log'],
  ['KIOK0320', '주문가능시간이 아닙니다', 'hour', 'log'],
  ['40570000', '모의투자 장시작전 입니다.', 'hour', 'log'],
  ['40580000', '모의투자 장종료 입니다.', 'hour', 'log'],
  ['APBK3013', '[애프터마켓]지정가 및 최유리/최우선지정가 주문만 가능합니다.', 'hour', 'real'],
  ['APBK3013', '[단일가매매]지정가 및 시장가 주문만 가능합니다.', 'hour', 'log'],
  ['APBK1943', '시장가호가불가로 주문이 불가합니다.', 'hour', 'real'],
  ['APBK0919', '영업일이 아닙니다.', 'day', 'log'],
  ['40910001', '모의투자 영업일이 아닙니다.', 'day', 'log'],
  ['40100000', '모의투자 영업일이 아닙니다.', 'day', 'log'],
  ['APBK0918', 'NXT 거래불가 종목입니다.', 'venue', 'log'],
  ['APBK0918', '거래소구분을 확인하여 주십시오.', 'venue', 'log'],
  ['APBK0918', '매매거래정지 종목으로 주문이 불가합니다.', 'halted', 'log'],
  ['40910003', '모의투자 거래정지 종목입니다.(매매불가 종목)', 'halted', 'log'],
  ['APBK0918', 'NXT 거래정지 종목으로 주문이 불가합니다.', 'venue', 'log'],
  ['APBK0918', '넥스트레이드 매매거래정지 종목입니다.', 'venue', 'log'],
  ['APBK0918', '상/하한가를 벗어난 주문단가입니다.', 'priceLimit', 'log'],
  ['40270000', '모의투자 상/하한가 오류', 'priceLimit', 'log'],
  ['EGW00201', '초당 거래건수를 초과하였습니다.', 'call', 'log'],
  ['EGW00123', '기간이 만료된 token 입니다.', 'call', 'log'],
  ['APBK0918', '장운영시간이 아닙니다.([프리마켓] 시장가 매매 불가 시간)', 'hour', 'real'],
  ['APBK3013', '[단일가매매] 지정가 주문(신규/정정/취소) 및 최유리/최우선 취소 주문만 가능합니다', 'hour', 'real'],
  ['APBK1943', '시장가매매불가 종목입니다', 'hour', 'real'],
  ['APBK3013', '단일가매매 시간에는 받지 않는 주문입니다.', 'hour', 'guess'],
  ['APBK0918', '거래시간외 주문입니다.', 'hour', 'real'],
  ['APBK0919', '장운영일자가 주문일과 상이합니다', 'day', 'log'],
  ['APBK0918', '주문 접수가 중단되었습니다.', 'service', 'guess'],
  ['APBK0918', '서비스 점검 중입니다.', 'service', 'guess'],
  ['APBK0952', '주문가능금액을 초과 했습니다', 'money', 'log'],
  ['APBK0918', '주문가능금액을 초과 했습니다.', 'money', 'log'],
  ['APBK0919', '주문가능금액을 초과했습니다.', 'money', 'test'],
  ['APBK0656', '주문가능금액을 초과하였습니다.', 'money', 'test'],
  ['40250000', '모의투자 주문가능금액이 부족합니다.', 'money', 'log'],
  ['APBK0918', '예수금이 부족합니다.', 'money', 'real'],
  ['APBK0918', '증거금 100% 종목으로 주문가능금액이 부족합니다.', 'money', 'guess'],
  ['APBK0400', '주문 가능한 수량을 초과 하였습니다.', 'shares', 'log'],
  ['APBK0918', '주문가능수량을 초과하였습니다', 'shares', 'test'],
  ['40240000', '모의투자 주문가능수량이 부족합니다.', 'shares', 'log'],
  ['40240000', '모의투자 잔고내역이 없습니다.', 'shares', 'log'],
  ['APBK1234', '매도가능한 잔고가 없습니다.', 'shares', 'log'],
  ['APBK1234', '매도가능수량이 부족합니다.', 'shares', 'real'],
  ['APBK0918', '보유수량이 부족합니다.', 'shares', 'real'],
  ['APBK0918', '투자경고종목입니다. 매수할 수 없습니다.', 'order', 'guess'],
  ['APBK0918', '고위험 상품 매매 확인이 필요합니다.', 'order', 'guess'],
  ['APBK0918', '대주/신용 주문이 불가한 계좌입니다.', 'order', 'guess'],
  ['APBK0918', '주문구분코드 오류입니다.', 'order', 'real'],
  ['APBK0918', '1회 주문한도를 초과하였습니다.', 'order', 'guess'],
  ['40070000', '모의투자 주문처리가 안되었습니다(매매불가 종목)', 'order', 'test'],
  ['APBK0656', '해당종목정보가 없습니다.', 'order', 'log'],
  ['40270000', '모의투자 주문단가 오류입니다.(호가단위 오류)', 'order', 'log'],
  ['APBK0918', '주문이 불가한 계좌입니다.', 'order', 'log'],
  ['40910000', '모의투자 주문이 불가한 계좌입니다.', 'order', 'log'],
]

describe('why an order was refused', () => {
  it.each(SEEN)('%s %s: %s (%s)', (code, message, cause) => expect(causeOf(code, message)).toBe(cause))

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
