import { expect, test } from 'vitest'
import { ADMIN_KINDS, ALWAYS_ON, NOTIFICATION_KINDS, NOTIFICATION_LABELS } from './notification-kinds.ts'
import { NewChannel, NotificationSettings } from './notifications.ts'

test('every kind has a name of its own, which its person reads', () => {
  const labels = NOTIFICATION_KINDS.map((kind) => NOTIFICATION_LABELS[kind])
  expect(labels.filter((label) => !/[가-힣]/.test(label))).toEqual([])
  expect(new Set(labels).size).toBe(labels.length)
})

test('what nobody can switch off is for everybody', () =>
  expect([...ALWAYS_ON].filter((kind) => ADMIN_KINDS.has(kind))).toEqual([]))

test.each<[string, unknown, boolean]>([
  ['nothing chosen', { levels: {}, quiet: null }, true],
  ['one kind and a night', { levels: { sold: 'off' }, quiet: { from: '22:00', to: '07:00' } }, true],
  ['no such kind', { levels: { bonus: 'off' }, quiet: null }, false],
  ['no such level', { levels: { sold: 'loud' }, quiet: null }, false],
  ['an hour of one digit', { levels: {}, quiet: { from: '7:00', to: '08:00' } }, false],
  ['the end of a day', { levels: {}, quiet: { from: '24:00', to: '08:00' } }, false],
  ['half a night', { levels: {}, quiet: { from: '22:00' } }, false],
  ['no quiet hours at all', { levels: {} }, false],
])('settings with %s are taken: %s', (_, settings, taken) =>
  expect(NotificationSettings.safeParse(settings).success).toBe(taken),
)

const push = {
  kind: 'push',
  label: '크롬',
  endpoint: 'https://push.example/1',
  p256dh: 'B'.repeat(87),
  auth: 'a'.repeat(22),
}

test.each<[string, unknown, boolean]>([
  ['a browser', push, true],
  ['a browser whose keys are padded', { ...push, auth: `${'a'.repeat(22)}==` }, false],
  ['a browser without a name', { ...push, label: '' }, false],
  ['a browser without a key', { ...push, p256dh: '' }, false],
  ['the log-in address', { kind: 'email' }, true],
  ['a webhook', { kind: 'webhook', url: 'https://ntfy.sh/topic', template: 'ntfy' }, true],
  ['a webhook whose template is unknown', { kind: 'webhook', url: 'https://ntfy.sh/topic', template: 'xml' }, false],
  ['a webhook that is no address', { kind: 'webhook', url: 'ntfy.sh/topic' }, false],
  ['a chat, which only its own code can link', { kind: 'telegram', chatId: 7 }, false],
])('%s is taken: %s', (_, given, taken) => expect(NewChannel.safeParse(given).success).toBe(taken))
