import type { Reply } from '@digger/contract'
import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import type { ReadKey } from '../api/read.ts'
import { applyEvent } from './applyEvent.ts'

type Stops = Reply<'stop'>
const key: ReadKey = ['stop', { userId: 'user' }, {}]
const trades: Stops = {
  server: 'active',
  serverReason: null,
  user: 'active',
  stocks: [],
  reached: [],
  otherServer: null,
}
const stopped: Stops = { ...trades, user: 'reduce' }

test.each([
  ['that was read before', trades],
  ['that is read for the first time', undefined],
])('a stop stays when the answer %s comes later and is from before it', async (_when, known) => {
  const client = new QueryClient()
  if (known !== undefined) client.setQueryData(key, known)
  const slow = Promise.withResolvers<Stops>()
  const reading = client.fetchQuery({ queryKey: key, queryFn: () => slow.promise, retry: false }).catch(() => undefined)
  await Promise.resolve()
  applyEvent(client, 'user', { kind: 'stop', stops: stopped })
  slow.resolve(trades)
  await reading
  expect(client.getQueryData(key)).toEqual(stopped)
  expect(client.getQueryState(key)).toMatchObject({ fetchStatus: 'idle', isInvalidated: false })
})
