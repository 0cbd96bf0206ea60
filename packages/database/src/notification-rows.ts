import type { Generated } from 'kysely'

/** The tables of `0221-notifications.ts`. Instants are epoch ms. */
export interface NotificationTables {
  /** Up to which row of the journal an account's person has been told. */
  notification_cursor: { user_id: string; seq: number }
  notification: NotificationRow
  /** What is sent together. */
  notification_bundle: { id: string; user_id: string; at: number; silent: boolean }
  notification_channel: NotificationChannelRow
  /** A bundle on its way over one channel. */
  notification_delivery: NotificationDeliveryRow
  notification_setting: {
    user_id: string
    levels: Readonly<Record<string, NotificationLevel>>
    quiet_from: number
    quiet_to: number
  }
  /** What people were called for and has not ended. */
  notification_alarm: { user_id: string; kind: string; subject: string; raised_at: number; process: Generated<string> }
  telegram_link: { code_hash: Buffer; user_id: string; expires_at: number }
}

export type NotificationLevel = 'on' | 'silent' | 'off'

export interface NotificationRow {
  id: Generated<number>
  user_id: string
  subject: string
  kind: string
  at: number
  code: string | null
  text: string
  /** What it is worth: shown where its person wants amounts. */
  amounts: string | null
  fill: NotificationFill | null
  state: Generated<'waiting' | 'bundled' | 'off'>
  bundle_id: string | null
}

/** Shares and won of one fill, and those of its order so far. */
export interface NotificationFill {
  readonly order: number
  readonly side: 'buy' | 'sell'
  readonly count: number
  readonly amount: number
  /** Realised after costs; null: a buy. */
  readonly net: number | null
  readonly totalCount: number
  readonly totalAmount: number
}

export type ChannelKind = 'push' | 'telegram' | 'email' | 'webhook'

export interface NotificationChannelRow {
  id: Generated<number>
  user_id: string
  kind: ChannelKind
  label: string
  sealed: Buffer
  mark: Buffer
  amounts: boolean
  state: Generated<'on' | 'off'>
  note: string | null
  failing_since: number | null
  created_at: number
  sent_at: number | null
}

export interface NotificationDeliveryRow {
  bundle_id: string
  channel_id: number
  user_id: string
  at: number
  state: Generated<'waiting' | 'sent' | 'dropped'>
  tries: Generated<number>
  next_at: number
  taken_until: Generated<number>
  sent_at: number | null
  note: string | null
  /** The order in which a channel gets them. */
  place: Generated<number>
}
