import type { AnnouncedAction } from '@digger/contract'
import { showDay } from '../../format/day.ts'
import { won } from '../../format/won.ts'

/** `무상증자`, `주식 병합`. */
export const announcedName = ({ kind, ratio }: AnnouncedAction): string =>
  ({
    bonusIssue: '무상증자',
    rightsIssue: '유상증자',
    stockDividend: '주식배당',
    faceValue: ratio < 1 ? '주식 병합' : '주식 분할',
  })[kind]

/** `2026-11-24 무상증자(1주당 새 주식 1주)`. */
export function announcedText(action: AnnouncedAction): string {
  return `${showDay(action.day)} ${announcedName(action)}(${countsText(action)})`
}

function countsText({ kind, ratio, paid }: AnnouncedAction): string {
  if (kind === 'faceValue') return ratio < 1 ? `${shown(1 / ratio)}주가 1주로` : `1주가 ${shown(ratio)}주로`
  const price = paid > 0 ? `, 1주 ${won(paid)}` : ''
  return `1주당 새 주식 ${shown(ratio - 1)}주${price}`
}

/** Four decimals at most: 0.2 of a share is 0.19999999999999996 in binary fractions. */
const FOUR = new Intl.NumberFormat('ko-KR', { maximumFractionDigits: 4 })
const shown = (count: number): string => FOUR.format(Number(count.toFixed(4)))

/** What will happen on that day, for whoever holds the stock. */
export function announcedNotes({ creditDay, day }: AnnouncedAction): string[] {
  const later = creditDay !== null && creditDay > day
  return [
    '그날 아침 기준가가 바뀌면 이 종목의 자동 매매를 멈추고, 가격을 조정할지 묻습니다.',
    ...(later ? [`새 주식은 ${showDay(creditDay)}에 들어올 예정입니다.`] : []),
  ]
}
