import type { NotificationChannel } from '@digger/contract'

/** What this browser says of itself. */
export interface DeviceFacts {
  /** Came by https or from this machine itself; elsewhere browsers have no push. */
  readonly secure: boolean
  /** Has everything that push takes. */
  readonly push: boolean
  /** An iPhone or iPad, which has push only in what was added to its home screen. */
  readonly apple: boolean
  /** Opened from the home screen. */
  readonly installed: boolean
  readonly permission: NotificationPermission
  readonly subscription: DeviceSubscription | null
  readonly remembered: readonly RememberedChannel[]
}

export interface DeviceSubscription {
  readonly endpoint: string
  /** The server's key it was made with, base64url; null: the browser does not say. */
  readonly serverKey: string | null
}

/** A channel that was added from this browser. Those of several people may share one subscription. */
export interface RememberedChannel {
  /** No two people share one. */
  readonly id: number
  /** Where its pushes go: what the server has, as far as this browser added it. */
  readonly endpoint: string
}

export type DeviceState =
  | 'insecure'
  | 'appleTab'
  | 'appleOld'
  | 'unsupported'
  | 'denied'
  /** Can be added. */
  | 'ready'
  /** Added, and switched off meanwhile. */
  | 'off'
  /** Added, but the server has another key now: nothing comes through. */
  | 'otherKey'
  /** Added, but the browser got another address since. */
  | 'moved'
  | 'on'

/** The channel that stands for this device, as far as it remembers one. */
export const ownChannel = (
  channels: readonly NotificationChannel[],
  { remembered }: Pick<DeviceFacts, 'remembered'>,
): NotificationChannel | undefined =>
  channels.find(({ id, kind }) => kind === 'push' && remembered.some((known) => known.id === id))

export function deviceState(
  facts: DeviceFacts,
  channels: readonly NotificationChannel[],
  serverKey: string,
): DeviceState {
  const { secure, push, apple, installed, permission, subscription, remembered } = facts
  if (!secure) return 'insecure'
  if (!push && apple) return installed ? 'appleOld' : 'appleTab'
  if (!push) return 'unsupported'
  if (permission === 'denied') return 'denied'
  const own = ownChannel(channels, facts)
  if (own === undefined || subscription === null || permission !== 'granted') return 'ready'
  if (subscription.serverKey !== null && subscription.serverKey !== serverKey) return 'otherKey'
  if (!own.on) return 'off'
  return remembered.some(({ id, endpoint }) => id === own.id && endpoint === subscription.endpoint) ? 'on' : 'moved'
}

interface DeviceText {
  readonly text: string
  /** The button that helps; null: none does. */
  readonly action: string | null
}

export const DEVICE_TEXTS: Readonly<Record<DeviceState, DeviceText>> = {
  insecure: {
    text: '이 주소(http)에서는 브라우저가 알림을 허락하지 않습니다. https로 시작하는 주소로 열어 주세요.',
    action: null,
  },
  appleTab: {
    text: '아이폰과 아이패드는 홈 화면에 추가한 Digger만 알림을 받습니다. 공유 → 홈 화면에 추가한 뒤 그 아이콘으로 열어 주세요.',
    action: null,
  },
  appleOld: {
    text: '이 기기의 iOS는 알림을 받지 못합니다. iOS 16.4 이상으로 올린 뒤 다시 열어 주세요.',
    action: null,
  },
  unsupported: {
    text: '이 브라우저는 알림을 받지 못합니다. 크롬, 사파리, 파이어폭스, 엣지의 새 버전으로 열거나 다른 받는 곳을 더해 주세요.',
    action: null,
  },
  denied: {
    text: '이 브라우저가 Digger의 알림을 막고 있습니다. 주소 옆의 자물쇠(앱이면 기기의 설정 → 알림)에서 알림을 허용한 뒤 이 화면으로 돌아와 주세요.',
    action: null,
  },
  ready: {
    text: '누르면 브라우저가 알림을 허용할지 묻습니다. Digger를 닫아 두어도 이 기기로 알림이 옵니다.',
    action: '이 기기에서 알림 받기',
  },
  off: { text: '이 기기의 알림이 꺼져 있습니다.', action: '이 기기에서 다시 받기' },
  otherKey: {
    text: '서버의 알림 키가 바뀌어 이 기기로 알림이 오지 않습니다. 다시 받기를 눌러 주세요.',
    action: '이 기기에서 다시 받기',
  },
  moved: {
    text: '브라우저가 이 기기의 알림 주소를 바꾸어 알림이 오지 않습니다. 다시 받기를 눌러 주세요.',
    action: '이 기기에서 다시 받기',
  },
  on: {
    text: '이 기기에서 알림을 받고 있습니다. 로그아웃해도 알림은 계속 옵니다. 여럿이 쓰는 기기라면 아래 목록에서 지워 주세요.',
    action: null,
  },
}

/** `wanted`, with a number behind it where another channel has that name: a label is how this device finds its own channel. */
export function freeLabel(wanted: string, taken: readonly string[]): string {
  if (!taken.includes(wanted)) return wanted
  for (let n = 2; ; n += 1) if (!taken.includes(`${wanted} ${n}`)) return `${wanted} ${n}`
}

const BROWSERS: readonly (readonly [mark: RegExp, name: string])[] = [
  [/SamsungBrowser/, '삼성 인터넷'],
  [/Whale/, '웨일'],
  [/Edg(?:A|iOS)?\//, '엣지'],
  [/OPR\//, '오페라'],
  [/Firefox|FxiOS/, '파이어폭스'],
  [/Chrome|CriOS/, '크롬'],
  [/Safari/, '사파리'],
]
const DEVICES: readonly (readonly [mark: RegExp, name: string])[] = [
  [/iPhone/, '아이폰'],
  [/iPad/, '아이패드'],
  [/Android/, '안드로이드'],
  [/Windows/, '윈도우'],
  [/CrOS/, '크롬북'],
  [/Mac OS/, '맥'],
  [/Linux/, '리눅스'],
]

/** `크롬 (안드로이드)`, as its person would call it in a list. */
export function deviceName(userAgent: string): string {
  const nameIn = (names: typeof BROWSERS) => names.find(([mark]) => mark.test(userAgent))?.[1]
  const device = nameIn(DEVICES)
  return `${nameIn(BROWSERS) ?? '브라우저'}${device === undefined ? '' : ` (${device})`}`
}
