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

/** The times a client reports, each with its age, from a broker whose every answer carries this Date, so late. */
async function timesFrom(date: string, lateMs: number): Promise<[at: number | null, ageMs: number | null][]> {
  const server = createServer((_request, response) => {
    vi.advanceTimersByTime(lateMs)
    response.writeHead(500, { date }).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const times: [number | null, number | null][] = []
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  const { rest } = clientOf(url, {
    retries: { attempts: 1 },
    onTime: (at, ageMs) => times.push([at, ageMs === null ? null : Math.round(ageMs)]),
  })
  await rest.quote('005930').catch(() => undefined)
  await rest.close()
  server.closeAllConnections()
  server.close()
  return times
}

test.each([0, 1_500, 1_600])(
  'every reply gives the broker’s time, and how old it is at most: %i ms',
  async (lateMs) => {
    const times = await timesFrom('Mon, 16 Nov 2026 01:02:03 GMT', lateMs)
    expect(times.length).toBeGreaterThan(0)
    for (const time of times) expect(time).toEqual([AT, lateMs])
  },
)

test('one without a date says so', async () => {
  for (const time of await timesFrom('yesterday', 0)) expect(time).toEqual([null, 0])
  expect(await timesFrom('yesterday', 0)).not.toEqual([])
})
