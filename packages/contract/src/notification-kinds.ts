/** What its person is called for while it lasts. */
export const ATTENTION_KINDS = [
  'stockStopped',
  'mismatch',
  'limitReached',
  'otherServer',
  'orderLate',
  'orderUnknown',
  'socketDown',
  'notArmed',
  'keyAbsent',
  'checkRed',
] as const

/** What people are told, alone so that the client can use it without the schemas. Those after `channelOff` are for administrators. */
export const NOTIFICATION_KINDS = [
  'bought',
  'sold',
  ...ATTENTION_KINDS,
  'stopPressed',
  'newDevice',
  'daySummary',
  'channelAdded',
  'channelOff',
  'serverTrouble',
  'serverStopped',
  'test',
] as const
type NotificationKind = (typeof NOTIFICATION_KINDS)[number]

/** What a person calls them. */
export const NOTIFICATION_LABELS: Readonly<Record<NotificationKind, string>> = {
  bought: '매수 체결',
  sold: '매도 체결',
  stockStopped: '종목 멈춤',
  mismatch: '장부와 잔고가 다름',
  limitReached: '한도에 닿음',
  otherServer: '다른 Digger 의심',
  orderLate: '늦는 주문',
  orderUnknown: '결과를 모르는 주문',
  socketDown: '실시간 연결 끊김',
  notArmed: '매매 준비 안 됨',
  keyAbsent: '키가 없음',
  checkRed: '아침 점검',
  stopPressed: '멀리서 멈춤',
  newDevice: '새 기기 로그인',
  daySummary: '하루 정리',
  channelAdded: '알림 받는 곳이 더해짐',
  channelOff: '알림 받는 곳이 꺼짐',
  serverTrouble: '서버 문제',
  serverStopped: '서버 멈춤',
  test: '시험 알림',
}

/** Kinds that only administrators have. */
export const ADMIN_KINDS: ReadonlySet<NotificationKind> = new Set(['serverTrouble', 'serverStopped'])
/** Nobody can switch off that a channel came or went silent, nor the answer to the test button. */
export const ALWAYS_ON: ReadonlySet<NotificationKind> = new Set(['channelAdded', 'channelOff', 'test'])
