import type { Reply } from '@digger/contract'
import { QueryClient, QueryObserver, type UseQueryResult } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Problem } from '../api/problem.ts'
import { read } from '../api/read.ts'
import { Empty, QueryView } from './QueryView.tsx'

type Entries = Reply<'audit'>

const entry = (action: string): Entries[number] => ({ at: '', by: '', action, detail: '' })

/** A query that has `data`, if any, and was read again, with `error` or the same data. Without both it was never read. */
async function resultOf(data: Entries | undefined, error?: Problem): Promise<UseQueryResult<Entries>> {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const { queryKey } = read('audit', { params: { userId: 'user' }, query: {} })
  const queryFn = (): Promise<Entries> => (error ? Promise.reject(error) : Promise.resolve(data ?? []))
  if (data) client.setQueryData(queryKey, data)
  const observer = new QueryObserver(client, { queryKey, queryFn })
  return data === undefined && error === undefined ? observer.getCurrentResult() : observer.refetch()
}

const show = (query: UseQueryResult<Entries>): string =>
  renderToStaticMarkup(
    <QueryView query={query} empty={{ when: (list) => list.length === 0, show: <Empty title="없습니다" /> }}>
      {(list) => <p>{list.map(({ action }) => action).join()}</p>}
    </QueryView>,
  )

test('nothing read yet is loading, and never looks empty', async () => {
  const html = show(await resultOf(undefined))
  expect(html).toContain('불러오는 중')
  expect(html).not.toContain('없습니다')
})

test('a first read that failed says why, and offers to try again', async () => {
  const html = show(await resultOf(undefined, new Problem('REJECTED', '증권사가 거절했습니다.')))
  expect(html).toContain('role="alert"')
  expect(html).toContain('증권사가 거절했습니다.')
  expect(html).toContain('다시 시도')
  expect(html).not.toContain('불러오는 중')
})

test('without the key of the user the page says how to open it', async () => {
  expect(show(await resultOf(undefined, new Problem('NEED_USERKEY', 'x')))).toContain('다시 로그인하면 키가 열립니다')
})

test('figures stay when they could not be renewed, with their time and the cause', async () => {
  const html = show(await resultOf([entry('매수')], new Problem('OFFLINE', '서버에 연결할 수 없습니다.')))
  expect(html).toContain('<p>매수</p>')
  expect(html).toMatch(/\d\d:\d\d:\d\d 기준입니다/)
  expect(html).toContain('서버에 연결할 수 없습니다.')
})

test('an empty reply and a full one', async () => {
  expect(show(await resultOf([]))).toBe(renderToStaticMarkup(<Empty title="없습니다" />))
  expect(show(await resultOf([entry('매수'), entry('매도')]))).toBe('<p>매수,매도</p>')
})
