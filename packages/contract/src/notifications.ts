import { z } from 'zod'
import { instant } from './entities.ts'
import { NOTIFICATION_KINDS } from './notification-kinds.ts'

export { ADMIN_KINDS, ALWAYS_ON, NOTIFICATION_KINDS, NOTIFICATION_LABELS } from './notification-kinds.ts'

export const NotificationKind = z.enum(NOTIFICATION_KINDS)
export type NotificationKind = z.output<typeof NotificationKind>

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
