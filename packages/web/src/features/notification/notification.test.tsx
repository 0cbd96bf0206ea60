import type { NotificationChannel, NotificationItem } from '@digger/contract'
import { ADMIN_KINDS, ALWAYS_ON, NOTIFICATION_KINDS } from '@digger/contract/notification-kinds'
import { renderToStaticMarkup } from 'react-dom/server'
import { Router } from 'wouter'
import { expect, test } from 'vitest'
import { Message } from './Messages.tsx'
import { isOnItsWay, kindGroups, typedQuiet, typedTime, wrongAddress } from './notificationText.ts'
import { leftText, newTelegram } from './telegram.ts'

const kindsOf = (admin: boolean) => kindGroups(admin).flatMap(({ kinds }) => kinds)

test('every kind that can be switched is offered once, an administrator’s only to administrators', () => {
  const switched = NOTIFICATION_KINDS.filter((kind) => !ALWAYS_ON.has(kind))
  expect(kindsOf(true).toSorted()).toEqual(switched.toSorted())
  expect(kindsOf(false).toSorted()).toEqual(switched.filter((kind) => !ADMIN_KINDS.has(kind)).toSorted())
})

test.each([
  ['22:30', '22:30'],
  ['7:05', '07:05'],
  ['0730', '07:30'],
  [' 00:00 ', '00:00'],
  ['23:59', '23:59'],
  ['24:00', null],
  ['12:60', null],
  ['12', null],
  ['', null],
  ['밤 열 시', null],
])('the time %j is %j', (text, time) => expect(typedTime(text)).toBe(time))

test('quiet hours go over midnight, and are no whole day by mistake', () => {
  expect(typedQuiet('22:00', '7:00')).toEqual({ from: '22:00', to: '07:00' })
  expect(typedQuiet('22:00', '')).toContain('22:30처럼')
  expect(typedQuiet('07:00', '7:00')).toContain('없음을 골라 주세요.')
})

test.each([
  ['https://ntfy.sh/my-topic', true],
  [' https://hooks.example.com/a?b=c ', true],
  ['http://hooks.example.com/', false],
  ['hooks.example.com', false],
  ['javascript:alert(1)', false],
  ['', false],
])('the address %j may be sent: %j', (text, may) => expect(wrongAddress(text) === null).toBe(may))

const item = (change: Partial<NotificationItem> = {}): NotificationItem => ({
  id: 1,
  at: '2026-11-20T13:25:00.000+09:00',
  kind: 'sold',
  code: '005930',
  text: '삼성전자 3주를 팔았습니다',
  amounts: '71,900원에',
  deliveries: [{ channel: 'push', label: '크롬', state: 'sent' }],
  ...change,
})
const textOf = (change: Partial<NotificationItem>) =>
  renderToStaticMarkup(
    <Router ssrPath="/u1/notification">
      <Message message={item(change)} />
    </Router>,
  )

test('one that was told says where it arrived, and leads to its stock', () => {
  expect(textOf({})).toContain('href="/u1/stock/005930/trade"')
  expect(textOf({})).toMatch(/26-11-20 13:25:00.*매도 체결.*71,900원에.*크롬 <b>보냄/)
  expect(textOf({ code: null })).not.toContain('href')
  expect(textOf({ deliveries: [{ channel: 'push', label: '크롬', state: 'dropped' }] })).toContain('못 보냄')
  expect(textOf({ deliveries: [] })).toContain('보낸 곳이 없습니다.')
})

test('one that its person did not want is there, and says so', () => {
  expect(textOf({ deliveries: null })).toContain('알리지 않음')
})

const states = (...all: ('waiting' | 'sent' | 'dropped')[]) => ({
  deliveries: all.map((state) => ({ channel: 'push' as const, label: '크롬', state })),
})

test.each<[string, Pick<NotificationItem, 'deliveries'>, boolean]>([
  ['one of two waits', states('sent', 'waiting'), true],
  ['all have ended', states('sent', 'dropped'), false],
  ['no channel has it yet', states(), true],
  ['nobody is told', { deliveries: null }, false],
])('%s: it is on its way %s', (_, given, onItsWay) => expect(isOnItsWay(given)).toBe(onItsWay))

test.each([
  [0, '10:00'],
  [1, '10:00'],
  [59_000, '9:01'],
  [599_001, '0:01'],
  [600_000, null],
  // The clock of the device was set back.
  [-3_600_000, '10:00'],
])('a code that came %d ms ago has %s left', (age, left) => expect(leftText(age)).toBe(left))

const chat = (change: Partial<NotificationChannel> = {}): NotificationChannel => ({
  id: 1,
  kind: 'telegram',
  label: '텔레그램 민지',
  amounts: true,
  on: true,
  note: null,
  createdAt: '2026-11-20T10:00:00.000+09:00',
  sentAt: null,
  ...change,
})

test.each<[string, NotificationChannel[], NotificationChannel[], boolean]>([
  ['nothing came', [], [], false],
  ['a first chat', [], [chat()], true],
  ['another chat', [chat()], [chat(), chat({ id: 2 })], true],
  ['the same chat, which was off', [chat({ on: false })], [chat()], true],
  ['the same chat', [chat()], [chat()], false],
  ['another channel', [], [chat({ kind: 'email' })], false],
  ['a chat that went off', [chat()], [chat({ on: false })], false],
])('%s: a chat was linked %s', (_, before, now, linked) => expect(newTelegram(before, now)).toBe(linked))
