import type { Limit } from '@digger/contract'
import { number } from '../../format/won.ts'

export type LimitName = Limit['name']

interface LimitText {
  readonly title: string
  readonly unit: '원' | '번' | '건' | '%'
  /** What is counted, and what happens at the limit. */
  readonly help: string
}

export const LIMIT_TEXTS: Readonly<Record<LimitName, LimitText>> = {
  positionAmount: {
    title: '계좌 보유 금액',
    unit: '원',
    help: '모든 종목의 보유 금액(매입가)과 나가 있는 매수 주문의 합계입니다.',
  },
  lossAmount: {
    title: '손실',
    unit: '원',
    help: '오늘 실현한 손익(비용 뺀 뒤)과 보유 종목의 평가 손익을 더해 잃은 금액입니다.',
  },
  repeatCount: {
    title: '되풀이 매매',
    unit: '번',
    help: '한 종목을 10분 안에 샀다가 되판 횟수입니다. 이보다 많으면 그 종목만 멈춥니다.',
  },
  unknownPerHour: {
    title: '결과를 모르는 주문',
    unit: '건',
    help: '증권사의 답을 받지 못한 주문이 한 시간에 이보다 많으면 멈춥니다.',
  },
  dailyBuyAmount: {
    title: '하루 매수 금액',
    unit: '원',
    help: '오늘 체결된 매수와 나가 있는 매수 주문의 합계입니다. 다음 날 다시 삽니다.',
  },
  orderAmount: { title: '1회 매수 금액', unit: '원', help: '매수 주문 한 건의 금액입니다.' },
  ordersPerMinute: { title: '1분 주문 수', unit: '건', help: '닿으면 1분쯤 기다립니다.' },
  personOrderAmount: {
    title: '직접 내는 주문의 금액',
    unit: '원',
    help: '사람이 낸 매수와 매도 주문 한 건의 금액입니다.',
  },
  sellCollarPercent: {
    title: '직접 내는 매도가의 폭',
    unit: '%',
    help: '지정가 매도가 현재가보다 이만큼 넘게 낮으면 거절합니다.',
  },
}

/** Those that stop the buying until a person lets go, and those that only turn single orders away. */
export const LIMIT_GROUPS: readonly { readonly title: string; readonly note: string; readonly names: LimitName[] }[] = [
  {
    title: '닿으면 매수를 멈추는 한도',
    note: '파는 주문은 그대로 냅니다. 사람이 풀 때까지 사지 않습니다.',
    names: ['positionAmount', 'lossAmount', 'repeatCount', 'unknownPerHour'],
  },
  {
    title: '넘는 주문만 거절하는 한도',
    note: '다른 주문은 그대로 냅니다.',
    names: ['dailyBuyAmount', 'orderAmount', 'ordersPerMinute', 'personOrderAmount', 'sellCollarPercent'],
  },
]

export const amountOf = (name: LimitName, value: number | null): string =>
  value === null ? '한도 없음' : `${number(value)}${LIMIT_TEXTS[name].unit}`

/** `81,234,500원 / 100,000,000원`, or the limit alone where nothing adds up. */
export const usedOf = ({ name, value, used }: Limit): string =>
  used === null ? amountOf(name, value) : `${number(used)}${LIMIT_TEXTS[name].unit} / ${amountOf(name, value)}`

/** Why a typed text is no limit; null when it may be sent. Empty means none. */
export function wrongLimit(name: LimitName, text: string): string | null {
  const plain = text.replaceAll(',', '').trim()
  return plain === '' || /^\d+$/.test(plain) ? null : `${LIMIT_TEXTS[name].unit} 단위의 정수로 넣어 주세요.`
}

/** Whether a typed limit binds less than the one in force: then it waits for the next day. */
export function isLooserText(value: number | null, text: string): boolean {
  const plain = text.replaceAll(',', '').trim()
  return value !== null && (plain === '' || Number(plain) > value)
}

/** A refusal names the field first, for programs. */
export const withoutField = (message: string): string => message.replace(/^[^:\n]+: /, '')
