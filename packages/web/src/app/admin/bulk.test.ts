import { afterEach, expect, test, vi } from 'vitest'
import { bodyOf, draftOf, newStock } from '../../features/stock/draft.ts'
import { Problem } from '../../api/problem.ts'
import { isOfPassword, runForEach, runOnServer } from './bulk.ts'
import { outcomeOf } from './bulkState.ts'

afterEach(() => void vi.unstubAllGlobals())

const user = (userId: string) => ({
  userId,
  email: `${userId}@digger.test`,
  userKey: false,
  mayAddStocks: false,
  summary: null,
  morning: null,
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

const people = ['u1', 'u2', 'u3'].map(user)
const wrong = new Problem('INVALID', '관리자 비밀번호가 맞지 않습니다.')

test('a wrong password is tried once, and for nobody else', async () => {
  vi.stubGlobal('window', new EventTarget())
  const task = vi.fn<() => Promise<unknown>>().mockRejectedValue(wrong)
  await expect(runForEach(people, task, () => undefined, isOfPassword)).rejects.toBe(wrong)
  expect(task).toHaveBeenCalledOnce()
})

test('one that is wrong from the second user on leaves the rest alone, each with a line', async () => {
  vi.stubGlobal('window', new EventTarget())
  const task = vi.fn<() => Promise<unknown>>().mockResolvedValueOnce({}).mockRejectedValue(wrong)
  const results = await runForEach(people, task, () => undefined, isOfPassword)
  expect(task).toHaveBeenCalledTimes(2)
  expect(results.map(({ ok, message }) => [ok, message])).toEqual([
    [true, ''],
    [false, wrong.message],
    [false, '앞의 사용자에서 멈춰 하지 않았습니다.'],
  ])
})

test('what fails for one user alone stops nobody else', async () => {
  vi.stubGlobal('window', new EventTarget())
  const own = new Problem('CONFLICT', '한 번 로그인해야 합니다.')
  const task = vi.fn<() => Promise<unknown>>().mockRejectedValueOnce(own).mockResolvedValue({})
  const results = await runForEach(people, task, () => undefined, isOfPassword)
  expect(results.map(({ ok }) => ok)).toEqual([false, true, true])
})

const lines = (...oks: boolean[]) =>
  oks.map((ok, at) => ({ userId: `u${at}`, email: `u${at}@digger.test`, ok, message: '' }))

test.each([
  [lines(true, true), true, 'clear', '잔고 확인: 2명 모두 마쳤습니다.'],
  [lines(true, false, true), false, '3명 중 2명을 마쳤습니다', '1명은 하지 못했습니다.'],
  [lines(false, false), false, '2명 모두 하지 못했습니다', '까닭은'],
])('the headline follows the outcome: %#', (results, ok, title, text) => {
  expect(outcomeOf('잔고 확인', results)).toEqual({ ok, title, text: expect.stringContaining(text) })
})

const job = (finishedAt: string | null, state: 'running' | 'done') => ({
  finishedAt,
  total: 1,
  items: [{ userId: 'u1', email: 'u1@digger.test', state, message: '장부와 증권사가 같습니다.' }],
})

test('a task that outlasts the first answer is waited for, and its lines are the last ones', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  vi.stubGlobal('window', new EventTarget())
  const [line] = lines(false)
  const replies = [{ results: [line], jobId: 7 }, job(null, 'running'), job('x', 'done'), job('x', 'done')]
  const asked: string[] = []
  vi.stubGlobal('fetch', async (url: string) => {
    asked.push(url)
    return new Response(JSON.stringify(replies.shift()))
  })
  const results = runOnServer('bulkCheck')
  await vi.advanceTimersByTimeAsync(60_000)
  expect(await results).toEqual([
    { userId: 'u1', email: 'u1@digger.test', ok: true, message: '장부와 증권사가 같습니다.' },
  ])
  expect(asked).toHaveLength(4)
  vi.useRealTimers()
})
