import { createServer } from 'node:http'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { clientOf } from './broker.ts'

const AT = Date.UTC(2026, 10, 16, 1, 2, 3)

/** What a client hears of the time from a broker whose every answer carries this Date, so late. */
async function heard(date: string, lateMs: number): Promise<number[]> {
  const server = createServer((_request, response) => {
    setTimeout(() => response.writeHead(500, { date }).end(), lateMs)
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

test('every prompt answer tells the broker’s time', async () => {
  const times = await heard('Mon, 16 Nov 2026 01:02:03 GMT', 0)
  expect(times.length).toBeGreaterThan(0)
  expect(new Set(times)).toEqual(new Set([AT]))
})

test('an answer that took long tells a time that has passed, and one without a date none', async () => {
  expect(await heard('Mon, 16 Nov 2026 01:02:03 GMT', 1_600)).toEqual([])
  expect(await heard('yesterday', 0)).toEqual([])
})
