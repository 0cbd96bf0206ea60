import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import { NOTIFICATION_LABELS, type NotificationKind } from '@digger/contract'
import type { ChannelKind, Db } from '@digger/database'
import { seal, unseal } from '@digger/identity'
import type { PushAddress } from '../channels/web-push.ts'
import type { WebhookAddress } from '../channels/webhook.ts'

/** Where a channel sends to, as it is sealed. */
export type Address =
  | ({ readonly kind: 'push' } & PushAddress)
  | { readonly kind: 'telegram'; readonly chatId: number }
  | { readonly kind: 'email'; readonly to: string }
  | ({ readonly kind: 'webhook' } & WebhookAddress)

const labelOf = (userId: string, kind: ChannelKind): string => `notification channel:${userId}:${kind}`

/** Addresses are sealed by a key of the server's: somebody has to be called whose own key is closed. */
export const sealAddress = (key: Buffer, userId: string, address: Address): Buffer =>
  seal(key, Buffer.from(JSON.stringify(address)), labelOf(userId, address.kind))

/** Throws SealError where the server's key is another one than it was sealed by. */
export function openAddress(key: Buffer, userId: string, kind: ChannelKind, sealed: Buffer): Address {
  const address: Address = JSON.parse(unseal(key, sealed, labelOf(userId, kind)).toString())
  return address
}

/** Names an address without telling it. */
export const markOf = (key: Buffer, address: Address): Buffer =>
  createHmac('sha256', key)
    .update(JSON.stringify(whereTo(address)))
    .digest()

/** A browser that subscribes again has other keys at the same place. */
function whereTo(address: Address): string {
  switch (address.kind) {
    case 'push':
      return `push ${address.endpoint}`
    case 'telegram':
      return `telegram ${address.chatId}`
    case 'email':
      return `email ${address.to}`
    case 'webhook':
      return `webhook ${address.url}`
  }
}

export interface AddedChannel {
  readonly address: Address
  readonly label: string
  readonly amounts: boolean
}

/** Of one person: more would be a way to send much to others. */
export const MAX_CHANNELS = 20

/**
 * Adds it, or renews it where it is there. Whoever is called elsewhere already learns of it there: who had the password for a minute would
 * read along for ever. False: the person has as many as anybody may have.
 */
export async function addChannel(
  db: Db,
  key: Buffer,
  userId: string,
  { address, label, amounts }: AddedChannel,
  now: number,
): Promise<boolean> {
  const kind: NotificationKind = 'channelAdded'
  const mark = markOf(key, address)
  const text = `${NOTIFICATION_LABELS[kind]}: ${label}. 본인이 더한 것이 아니면 알림 화면에서 지우고 비밀번호를 바꿔 주세요.`
  const { rows } = await sql`
    with before as (select mark, state from notification_channel where user_id = ${userId}),
    added as (
      insert into notification_channel as c (user_id, kind, label, sealed, mark, amounts, created_at)
      select ${userId}, ${address.kind}, ${label}, ${sealAddress(key, userId, address)}, ${mark}, ${amounts}, ${now}
      where (select count(*) from before where mark <> ${mark}) < ${MAX_CHANNELS}
      on conflict (user_id, mark) do update set sealed = excluded.sealed, label = excluded.label, state = 'on', note = null, failing_since = null
      returning c.id),
    published as (
      insert into notification (user_id, subject, kind, at, text)
      select ${userId}, 'channel ' || id || ' added', ${kind}, ${now}::bigint, ${text} from added
      where exists (select from before where state = 'on') and not exists (select from before where mark = ${mark})
      on conflict (user_id, subject) do nothing)
    select id from added`.execute(db)
  return rows.length > 0
}
