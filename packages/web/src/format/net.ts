/** Of the gain of an ETF that is none of Korean shares the broker keeps income tax; which ones those are Digger does not know. */
export const NET = '비용 뺀 손익'
export const NET_OF_ETF = '비용 뺀 손익(ETF 소득세 전)'
export const NET_NOTE =
  '비용 뺀 손익은 수수료와 거래세만 뺀 값입니다. 국내 주식형이 아닌 ETF는 이익에서 배당소득세 15.4%를 증권사가 더 뗍니다.'
/** With lots of different prices the two never agree before all of them are sold. */
export const LOTS_NOTE =
  '손익은 매매마다 산 값으로 셉니다. 증권사는 이동평균 단가로 세므로, 한 종목을 다 팔 때까지는 서로 다릅니다.'
