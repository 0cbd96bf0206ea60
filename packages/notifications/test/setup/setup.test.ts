import type { NewChannel, NotificationSettings, NotificationSetup } from '@digger/contract'
import { kstIso } from '@digger/core'
import type { Db } from '@digger/database'
import { sharedDatabase, TestClock } from '@digger/database/testing'
import { newKey, SealError } from '@digger/identity'
import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { vapidKeysOf } from '../../src/keys.ts'
import { addChannel, MAX_CHANNELS, openAddress } from '../../src/outbox/addresses.ts'
import { Senders } from '../../src/senders.ts'
import { NotificationSetups } from '../../src/setup/setup.ts'
import { KEY, NOW, TestAccount } from '../outbox/fixture.ts'

let db: Db
let setups: NotificationSetups
let account: TestAccount
let botName: string | null
let news = 0
const wall = new TestClock(NOW)

const published = (): void => void (news += 1)

beforeAll(async () => {
  ;({ db } = await sharedDatabase())
  const keys = await vapidKeysOf(db, KEY)
  const senders = new Senders(
    { pushContact: 'mailto:op@digger.test', smtp: { url: 'smtp://127.0.0.1:1', from: 'digger@digger.test' } },
    keys,
    wall,
  )
  setups = new NotificationSetups({ db, wall, key: KEY, senders, botName: async () => botName, wake: published })
})
beforeEach(async () => {
  botName = null
  account = await TestAccount.add(db)
})

const hook = (path: string): NewChannel => ({ kind: 'webhook', url: `https://hooks.example/${path}` })
const PUSH: NewChannel = {
  kind: 'push',
  label: '내 휴대폰',
  endpoint: 'https://fcm.googleapis.com/fcm/send/secret-token',
  p256dh: 'B'.repeat(87),
  auth: 'a'.repeat(22),
}
const labels = ({ channels }: NotificationSetup): string[] => channels.map(({ label }) => label)
const refusal = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'done',
    (error: unknown) => (error instanceof Error && 'code' in error ? error.code : error),
  )

test('at first everything is on, with nowhere to send it', async () => {
  const setup = await setups.read(account.id)
  expect(setup).toMatchObject({ levels: {}, quiet: null, channels: [], offered: { telegram: null, email: true } })
  expect(setup.offered.push).toMatch(/^[\w-]{87}$/)
  expect(await refusal(setups.test(account.id))).toBe('CONFLICT')
})

test.each<NotificationSettings>([
  { levels: { bought: 'off', mismatch: 'silent', test: 'on' }, quiet: { from: '22:30', to: '07:05' } },
  { levels: {}, quiet: { from: '00:00', to: '23:59' } },
  { levels: { sold: 'off' }, quiet: null },
])('settings are read as they were written: %j', async (settings) => {
  const before = { levels: { bought: 'silent' }, quiet: { from: '01:00', to: '02:00' } } as const
  await setups.write(account.id, before)
  expect(await setups.write(account.id, settings)).toMatchObject(settings)
  expect(await setups.read(account.id)).toMatchObject(settings)
})

test('hours that begin and end at the same time are none', async () => {
  expect((await setups.write(account.id, { levels: {}, quiet: { from: '09:00', to: '09:00' } })).quiet).toBeNull()
})

test('channels: amounts where others do not see them, labels without what is as good as a password', async () => {
  await setups.add(account.id, PUSH)
  await setups.add(account.id, { kind: 'email' })
  const { channels } = await setups.add(account.id, hook('secret-path'))
  expect(channels.map(({ kind, label, amounts, on }) => [kind, label, amounts, on])).toEqual([
    ['push', '내 휴대폰', false, true],
    ['email', `${account.id}@digger.test`, true, true],
    ['webhook', 'hooks.example', true, true],
  ])
  expect(channels[0]).toMatchObject({ createdAt: kstIso(NOW), sentAt: null, note: null })
})

test.each<[string, NewChannel]>([
  ['a push service that nobody knows', { ...PUSH, endpoint: 'https://push.evil.example/x' }],
  ['http to the world', { kind: 'webhook', url: 'http://93.184.216.34/x' }],
  ['the inner network', { kind: 'webhook', url: 'https://10.0.0.1/x' }],
  ['this machine', { kind: 'webhook', url: 'https://127.0.0.1/x' }],
])('refused: %s', async (_name, given) => {
  expect(await refusal(setups.add(account.id, given))).toBe('INVALID')
  expect((await setups.read(account.id)).channels).toEqual([])
})

test('addresses are nowhere in the clear, and open for their own person and kind only', async () => {
  await setups.add(account.id, PUSH)
  await setups.add(account.id, hook('secret-path'))
  const { rows } = await sql<{ line: string }>`
    select c::text || encode(c.sealed, 'escape') || encode(c.mark, 'escape') as line from notification_channel c
    where user_id = ${account.id}`.execute(db)
  const text = rows.map(({ line }) => line).join('\n')
  expect(rows).toHaveLength(2)
  for (const secret of ['secret-token', 'secret-path', 'fcm.googleapis', 'https:', 'BBBB'])
    expect(text).not.toContain(secret)
  const [push] = await db
    .selectFrom('notification_channel')
    .select('sealed')
    .where('user_id', '=', account.id)
    .orderBy('id')
    .execute()
  const sealed = push?.sealed ?? Buffer.alloc(0)
  expect(openAddress(KEY, account.id, 'push', sealed)).toMatchObject({
    endpoint: 'https://fcm.googleapis.com/fcm/send/secret-token',
  })
  const other = await TestAccount.add(db)
  expect(() => openAddress(KEY, other.id, 'push', sealed)).toThrow(SealError)
  expect(() => openAddress(KEY, account.id, 'webhook', sealed)).toThrow(SealError)
  expect(() => openAddress(newKey(), account.id, 'push', sealed)).toThrow(SealError)
})

test('the same browser again renews its channel, and switches it on', async () => {
  const { channels } = await setups.add(account.id, PUSH)
  const id = channels[0]?.id ?? 0
  await setups.change(account.id, id, { on: false, amounts: true })
  const again = await setups.add(account.id, { ...PUSH, label: '새 이름', auth: 'b'.repeat(22) })
  expect(again.channels.map((one) => [one.id, one.label, one.on, one.amounts])).toEqual([[id, '새 이름', true, true]])
  // The same address of another person is a channel of theirs.
  const other = await TestAccount.add(db)
  expect(labels(await setups.add(other.id, PUSH))).toEqual(['내 휴대폰'])
})

test('whoever is called somewhere learns there of each other place that is added, once', async () => {
  const added = async (): Promise<string[]> =>
    (await setups.list(account.id)).filter(({ kind }) => kind === 'channelAdded').map(({ text }) => text)
  const before = news
  await setups.add(account.id, PUSH)
  // Nobody was called anywhere.
  expect(await added()).toEqual([])
  await setups.add(account.id, hook('one'))
  await setups.add(account.id, hook('one'))
  expect(await added()).toEqual([
    '알림 받는 곳이 더해짐: hooks.example. 본인이 더한 것이 아니면 알림 화면에서 지우고 비밀번호를 바꿔 주세요.',
  ])
  expect(news).toBeGreaterThan(before)
})

test('no more than twenty, of which each can still be renewed', async () => {
  for (let n = 0; n < MAX_CHANNELS; n += 1) await setups.add(account.id, hook(String(n)))
  expect(await refusal(setups.add(account.id, hook('more')))).toBe('CONFLICT')
  expect((await setups.add(account.id, hook('3'))).channels).toHaveLength(MAX_CHANNELS)
  const { channels } = await setups.read(account.id)
  await setups.remove(account.id, channels[0]?.id ?? 0)
  expect((await setups.add(account.id, hook('more'))).channels).toHaveLength(MAX_CHANNELS)
})

test('a channel of somebody else is not there', async () => {
  const other = await TestAccount.add(db)
  const { channels } = await setups.add(other.id, hook('x'))
  const id = channels[0]?.id ?? 0
  const calls = [
    setups.change(account.id, id, { on: false }),
    setups.remove(account.id, id),
    setups.change(account.id, 999_999_999, { amounts: false }),
    setups.remove(account.id, 999_999_999),
  ]
  expect(new Set(await Promise.all(calls.map(refusal)))).toEqual(new Set(['NOT_FOUND']))
  expect((await setups.read(other.id)).channels).toEqual(channels)
})

test('a change says only what it changes; switching on forgets why it was off', async () => {
  const { channels } = await setups.add(account.id, hook('x'))
  const id = channels[0]?.id ?? 0
  await sql`update notification_channel set state = 'off', note = '받지 않습니다.', failing_since = 5 where id = ${id}`.execute(
    db,
  )
  expect((await setups.change(account.id, id, { amounts: false })).channels[0]).toMatchObject({
    amounts: false,
    on: false,
    note: '받지 않습니다.',
  })
  expect((await setups.change(account.id, id, { on: true })).channels[0]).toMatchObject({
    amounts: false,
    on: true,
    note: null,
  })
  const row = await db
    .selectFrom('notification_channel')
    .select('failing_since')
    .where('id', '=', id)
    .executeTakeFirst()
  expect(row?.failing_since).toBeNull()
  expect((await setups.change(account.id, id, {})).channels[0]).toMatchObject({ amounts: false, on: true })
})

test('the test button and a new device go the way of every other one', async () => {
  await setups.add(account.id, hook('x'))
  news = 0
  await setups.test(account.id)
  await setups.test(account.id)
  await setups.newDevice(account.id, '203.0.113.7')
  expect(news).toBe(3)
  const list = await setups.list(account.id)
  expect(list.map(({ kind, at, deliveries }) => [kind, at, deliveries])).toEqual([
    ['newDevice', kstIso(NOW), []],
    ['test', kstIso(NOW), []],
    ['test', kstIso(NOW), []],
  ])
  expect(list[0]?.text).toContain('203.0.113.7')
})

test('the page shows the last hundred, newest first', async () => {
  for (let n = 0; n < 101; n += 1) await setups.newDevice(account.id, `192.0.2.${n}`)
  const list = await setups.list(account.id)
  expect(list).toHaveLength(100)
  expect([list[0]?.text, list[99]?.text].map((text) => /192\.0\.2\.(\d+)/.exec(text ?? '')?.[1])).toEqual(['100', '1'])
})

test('a link to Telegram needs a bot', async () => {
  expect(await refusal(setups.linkTelegram(account.id))).toBe('CONFLICT')
  botName = 'digger_bot'
  const { code, url, expiresAt } = await setups.linkTelegram(account.id)
  expect(code).toMatch(/^[A-HJKMNP-Z2-9]{10}$/)
  expect([url, expiresAt]).toEqual([`https://t.me/digger_bot?start=${code}`, kstIso(NOW + 600_000)])
})

test('a channel of Telegram is named, and no address of it is on the page', async () => {
  const address = { kind: 'telegram', chatId: 123_456_789 } as const
  await addChannel(db, KEY, account.id, { address, label: '텔레그램 김', amounts: true }, NOW)
  const { channels } = await setups.read(account.id)
  expect(JSON.stringify(channels)).not.toContain('123456789')
})
