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
    text: '대개 몇 초 안에 저절로 끝납니다. 기다리지 않고 하실 일은 없습니다.',
  },
  red: {
    tone: 'late',
    icon: 'warn',
    title: '멈춘 것이 있습니다.',
    text: '거기에 걸린 자동 주문은 풀릴 때까지 나가지 않습니다. 저절로 풀리면 바로 다시 매매합니다.',
  },
}
