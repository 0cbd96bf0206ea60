import type { Morning } from '@digger/contract'
import type { IconName } from '../../components/Icon.tsx'

type State = Morning['state']

export const ITEM_TITLES: Readonly<Record<Morning['items'][number]['item'], string>> = {
  key: '키',
  notices: '체결 통보',
  clock: '시각',
  hours: '오늘의 장',
  limits: '상한가·하한가',
  venues: '거래소',
  base: '기준가',
  book: '장부와 잔고',
  cash: '현금',
}

export const STATE_WORDS: Readonly<Record<State, { readonly word: string; readonly icon: IconName }>> = {
  ok: { word: '됨', icon: 'check' },
  waiting: { word: '기다림', icon: 'clock' },
  red: { word: '멈춤', icon: 'warn' },
  notApplicable: { word: '해당 없음', icon: 'minus' },
}

interface Summary {
  readonly tone: 'late' | 'ok' | 'plain'
  readonly icon: IconName
  readonly title: string
  readonly text: string
}

const READY: Summary = {
  tone: 'ok',
  icon: 'check',
  title: '자동으로 매매할 준비가 되었습니다.',
  text: '무엇이 달라지면 여기에 바로 보입니다.',
}

export const SUMMARIES: Readonly<Record<State, Summary>> = {
  ok: READY,
  notApplicable: READY,
  waiting: {
    tone: 'plain',
    icon: 'clock',
    title: '아직 기다리는 것이 있습니다.',
    text: '저절로 끝나니 하실 일은 없습니다. 대개 몇 초면 되고, 상한가·하한가처럼 아침에야 나오는 것은 그때까지 기다립니다.',
  },
  red: {
    tone: 'late',
    icon: 'warn',
    title: '멈춘 것이 있습니다.',
    text: '거기에 걸린 자동 주문은 풀릴 때까지 나가지 않습니다. 저절로 풀리면 바로 다시 매매합니다.',
  },
}

/** All is there, and yet nothing automatic leaves. */
export const IDLE: Readonly<Record<NonNullable<Morning['idle']>, Summary>> = {
  halt: {
    tone: 'late',
    icon: 'warn',
    title: '준비는 되었지만 자동 주문이 멈춰 있습니다.',
    text: '멈춤을 풀면 바로 다시 매매합니다. 그때까지 자동 주문은 나가지 않습니다.',
  },
  shadow: {
    tone: 'plain',
    icon: 'eye',
    title: '준비는 되었지만 그림자(연습)입니다.',
    text: '판단만 하고 주문은 보내지 않습니다. 실제로 거래할 수 있는지와 보냈을 주문은 ‘그림자’에서 볼 수 있습니다.',
  },
}

/** What is not ready comes first. */
export const summaryOf = ({ state, idle }: Pick<Morning, 'state' | 'idle'>): Summary =>
  idle !== undefined && SUMMARIES[state] === READY ? IDLE[idle] : SUMMARIES[state]
