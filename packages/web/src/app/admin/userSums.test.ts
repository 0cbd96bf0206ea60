import { expect, test } from 'vitest'
import type { AdminUser } from './useAdminUsers.ts'
import { attentionOf, morningText, showOf, sumOf, todayOf, totalOf, usersOf } from './userSums.ts'

const summary = {
  totalAmount: 1_000_000,
  realisedNet: 500,
  openGain: -200,
  openOrders: 3,
  lastOrderAt: null,
  differences: 0,
  stop: 'active' as const,
}
const user = (userId: string, more: Partial<AdminUser> = {}): AdminUser => ({
  userId,
  email: `${userId}@digger.test`,
  userKey: true,
  socket: true,
  mayAddStocks: false,
  summary,
  morning: { state: 'ok', red: 0, text: null },
  ...more,
})

const USERS = [
  user('well'),
  user('differs', { summary: { ...summary, differences: 2 } }),
  user('stopped', { summary: { ...summary, differences: 1, stop: 'reduce' } }),
  user('keyless', {
    userKey: false,
    summary: { ...summary, totalAmount: null, openGain: null },
    morning: { state: 'red', red: 1, text: '키가 열려 있지 않습니다. Digger에 로그인하면 열립니다.' },
  }),
  user('unready', { morning: { state: 'red', red: 2, text: '상한가·하한가를 읽지 못했습니다.' } }),
  user('waiting', { morning: { state: 'waiting', red: 0, text: null } }),
  // Its server does not answer: nothing is known, which is no reason to name it.
  user('away', { userKey: null, socket: null, summary: null, morning: null }),
]

test.each([
  ['all', ['well', 'differs', 'stopped', 'keyless', 'unready', 'waiting', 'away']],
  ['differences', ['differs', 'stopped']],
  ['stopped', ['stopped']],
  ['keyless', ['keyless']],
  ['unready', ['unready']],
  ['nonsense', ['well', 'differs', 'stopped', 'keyless', 'unready', 'waiting', 'away']],
])('%s shows %j', (text, ids) => expect(usersOf(USERS, showOf(text)).map(({ userId }) => userId)).toEqual(ids))

test('names each user who must be looked at once, and every reason', () => {
  expect(attentionOf(USERS)).toEqual({ count: 4, text: '차이 있음 2 · 멈춤 1 · 준비 안 됨 1 · 키 없음 1' })
  expect(attentionOf([user('a'), user('b')])).toBeNull()
})

test.each<[AdminUser['morning'], string]>([
  [null, '준비 모름'],
  [{ state: 'red', red: 2, text: '' }, '준비 안 됨 · 2가지'],
  [{ state: 'red', red: 1, text: '', idle: 'halt' }, '준비 안 됨 · 1가지'],
  [{ state: 'waiting', red: 0, text: null }, '준비 중'],
  [{ state: 'ok', red: 0, text: null }, '준비됨'],
  [{ state: 'ok', red: 0, text: null, idle: 'halt' }, '준비됨 · 멈춤'],
  [{ state: 'ok', red: 0, text: null, idle: 'shadow' }, '준비됨 · 연습'],
])('%j reads %s', (morning, text) => expect(morningText(morning)).toBe(text))

test('sums leave out what is not known, and say of how many they are', () => {
  expect(sumOf(USERS, totalOf)).toEqual({ sum: 5_000_000, known: 5 })
  expect(sumOf(USERS, todayOf)).toEqual({ sum: 1_500, known: 5 })
  expect(sumOf([], totalOf)).toEqual({ sum: 0, known: 0 })
})
