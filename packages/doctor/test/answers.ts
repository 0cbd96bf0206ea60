import type { SimOptions } from '@digger/kis-sim'
import { at, MONDAY, type Assumptions } from './fixture.ts'

/** One answer of the pretend broker that is not the believed one, and the sentence by which the doctor names it. */
export interface SeenAnswer<Answer> {
  readonly answer: Answer
  /** Part of a finding that is not there under the believed answers. */
  readonly says: string
  /** How grave it is said to be; default: a note. */
  readonly level?: 'wrong'
  /** When it is examined; default: Monday, half past ten. */
  readonly when?: number
  readonly options?: SimOptions
}

export type Seen<Answer> =
  | { readonly seen: readonly SeenAnswer<Answer>[] }
  /** Found by another part of the doctor. */
  | { readonly seenIn: string; readonly answers: number }
  /** Not to be found, and why. */
  | { readonly unseen: string; readonly answers: number }

type All = Required<Assumptions>

const TUESDAY = '20261117'
const ORDER = 'shows itself only in what becomes of an order, and a doctor sends none'

/** A split of the stock that is examined, on the day on which it is. */
const split = (ratio: number): SimOptions => ({
  happenings: [
    { kind: 'corporateAction', as: 'split', code: '005930', exDay: TUESDAY, creditDay: TUESDAY, ratio, paid: 0 },
  ],
})

/** Every assumption of the pretend broker: one that is missing here does not compile. */
export const ANSWERS: { readonly [Name in keyof All]: Seen<All[Name]> } = {
  expiredShownAs: {
    seen: [
      { answer: 'cancelled', says: '취소로 보입니다' },
      { answer: 'nothing', says: '어디에도 적지 않습니다' },
      { answer: 'remaining', says: '걸려 있는 것처럼 잔량으로' },
    ],
  },
  expiredShownFrom: {
    seen: [
      { answer: 'end', says: '저녁이 되기 전에 벌써', when: at(MONDAY, '160500') },
      { answer: 'midnight', says: '자정에 바뀌는 것으로', when: at(MONDAY, '210500') },
    ],
  },
  cancelledShownOn: {
    seen: [
      { answer: 'change', says: '취소 주문의 줄에만' },
      { answer: 'both', says: '취소 주문의 줄에도' },
    ],
  },
  dayRanges: {
    seen: [
      { answer: 'answered', says: '휴장일이 끼면 거절한다고 알고 있는데' },
      { answer: 'refused', says: '하루씩만 줍니다' },
    ],
  },
  statusShown: {
    seen: [
      { answer: 'blank', says: 'iscd_stat_cls_code: 값이 비어', level: 'wrong' },
      { answer: 'newCode', says: 'iscd_stat_cls_code: 문서에 없는 값', level: 'wrong' },
    ],
  },
  pastMinutesBack: {
    unseen: 'how far back minutes go shows only by reading until they end: hundreds of calls',
    answers: 2,
  },
  pastMinutePrices: { unseen: 'whether past minutes are adjusted shows only over a split', answers: 1 },
  rowsTwice: { seen: [{ answer: true, says: '같은 주문이 두 번' }] },
  unpricedShownAt: { seen: [{ answer: 'paidPrice', says: '체결된 값으로 보입니다' }] },
  queryNumbers: { seen: [{ answer: 'spaces', says: '빈칸으로 채웠습니다' }] },
  noOriginal: { seen: [{ answer: 'empty', says: '원주문번호가 0이 아니라 비어' }] },
  baseShownFrom: {
    seen: [
      { answer: '00:00', says: '벌써 오늘의 기준가', when: at(TUESDAY, '073000') },
      { answer: '08:30', says: '아직 어제의 기준가', when: at(TUESDAY, '081000') },
    ],
  },
  baseRounding: {
    seen: [
      { answer: 'down', says: '내려 맞췄습니다', when: at(TUESDAY, '093000'), options: split(8) },
      { answer: 'up', says: '올려 맞췄습니다', when: at(TUESDAY, '093000'), options: split(3) },
    ],
  },
  chartAdjustedFrom: {
    seen: [{ answer: 'dayAfter', says: '아직 바뀌지 않았습니다', when: at(TUESDAY, '093000'), options: split(3) }],
  },
  phone: { seen: [{ answer: 'ordinary', says: '증권사 앱이나 전화로' }] },
  taxTruncation: { seen: [{ answer: 'each', says: '거래세와 농특세를 따로' }] },
  etfIncomeTax: { seen: [{ answer: 'withheld', says: 'ETF를 팔 때 세금' }] },
  minutesAtMidnight: { seen: [{ answer: 'none', says: '000000시로' }] },
  replyTime: { seen: [{ answer: 'undated', says: '시각(Date)이 없습니다' }] },

  callsPerSecond: { seenIn: 'speed.test.ts', answers: 1 },
  ledgerCallsPerSecond: { seenIn: 'speed.test.ts', answers: 1 },
  olderTokenDies: { seenIn: 'token.test.ts', answers: 1 },
  noticeKey: { seenIn: 'socket.test.ts', answers: 1 },
  laterTicksShow: { seenIn: 'socket.test.ts', answers: 2 },

  balanceByIssue: { unseen: 'Digger never asks so, and asking differently would examine another client', answers: 1 },
  doubledSlash: { unseen: 'Digger never asks so, and asking differently would examine another client', answers: 1 },
  keyInUse: {
    unseen: 'a second connection might take the key from the server that trades',
    answers: 1,
  },
  noticeCoversOtherKeys: {
    unseen: 'the client drops notices of other accounts before anybody sees them, and none comes without an order',
    answers: 1,
  },
  changedListBreaks: {
    unseen:
      'a list must change between two of its pages, which reading cannot make it do; where it happens it is noted',
    answers: 1,
  },
  tokenPauseMs: {
    unseen: 'two tokens within a minute would be two messages to the person; Digger asks for one a minute at most',
    answers: 1,
  },
  socketReleaseMs: {
    unseen: 'connecting again and again is what the broker blocks keys for; Digger waits and tries later',
    answers: 1,
  },
  venuePrices: {
    unseen:
      'last trades of the venues differ by a tick where they share one price, too; that real ones have their own is no question',
    answers: 1,
  },
  idleConnectionMs: {
    unseen: 'takes minutes of silence; Digger closes an idle connection after four seconds',
    answers: 1,
  },
  pingPongMs: { unseen: 'has one answer only, a range', answers: 0 },
  pongTimeoutMs: { unseen: 'has one answer only', answers: 0 },
  expiryNotice: {
    unseen: `${ORDER}; of the account's own a notice at the close would have to be waited for`,
    answers: 1,
  },
  openingAuctionFrom: { unseen: ORDER, answers: 1 },
  lateDayEnds: { unseen: `${ORDER}, and on one evening of the year`, answers: 1 },
  cancelOnOtherVenue: { unseen: ORDER, answers: 1 },
  oldIdsReachNxt: { unseen: ORDER, answers: 1 },
  sorAfterMarket: { unseen: ORDER, answers: 1 },
  afterMarketRefusedAs: { unseen: ORDER, answers: 1 },
  overheatedElsewhere: { unseen: ORDER, answers: 1 },
  nxtStopRefusedAs: { unseen: ORDER, answers: 1 },
}
