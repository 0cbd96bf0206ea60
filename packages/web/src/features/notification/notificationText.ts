import type { ChannelKind, NotificationItem, NotificationKind, NotificationLevel } from '@digger/contract'
import { ADMIN_KINDS } from '@digger/contract/notification-kinds'

export const CHANNEL_NAMES: Readonly<Record<ChannelKind, string>> = {
  push: '기기',
  telegram: '텔레그램',
  email: '이메일',
  webhook: '웹훅',
}

export const LEVELS = [
  ['on', '켜기'],
  ['silent', '소리 없이'],
  ['off', '끄기'],
] as const satisfies readonly (readonly [NotificationLevel, string])[]

interface KindGroup {
  readonly title: string
  readonly kinds: readonly NotificationKind[]
}

/** All that can be switched. Groups without a kind that its person has are left out. */
const GROUPS: readonly KindGroup[] = [
  { title: '매매', kinds: ['bought', 'sold', 'daySummary'] },
  {
    title: '멈춤과 확인할 일',
    kinds: ['stockStopped', 'limitReached', 'mismatch', 'otherServer', 'orderLate', 'orderUnknown'],
  },
  { title: '연결과 로그인', kinds: ['socketDown', 'notArmed', 'keyAbsent', 'checkRed', 'stopPressed', 'newDevice'] },
  { title: '서버 (관리자)', kinds: ['serverTrouble', 'serverStopped'] },
]

export const kindGroups = (admin: boolean): readonly KindGroup[] =>
  GROUPS.filter(({ kinds }) => admin || !kinds.some((kind) => ADMIN_KINDS.has(kind)))

export const DELIVERY_NAMES = { waiting: '기다림', sent: '보냄', dropped: '못 보냄' } as const

/** Something of it has yet to be delivered, or to be given to a channel at all. */
export const isOnItsWay = ({ deliveries }: Pick<NotificationItem, 'deliveries'>): boolean =>
  deliveries !== null && (deliveries.length === 0 || deliveries.some(({ state }) => state === 'waiting'))

/** `22:30`, as the server takes it; null: it is none. */
export function typedTime(text: string): string | null {
  const [, hours = '', minutes = ''] = /^(\d{1,2}):?(\d\d)$/.exec(text.trim()) ?? []
  if (hours === '' || Number(hours) > 23 || Number(minutes) > 59) return null
  return `${hours.padStart(2, '0')}:${minutes}`
}

/** What is sent, or why it cannot be. */
export function typedQuiet(from: string, to: string): { from: string; to: string } | string {
  const [first, last] = [typedTime(from), typedTime(to)]
  if (first === null || last === null) return '시각은 22:30처럼 넣어 주세요.'
  return first === last
    ? '시작과 끝이 같습니다. 방해 금지 시간이 없으면 없음을 골라 주세요.'
    : { from: first, to: last }
}

/** Why an address cannot be one; null: it may be sent. */
export function wrongAddress(text: string): string | null {
  const url = URL.parse(text.trim())
  return url?.protocol === 'https:' ? null : '주소는 https://로 시작하게 적어 주세요.'
}
