import type { OwnDeals } from './book.ts'

/** What the broker says of a stock or of a day, won. */
export interface Booked {
  readonly buyAmount: number
  readonly sellAmount: number
  /** After fee and tax. */
  readonly gainAmount: number
  readonly fee: number
  readonly tax: number
}

/** Why book and broker differ, as the sheet says it. */
export const NAMES = {
  fee: '어림한 수수료',
  tax: '어림한 세금',
  incomeTax: 'ETF 배당소득세',
  person: '사람이 앱에서 한 매매',
  correction: '장부 보정',
  day: '날짜',
  average: '이동평균 단가',
  unexplained: '설명되지 않음',
} as const
export type DifferenceName = (typeof NAMES)[keyof typeof NAMES]

/** What stands below the sheet about each. */
export const MEANINGS: Readonly<Record<DifferenceName, string>> = {
  [NAMES.fee]: 'Digger는 수수료를 온라인 계좌의 보통 요율(0.015%)로 어림합니다. 실제 수수료는 증권사의 값입니다.',
  [NAMES.tax]: '거래세를 주문마다 자르는 방법이 달라 몇 원 다릅니다. 실제 세금은 증권사의 값입니다.',
  [NAMES.incomeTax]: '국내 주식만 담은 것이 아닌 ETF의 이익에서 증권사가 떼는 15.4%로, Digger의 어림에는 없습니다.',
  [NAMES.person]: 'Digger가 내지 않은 주문입니다. 증권사 앱 등에서 사람이 한 매매가 증권사 쪽에만 들어 있습니다.',
  [NAMES.correction]: '판 값을 모른 채 장부를 증권사에 맞춘 매매입니다. Digger의 손익에는 들어 있지 않습니다.',
  [NAMES.day]: '같은 금액이 서로 다른 날에 들어 있습니다. 매수 수수료를 Digger는 판 날에, 증권사는 산 날에 셉니다.',
  [NAMES.average]: '증권사는 산 값을 이동평균으로, Digger는 매매마다 셉니다. 다 팔면 합이 같아집니다.',
  [NAMES.unexplained]: '알려진 이유로 설명되지 않습니다. 증권사 앱의 거래내역과 견주어 확인해 주세요.',
}

/** Won by which Digger's book is above the broker's. */
export type Difference = Booked

export const differenceOf = (own: OwnDeals, broker: Booked): Difference => ({
  buyAmount: own.buyAmount - broker.buyAmount,
  sellAmount: own.sellAmount - broker.sellAmount,
  gainAmount: own.gainAmount - broker.gainAmount,
  fee: own.fee - broker.fee,
  tax: own.tax - broker.tax,
})

/** The dearest tariff for orders over a network is about 0.5 %: what is above that of the amounts is no fee. */
const MAX_FEE = 0.005
/** Won of rounding for each sale: each of two taxes is cut. */
const TAX_ROUNDING = 2

export interface Judged {
  readonly own: OwnDeals
  readonly broker: Booked
  readonly isEtf: boolean
  /** The same amount differs the other way on a day nearby. */
  readonly shifted: { readonly buy: boolean; readonly sell: boolean }
  /** What a difference in the cost of the shares sold would be called. */
  readonly cost: DifferenceName
}

/** Why the two differ: nothing where they do not, and each reason once. What no reason explains is named so. */
export function namesOf(judged: Judged): DifferenceName[] {
  const by = differenceOf(judged.own, judged.broker)
  const ofAmounts = [...buyNames(judged, by), ...sellNames(judged, by)]
  const costs = [...feeNames(judged, by, ofAmounts), ...taxNames(judged, by, ofAmounts)]
  const names = [...ofAmounts, ...costs]
  return [...new Set([...names, ...gainNames(judged, by, names)])]
}

function amountName(by: number, foreign: number, shifted: boolean, orders: number): DifferenceName {
  if (by === -foreign) return NAMES.person
  if (shifted) return NAMES.day
  // Where Digger had no order of the kind there is nothing of its own that the broker could have.
  return orders === 0 && by < 0 ? NAMES.person : NAMES.unexplained
}

const buyNames = ({ own, shifted }: Judged, { buyAmount }: Difference): DifferenceName[] =>
  buyAmount === 0 ? [] : [amountName(buyAmount, own.foreignBuyAmount, shifted.buy, own.orders)]

const sellNames = ({ own, shifted }: Judged, { sellAmount }: Difference): DifferenceName[] =>
  sellAmount === 0 ? [] : [amountName(sellAmount, own.foreignSellAmount, shifted.sell, own.orders)]

function feeNames({ broker }: Judged, { fee }: Difference, ofAmounts: readonly DifferenceName[]): DifferenceName[] {
  // Amounts that differ take their fee and tax along.
  if (fee === 0 || ofAmounts.length > 0) return []
  const isFee = broker.fee >= 0 && broker.fee <= (broker.buyAmount + broker.sellAmount) * MAX_FEE
  return [isFee ? NAMES.fee : NAMES.unexplained]
}

function taxNames({ own, isEtf }: Judged, { tax }: Difference, ofAmounts: readonly DifferenceName[]): DifferenceName[] {
  if (tax === 0 || ofAmounts.length > 0) return []
  if (Math.abs(tax) <= own.sales * TAX_ROUNDING) return [NAMES.tax]
  return [isEtf && tax < 0 ? NAMES.incomeTax : NAMES.unexplained]
}

/** What the shares sold had cost by the broker's moving average. */
export const brokerCost = ({ sellAmount, gainAmount, fee, tax }: Booked): number => sellAmount - gainAmount - fee - tax

/**
 * Gain is what was sold for, less its cost, fee and tax: where those four are compared, all of a difference is in one of them. A won
 * is rounding.
 */
function gainNames({ own, broker, cost }: Judged, by: Difference, found: readonly DifferenceName[]): DifferenceName[] {
  if (by.gainAmount === 0) return own.corrections > 0 && found.length > 0 ? [NAMES.correction] : []
  const names: DifferenceName[] = []
  if (own.corrections > 0) names.push(NAMES.correction)
  const isAverage = Math.abs(own.soldCost - brokerCost(broker)) > 1
  if (isAverage && by.sellAmount === 0 && own.corrections === 0) names.push(cost)
  if (own.lotFee !== own.fee) names.push(NAMES.day)
  if (names.length === 0 && found.length === 0)
    names.push(by.gainAmount === 1 || by.gainAmount === -1 ? cost : NAMES.unexplained)
  return names
}
