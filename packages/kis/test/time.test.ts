import { createServer } from 'node:http'
import { once } from 'node:events'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { clientOf } from './broker.ts'

const AT = Date.UTC(2026, 10, 16, 1, 2, 3)

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** The times a client reports from a broker whose every answer carries this Date, so late. */
async function timesFrom(date: string, lateMs: number): Promise<number[]> {
  const server = createServer((_request, response) => {
    vi.advanceTimersByTime(lateMs)
    response.writeHead(500, { date }).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const times: number[] = []
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  const { rest } = clientOf(url, { retries: { attempts: 1 }, onTime: (at) => times.push(at) })
  await rest.quote('005930').catch(() => undefined)
  await rest.close()
  server.closeAllConnections()
  server.close()
  return times
}

test.each([0, 1_500])('every prompt reply gives the broker’s time, also %i ms late', async (lateMs) => {
  const times = await timesFrom('Mon, 16 Nov 2026 01:02:03 GMT', lateMs)
  expect(times.length).toBeGreaterThan(0)
  expect(new Set(times)).toEqual(new Set([AT]))
})

test('a slow reply gives no time, nor does one without a date', async () => {
  expect(await timesFrom('Mon, 16 Nov 2026 01:02:03 GMT', 1_600)).toEqual([])
  expect(await timesFrom('yesterday', 0)).toEqual([])
})
