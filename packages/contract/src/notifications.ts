import { z } from 'zod'
import { instant } from './entities.ts'

/** What people are told. Those after `channelOff` are for administrators. */
export const NOTIFICATION_KINDS = [
  'bought',
  'sold',
  'stockStopped',
  'mismatch',
  'limitReached',
  'otherServer',
  'orderLate',
  'orderUnknown',
  'socketDown',
  'notArmed',
  'keyAbsent',
  'stopPressed',
  'newDevice',
  'daySummary',
  'channelOff',
  'serverTrouble',
  'serverStopped',
  'test',
] as const
export const NotificationKind = z.enum(NOTIFICATION_KINDS)
export type NotificationKind = z.output<typeof NotificationKind>

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
  stopPressed: '멀리서 멈춤',
  newDevice: '새 기기 로그인',
  daySummary: '하루 정리',
  channelOff: '알림 받는 곳이 꺼짐',
  serverTrouble: '서버 문제',
  serverStopped: '서버 멈춤',
  test: '시험 알림',
}

/** Kinds that only administrators have. */
export const ADMIN_KINDS: ReadonlySet<NotificationKind> = new Set(['serverTrouble', 'serverStopped'])
/** Nobody can switch off that a channel went silent, nor the answer to the test button. */
export const ALWAYS_ON: ReadonlySet<NotificationKind> = new Set(['channelOff', 'test'])

export const NotificationLevel = z.enum(['on', 'silent', 'off'], '켜기, 소리 없이, 끄기 가운데 하나를 골라 주세요.')
export type NotificationLevel = z.output<typeof NotificationLevel>

const HHMM = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, '시각은 22:30처럼 적어 주세요.')
  .meta({ description: 'KST' })

export const NotificationSettings = z.object({
  /** Kinds that are left out are on. */
  levels: z.partialRecord(NotificationKind, NotificationLevel),
  /** Within these hours nothing makes a sound. Null: none. */
  quiet: z.object({ from: HHMM, to: HHMM }).nullable(),
})
export type NotificationSettings = z.output<typeof NotificationSettings>

export const ChannelKind = z.enum(['push', 'telegram', 'email', 'webhook'])
export type ChannelKind = z.output<typeof ChannelKind>

export const NotificationChannel = z.object({
  id: z.int(),
  kind: ChannelKind,
  /** What its person sees of the address. */
  label: z.string(),
  /** Prices and amounts are shown there. */
  amounts: z.boolean(),
  on: z.boolean(),
  /** Why it is off, or what the last try met; null: nothing. */
  note: z.string().nullable(),
  createdAt: instant,
  sentAt: instant.nullable(),
})
export type NotificationChannel = z.output<typeof NotificationChannel>

export const NotificationSetup = NotificationSettings.extend({
  channels: z.array(NotificationChannel),
  /** What this server can send by. */
  offered: z.object({
    /** The key browsers subscribe with. */
    push: z.string(),
    /** Name of the bot; null: the operator has set none up. */
    telegram: z.string().nullable(),
    email: z.boolean(),
  }),
})
export type NotificationSetup = z.output<typeof NotificationSetup>

export const NewChannel = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('push'),
    label: z.string().min(1).max(60),
    endpoint: z.url().max(1_000),
    p256dh: z.string().regex(/^[\w-]{80,100}$/),
    auth: z.string().regex(/^[\w-]{16,40}$/),
  }),
  z.object({ kind: z.literal('email') }),
  z.object({
    kind: z.literal('webhook'),
    url: z.url('주소는 https://로 시작하게 적어 주세요.').max(1_000),
    template: z.enum(['json', 'ntfy', 'slack', 'discord']).optional(),
  }),
])
export type NewChannel = z.output<typeof NewChannel>

export const ChannelChange = z.object({ amounts: z.boolean().optional(), on: z.boolean().optional() })

export const TelegramLink = z.object({
  /** To be sent to the bot within ten minutes. */
  code: z.string(),
  /** Opens the bot with the code. */
  url: z.string(),
  expiresAt: instant,
})

export const NotificationItem = z.object({
  id: z.int(),
  at: instant,
  kind: NotificationKind,
  code: z.string().nullable(),
  text: z.string(),
  amounts: z.string().nullable(),
  /** Null: its person did not want to be told. Empty: there was no channel. */
  deliveries: z
    .array(z.object({ channel: ChannelKind, label: z.string(), state: z.enum(['waiting', 'sent', 'dropped']) }))
    .nullable(),
})
export type NotificationItem = z.output<typeof NotificationItem>
