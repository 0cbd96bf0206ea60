import {
  averageTarget,
  gateChecks,
  inForce,
  knownCash,
  limitUse,
  LIMIT_NAMES,
  lotTarget,
  remainAmount,
  remainCount,
  won,
  type Account,
  type Context,
  type LimitName,
  type Proposal,
  type ReasonCode,
  type Stock,
} from '@digger/core'

/** What each check of the gate makes sure of, in the words of the screens. */
const CHECKS: Partial<Record<ReasonCode, string>> = {
  shadow: '그림자(연습)가 아님',
  authorised: '증권사 키가 열려 있음',
  stop: '멈춤이 걸려 있지 않음',
  otherServer: '다른 곳에서 이 계좌를 거래하지 않음',
  timeKnown: '증권사의 시각을 확인함',
  session: '주문을 받는 시간',
  halted: '거래 정지가 아님',
  clockRight: '증권사의 시각과 맞음(자동 주문)',
  dayAgreed: '오늘이 거래일이라는 데 증권사와 뜻이 같음(자동 주문)',
  noticesHeard: '증권사가 체결 통보를 거절하지 않음(자동 주문)',
  designated: '투자경고·투자위험·관리종목·정리매매가 아님(자동 매수)',
  frozen: '기준가가 바뀌어 정해 주기를 기다리는 종목이 아님',
  limitsRead: '오늘의 기준가와 상·하한가를 읽음',
  fresh: '체결가가 오래되지 않음',
  armed: '끊긴 뒤로 증권사와 장부를 맞춰 봄',
  reconciled: '장부와 증권사 잔고가 같음',
  pause: '나가지 못한 주문 뒤의 쉼이 끝남',
  refusedNow: '증권사가 조금 전에 거절한 때나 곳이 아님',
  heldBack: '사람이 자동 매수를 취소하지 않음',
  size: '1주 이상',
  grid: '호가 단위',
  band: '상한가와 하한가 안',
  marketType: '시장가를 받는 시간',
  maxBuyPrice: '최고 매수가 안',
  maxBuyAmount: '최대 매수 금액 안',
  target: '목표가 이상의 매도',
  orderAmount: '1회 주문 한도 안',
  dailyBuyAmount: '하루 매수 한도 안',
  firstDays: '처음 며칠의 1주와 하루 금액 안',
  personOrderAmount: '직접 내는 주문의 한도 안',
  collar: '마지막 체결가에서 멀지 않은 매수가',
  sellCollar: '현재가에서 멀지 않은 매도가',
  ordersPerMinute: '1분 주문 횟수 안',
  unknown: '결과를 모르는 주문이 없음',
  oneBuy: '나가 있는 다른 매수가 없음',
  oneOrderPerLot: '매매마다 주문 하나',
  booked: '장부에 있는 주식',
  lossAmount: '손실 한도 안',
  positionAmount: '계좌 보유 한도 안',
  queue: '먼저 낸 주문이 밀려 있지 않음',
}

const LIMITS: Record<LimitName, string> = {
  positionAmount: '계좌 보유',
  lossAmount: '손실',
  dailyBuyAmount: '하루 매수',
  orderAmount: '1회 주문',
  ordersPerMinute: '1분 주문 횟수',
  repeatCount: '반복 횟수',
  personOrderAmount: '직접 내는 주문',
  sellCollarPercent: '매도가 차이(%)',
  unknownPerHour: '1시간 결과 불명',
}

/** The last trade and its age, with the day's limits. */
export function marketLines(code: string, context: Context): string[] {
  const { now, limits } = context
  const last = context.quote(code)
  if (last === undefined) return ['마지막 체결가: 없었거나 이 결정이 보지 않았습니다.']
  const age = ((now - last.at) / 1_000).toFixed(1)
  const band = last.band === null ? '모름' : `${won(last.band.lower)} ~ ${won(last.band.upper)}`
  return [
    `마지막 체결가: ${won(last.price)}, ${age}초 전 (매수는 ${limits.freshMs / 1_000}초까지). 하한가 ~ 상한가: ${band}`,
  ]
}

/** Settings, lots with their targets, limits and cash, as they were when the order came to the gate. */
export function stockLines(account: Account, context: Context, { stock, side }: Proposal): string[] {
  const { settings, lots } = stock
  const next = stock.nextBuyPrice === null ? '없음' : won(stock.nextBuyPrice)
  const reference = settings.lastBuyPrice === null ? '없음' : won(settings.lastBuyPrice)
  return [
    `매수 설정: 기준가 ${reference}에서 ${settings.buyPercent}%, 다음 매수가 ${next}, 최고 매수가 ${wonOr(settings.maxBuyPrice)}, ` +
      `한 번에 ${settings.buyUnitPrice === 1 ? '1주' : wonOr(settings.buyUnitPrice)}, 최대 ${wonOr(settings.maxBuyAmount)}`,
    `매도 설정: ${settings.autoSellWithAvgPrice ? '평균 매수가' : '매수가'}보다 ${settings.sellPercent}% 위` +
      (settings.useMinSellPrice ? `, 최저 매도가 ${wonOr(settings.minSellPrice)}` : ''),
    `보유: ${lots.length}건 ${remainCount(lots)}주, ${won(remainAmount(lots))}`,
    ...lotLines(stock),
    ...(side === 'buy' ? [cashLine(account, context)] : []),
    ...limitLines(account, context),
  ]
}

const wonOr = (amount: number | null): string => (amount === null ? '없음' : won(amount))

function lotLines({ settings, lots, issue }: Stock): string[] {
  const average = averageTarget(lots, settings, issue.kind)
  if (settings.autoSellWithAvgPrice) return average === null ? [] : [`  평균의 목표 ${won(average)}`]
  return lots.map(
    ({ id, count, buyPrice }) =>
      `  매매 ${id}: ${count}주, ${won(buyPrice)}에 삼, 목표 ${won(lotTarget(buyPrice, settings, issue.kind))}`,
  )
}

function cashLine(account: Account, context: Context): string {
  const cash = knownCash(account, context)
  return cash === null
    ? '살 수 있는 금액: 10초 안의 답이 없음'
    : `살 수 있는 금액: ${won(Math.floor(cash))} (증권사가 아직 모르는 매수를 뺀 것)`
}

function limitLines({ book }: Account, context: Context): string[] {
  const used = limitUse(book, context)
  const lines = LIMIT_NAMES.flatMap((limit) => {
    const most = inForce(book.limits, context.limits, limit)
    return most === null
      ? []
      : `${LIMITS[limit]} ${used[limit] === null ? '' : `${grouped(used[limit])} / `}${grouped(most)}`
  })
  return lines.length === 0 ? ['한도: 없음'] : [`한도(쓴 것 / 한도): ${lines.join(', ')}`]
}

const grouped = (n: number): string => n.toLocaleString('en-US')

/** Every check that would refuse the order comes first; in a decision that made it there is none. */
export function checkLines(account: Account, context: Context, proposal: Proposal): string[] {
  const checks = gateChecks(account, context, proposal)
  const refused = checks.filter(({ refusal }) => refusal !== null)
  const passed = checks.filter(({ refusal }) => refusal === null).map(({ name }) => CHECKS[name] ?? name)
  return [
    ...refused.map(({ name, refusal }) => `막은 확인: ${CHECKS[name] ?? name}: ${refusal ?? ''}`),
    `지난 확인 ${passed.length}가지: ${passed.join(' · ')}`,
  ]
}
