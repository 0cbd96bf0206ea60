import { QueryObserver } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { createQueryClient, read } from '../../api/read.ts'
import { refetchPage } from './refetchPage.ts'

afterEach(() => vi.unstubAllGlobals())

const answers = (...replies: Response[]) => {
  const asked: string[] = []
  vi.stubGlobal('fetch', async (url: string) => {
    asked.push(url)
    return replies.shift() ?? Response.json([])
  })
  return asked
}

test('what is on the screen is read again, what is not only becomes stale', async () => {
  const client = createQueryClient()
  const shown = read('orders', { params: { userId: 'u1' }, query: { code: '' } })
  const left = read('money', { params: { userId: 'u1' }, query: { fromDate: '20261101', toDate: '20261130' } })
  client.setQueryData(shown.queryKey, [])
  client.setQueryData(left.queryKey, [])
  const asked = answers()
  const stop = new QueryObserver(client, shown).subscribe(() => undefined)
  expect(await refetchPage(client)).toBeNull()
  stop()
  expect(asked).toEqual(['/api/u1/kis/order'])
  expect(client.getQueryState(left.queryKey)?.isInvalidated).toBe(true)
})

test('what failed is told, and what was read before stays', async () => {
  const client = createQueryClient()
  const shown = read('orders', { params: { userId: 'u1' }, query: { code: '' } })
  client.setQueryData(shown.queryKey, [])
  answers(Response.json({ code: 'FORBIDDEN', message: '권한이 없습니다.' }, { status: 403 }))
  const stop = new QueryObserver(client, shown).subscribe(() => undefined)
  expect((await refetchPage(client))?.message).toBe('권한이 없습니다.')
  stop()
  expect(client.getQueryData(shown.queryKey)).toEqual([])
})
