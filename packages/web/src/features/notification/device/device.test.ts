import type { NotificationChannel } from '@digger/contract'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  DEVICE_TEXTS,
  deviceName,
  deviceState,
  freeLabel,
  ownChannel,
  type DeviceFacts,
  type DeviceState,
} from './deviceState.ts'
import { rememberedIn } from './rememberedChannels.ts'

const KEY = 'server-key'
const ENDPOINT = 'https://fcm.googleapis.com/fcm/send/one'
const channel = (change: Partial<NotificationChannel> = {}): NotificationChannel => ({
  id: 7,
  kind: 'push',
  label: '크롬 (안드로이드)',
  amounts: false,
  on: true,
  note: null,
  createdAt: '2026-11-20T10:00:00.000+09:00',
  sentAt: null,
  ...change,
})
const subscribed: DeviceFacts = {
  secure: true,
  push: true,
  apple: false,
  installed: false,
  permission: 'granted',
  subscription: { endpoint: ENDPOINT, serverKey: KEY },
  remembered: [{ id: 7, endpoint: ENDPOINT }],
}

describe('what this device can do', () => {
  test.each<[string, Partial<DeviceFacts>, DeviceState, NotificationChannel[]?]>([
    ['is subscribed here and in the list', {}, 'on'],
    ['came by http: browsers have no push there, and say nothing of it', { secure: false, push: false }, 'insecure'],
    ['a tab of an iPhone', { push: false, apple: true }, 'appleTab'],
    ['an iPhone from the home screen that is too old', { push: false, apple: true, installed: true }, 'appleOld'],
    ['an iPhone from the home screen', { apple: true, installed: true, subscription: null }, 'ready'],
    ['another browser without push', { push: false }, 'unsupported'],
    ['its person said no', { permission: 'denied', subscription: null }, 'denied'],
    ['its person said no after it was added', { permission: 'denied' }, 'denied'],
    ['was never asked', { permission: 'default', subscription: null }, 'ready'],
    ['lost its permission, and is asked again', { permission: 'default' }, 'ready'],
    ['was removed from the list, on another device perhaps', {}, 'ready', []],
    ['is subscribed for somebody else only', { remembered: [{ id: 99, endpoint: ENDPOINT }] }, 'ready'],
    ['forgot which channel it is', { remembered: [] }, 'ready'],
    ['lost its subscription', { subscription: null }, 'ready'],
    ['has the number of another kind of channel', {}, 'ready', [channel({ kind: 'email' })]],
    ['subscribed with another key', { subscription: { endpoint: ENDPOINT, serverKey: 'old' } }, 'otherKey'],
    ['does not say its key', { subscription: { endpoint: ENDPOINT, serverKey: null } }, 'on'],
    ['got another address', { subscription: { endpoint: `${ENDPOINT}2`, serverKey: KEY } }, 'moved'],
    ['is switched off', {}, 'off', [channel({ on: false })]],
    [
      'is switched off because the key is another',
      { subscription: { endpoint: ENDPOINT, serverKey: 'old' } },
      'otherKey',
      [channel({ on: false })],
    ],
  ])('%s', (_, change, state, channels = [channel()]) =>
    expect(deviceState({ ...subscribed, ...change }, channels, KEY)).toBe(state),
  )

  test('every state says what to do: by a button, or in a whole sentence', () => {
    for (const { text, action } of Object.values(DEVICE_TEXTS)) {
      expect(text).toMatch(/다\.$|세요\.$/)
      expect(action ?? '기').toMatch(/기$/)
    }
    expect(DEVICE_TEXTS.appleTab.text).toContain('공유 → 홈 화면에 추가한 뒤 그 아이콘으로 열어 주세요.')
  })

  test('of several people in one browser each finds its own channel', () => {
    const facts = { remembered: [3, 9].map((id) => ({ id, endpoint: ENDPOINT })) }
    expect(ownChannel([channel({ id: 2 }), channel({ id: 9 })], facts)?.id).toBe(9)
    expect(ownChannel([channel({ id: 3 })], facts)?.id).toBe(3)
    expect(ownChannel([channel({ id: 4 })], facts)).toBeUndefined()
  })
})

test.each([
  [
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36',
    '크롬 (안드로이드)',
  ],
  [
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36',
    '삼성 인터넷 (안드로이드)',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0',
    '엣지 (윈도우)',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Whale/4.33.325.17 Safari/537.36',
    '웨일 (윈도우)',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0', '파이어폭스 (리눅스)'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1',
    '사파리 (아이폰)',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15',
    '사파리 (맥)',
  ],
  ['', '브라우저'],
])('%s is called %s', (userAgent, name) => expect(deviceName(userAgent)).toBe(name))

test('a label is free, near to what was wanted, and short enough for the server', () => {
  expect(freeLabel('크롬', [])).toBe('크롬')
  expect(freeLabel('크롬', ['크롬', '크롬 3'])).toBe('크롬 2')
  const labels = fc.array(fc.constantFrom('크롬', '크롬 2', '크롬 3', '크롬 4'), { maxLength: 19 })
  fc.assert(
    fc.property(labels, (taken) => {
      const label = freeLabel('크롬', taken)
      expect(taken).not.toContain(label)
      expect(label.startsWith('크롬')).toBe(true)
      expect(label.length).toBeLessThanOrEqual(60)
    }),
  )
})

test('of two people in one browser, who got another address, each is moved until added again', () => {
  const moved = { endpoint: `${ENDPOINT}2`, serverKey: KEY }
  const remembered = [
    { id: 7, endpoint: ENDPOINT },
    { id: 9, endpoint: moved.endpoint },
  ]
  const stateOf = (id: number) =>
    deviceState({ ...subscribed, subscription: moved, remembered }, [channel({ id })], KEY)
  expect([stateOf(7), stateOf(9)]).toEqual(['moved', 'on'])
})

test('what a browser remembers is read back; anything else is nothing', () => {
  const channels = [{ id: 1, endpoint: ENDPOINT }]
  expect(rememberedIn(JSON.stringify(channels))).toEqual(channels)
  expect(rememberedIn('[{"id":1,"endpoint":"e"},{"id":"2","endpoint":"e"},{"id":3},null,7]')).toEqual([
    { id: 1, endpoint: 'e' },
  ])
  for (const text of [null, '', '{', '7', 'null', '{}']) expect(rememberedIn(text)).toEqual([])
})
