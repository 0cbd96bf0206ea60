import { createServer } from 'node:http'
import { once } from 'node:events'
import { afterEach, expect, test, vi } from 'vitest'
import { HeldRefusals, refusal } from './refusal.ts'
import { REQUEST_LIMITS } from './request-limits.ts'

afterEach(() => void vi.useRealTimers())

test('a refusal waits for two seconds', async () => {
  const held = new HeldRefusals(REQUEST_LIMITS.holdMs)
  const arrived = Promise.withResolvers<void>()
  const server = createServer((request, response) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    held.send(request, response, refusal('BUSY', '잠시 뒤'))
    arrived.resolve()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  const statuses: number[] = []
  const answered = fetch(`http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`).then(({ status }) =>
    statuses.push(status),
  )
  await arrived.promise
  await vi.advanceTimersByTimeAsync(1_999)
  await new Promise((resolve) => setImmediate(resolve))
  expect(statuses).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  await answered
  expect(statuses).toEqual([429])
  server.close()
})
