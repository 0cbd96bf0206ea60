import { afterEach, expect, test, vi } from 'vitest'
import { bodyOf, draftOf, newStock } from '../../features/stock/draft.ts'
import { runForEach } from './bulk.ts'

afterEach(() => void vi.unstubAllGlobals())

const user = (userId: string) => ({
  userId,
  email: `${userId}@digger.test`,
  userKey: false,
  mayAddStocks: false,
  summary: null,
  socket: false,
})

test('each user has a line: done, done with something left to say, or why not', async () => {
  const tasks = new Map<string, () => Promise<unknown>>([
    ['u1', async () => ({})],
    ['u2', async () => '사용자 키는 열었지만 증권사 연결은 확인하지 못했습니다.'],
    ['u3', async () => Promise.reject(new Error('boom'))],
    ['u4', async () => null],
  ])
  const progress: number[] = []
  // Receives the page's progress bar.
  vi.stubGlobal('window', new EventTarget())
  const results = await runForEach(
    [...tasks.keys()].map(user),
    async ({ userId }) => tasks.get(userId)?.(),
    (done) => progress.push(done.length),
  )
  expect(results.map(({ userId, ok, message }) => [userId, ok, message])).toEqual([
    ['u1', true, ''],
    ['u2', true, '사용자 키는 열었지만 증권사 연결은 확인하지 못했습니다.'],
    ['u3', false, expect.stringMatching(/[가-힣]/)],
    ['u4', true, ''],
  ])
  expect(progress).toEqual([1, 2, 3, 4])
})

// No stock in a list has this version (core: stock-list.test.ts), so nobody's settings change, and nothing is sold, by this button.
test('a stock that is added for everybody is sent as one that nobody has', () => {
  const stock = newStock('user', '005930')
  expect(bodyOf(stock, draftOf(stock))).toMatchObject({ version: 0, autoSell: false, autoBuy: false })
})
