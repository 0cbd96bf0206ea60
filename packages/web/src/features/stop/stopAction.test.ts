import { expect, test } from 'vitest'
import type { Stops } from '../../stops/stops.ts'
import { stopAction } from './StopButton.tsx'

const OTHER = { text: '다른 서버가 이 계좌로 주문했습니다.', at: '2026-11-20T13:30:00+09:00' }
const stops = (given: Partial<Stops>): Stops => ({
  server: 'active',
  serverReason: null,
  user: 'active',
  stocks: [],
  reached: [],
  otherServer: null,
  ...given,
})

test.each<[name: string, stops: Stops | null, admin: boolean, action: string]>([
  ['nothing is known yet', null, false, '멈추기'],
  ['it trades', stops({}), false, '멈추기'],
  ['buying is stopped', stops({ user: 'reduce' }), false, '바꾸기'],
  ['the account stands still', stops({ user: 'halt' }), false, '다시 시작'],
  ['both stand still', stops({ user: 'halt', server: 'halt' }), false, '다시 시작'],
  // Only an administrator starts the server again.
  ['the server stands still', stops({ server: 'halt' }), false, '바꾸기'],
  ['the server stands still, to an administrator', stops({ server: 'halt' }), true, '다시 시작'],
  ['the server buys nothing, to an administrator', stops({ server: 'reduce' }), true, '바꾸기'],
  // That one is ended in the banner, which says what to look at first.
  ['another Digger trades', stops({ otherServer: OTHER }), true, '바꾸기'],
])('while %s', (_name, given, admin, action) => {
  expect(stopAction(given, admin)).toBe(action)
})
