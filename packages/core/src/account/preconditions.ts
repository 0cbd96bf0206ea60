import { grouped } from '../ladder/text.ts'
import type { Context, Doubts } from './step-types.ts'
import type { Origin } from './types.ts'

interface Asked {
  readonly ctx: Pick<Context, 'doubts'>
  readonly origin: Origin
}

/** Seconds, for people. */
const secondsOf = (ms: number): string => `${grouped(Math.round(Math.abs(ms) / 1_000))}초`

/** What is said of each doubt, on the card of every stock and in the morning check. */
export const PRECONDITION_TEXTS = {
  clock: ({ clockOffMs = 0 }: Doubts): string =>
    `증권사의 시각이 Digger의 시각보다 ${secondsOf(clockOffMs)} ${clockOffMs > 0 ? '빨라' : '늦어'} 자동 주문을 멈추고 다시 맞춥니다. 1분 안에 저절로 풀립니다.`,
  hours: (): string =>
    '증권사는 오늘 장이 열린다는데 Digger의 달력은 쉬는 날이라 자동 주문을 멈췄습니다. 관리자가 ‘거래일 달력’에서 오늘을 정하면 풀립니다.',
  notices: (): string =>
    '증권사가 HTS ID나 앱키를 받지 않거나 체결 통보를 여는 키를 주지 않아 통보와 시세가 오지 않습니다. 자동 주문을 멈추고 다시 연결해 봅니다. ‘증권사 정보’가 맞는지 확인해 주세요.',
} as const

/** People's orders pass: whoever sends one looks at what the broker says. */
export const refuseWrongClock = ({ ctx: { doubts }, origin }: Asked): string | null =>
  origin === 'person' || doubts?.clockOffMs === undefined ? null : PRECONDITION_TEXTS.clock(doubts)

export const refuseDisputedDay = ({ ctx: { doubts }, origin }: Asked): string | null =>
  origin === 'person' || doubts?.isDayDisputed !== true ? null : PRECONDITION_TEXTS.hours()

export const refuseUnheard = ({ ctx: { doubts }, origin }: Asked): string | null =>
  origin === 'person' || doubts?.noticesRefused !== true ? null : PRECONDITION_TEXTS.notices()
