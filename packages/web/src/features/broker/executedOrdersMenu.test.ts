import { QueryClient } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import type { ReadKey } from '../../api/read.ts'
import { ask } from '../../ask/ask.ts'
import { importMenu } from './executedOrdersMenu.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

test('an import has the orders read again, and the gains that show the names it brought', async () => {
  vi.stubGlobal('window', Object.assign(new EventTarget(), { dispatchEvent: () => true }))
  vi.stubGlobal('location', { pathname: '/u1/kis/ordered', search: '' })
  vi.stubGlobal('fetch', async () => new Response(JSON.stringify({ imported: 2, skipped: 1 })))
  vi.spyOn(ask, 'alert').mockResolvedValue(null)
  const client = new QueryClient()
  const names = ['ordered', 'adminOrdered', 'gain', 'adminGain', 'stocks'] as const
  const keys = names.map((name): ReadKey => [name, { userId: 'user' }, {}])
  for (const key of keys) client.setQueryData(key, [])
  const [item] = importMenu(client, {
    userId: 'u1',
    whose: '',
    query: { fromDate: '20261101', toDate: '20261120', code: '005930' },
  })
  item?.func()
  const stale = () => keys.map((key) => client.getQueryState(key)?.isInvalidated)
  await expect.poll(stale).toEqual([true, true, true, true, false])
})
