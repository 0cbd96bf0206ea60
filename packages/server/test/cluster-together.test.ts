import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import type { Reply } from '@digger/contract'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { ClusterFixture } from './several-workers-fixture.ts'

const PEOPLE = 6
const ADMIN = '/api/admin/8017'
/** Generous: the machine of the tests is a busy one. */
const SOON = { timeout: 10_000, interval: 20 }

let cluster: ClusterFixture
const origins: string[] = []

const me = (n: number, gateway: number) => cluster.call(n, 'GET', '/api/user/user', undefined, gateway)

/** As it is written, where clients of HTTP would read the path first. */
async function askRaw(path: string): Promise<string> {
  const socket = connect(Number(new URL(origins[0] ?? '').port), '127.0.0.1')
  const cookie = cluster.people[4]?.cookie ?? ''
  socket.write(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncookie: ${cookie}\r\nconnection: close\r\n\r\n`)
  return (await socket.toArray()).join('')
}

describe('what several processes know together', () => {
  beforeAll(async () => {
    cluster = await ClusterFixture.open(PEOPLE)
    for (let n = 0; n < 2; n += 1) {
      await cluster.addWorker()
      origins.push(await (await cluster.addGateway()).listen())
    }
    await cluster.settled()
  }, 300_000)
  afterAll(() => cluster.close(), 120_000)
  afterEach(() => {
    cluster.wire.loses = () => false
  })

  test('who logs out at one gateway is out at the other at once, and the stream there ends', async () => {
    expect((await me(1, 1)).statusCode).toBe(200)
    const request = get(`${origins[1]}/api/user/events`, { headers: { cookie: cluster.people[1]?.cookie ?? '' } })
    const [stream]: IncomingMessage[] = await once(request, 'response')
    const ended = once(stream?.resume() ?? request, 'close')
    expect((await cluster.call(1, 'DELETE', '/api/login')).statusCode).toBe(200)
    await vi.waitFor(async () => expect((await me(1, 1)).statusCode).toBe(401), SOON)
    await ended
  })

  test('news that was lost is made up for when the line is back', async () => {
    expect((await me(2, 1)).statusCode).toBe(200)
    cluster.wire.loses = (subject) => subject === 'digger.sessions'
    await cluster.call(2, 'DELETE', '/api/login')
    expect((await me(2, 1)).statusCode).toBe(200)
    cluster.buses[1]?.comesBack()
    expect((await me(2, 1)).statusCode).toBe(401)
  })

  test('a path that is read anew where the account is leads to no other call', async () => {
    // As the product's own client asks, and an HTTP library: one sees its list.
    expect(await askRaw('/api/user/stock')).toMatch(/^HTTP\/1\.1 200 /)
    for (const path of ['..\\..\\admin\\8017\\user', '..%5c..%5cadmin%5c8017%5cuser', '.%2e\\.%2e\\admin\\8017\\job']) {
      const reply = await askRaw(`/api/user/stock/${path}`)
      expect([path, reply]).toEqual([path, expect.stringMatching(/^HTTP\/1\.1 4\d\d /)])
      expect(reply).not.toContain('@example.com')
    }
  })

  test('lists of administrators tell what the owners of the accounts know', async () => {
    // Also their cash, which only the readings of the owner brought.
    const summary = expect.objectContaining({ totalAmount: expect.any(Number), openOrders: 0, stop: 'active' })
    const morning = { state: expect.any(String), red: expect.any(Number) }
    const connected = { userKey: true, socket: true, summary, morning }
    await vi.waitFor(
      async () => {
        const list = await cluster.call(0, 'GET', `${ADMIN}/user`)
        expect(list.json()).toMatchObject(cluster.people.map(({ userId, email }) => ({ userId, email, ...connected })))
      },
      { timeout: 20_000, interval: 200 },
    )
    const one = await cluster.call(0, 'GET', `${ADMIN}/user/${cluster.people[3]?.userId}`, undefined, 1)
    expect(one.json()).toMatchObject(connected)
    expect((await me(3, 0)).json()).toMatchObject({ userKey: true })
  })

  test('of accounts whose worker does not answer nothing is said', async () => {
    const silent = cluster.workers[0]
    cluster.wire.loses = (subject) => subject === `digger.states.${silent?.member.id}`
    const { statusCode, body } = await cluster.call(0, 'GET', `${ADMIN}/user`)
    const list: Reply<'adminUsers'> = JSON.parse(body)
    for (const { userKey, summary, morning } of list)
      expect([summary === null, morning === null]).toEqual([userKey === null, userKey === null])
    const known = list.map(({ userId, userKey }) => [silent?.engine.has(userId), userKey])
    expect([statusCode, known.length]).toEqual([200, PEOPLE])
    for (const [isSilent, userKey] of known) expect(userKey).toBe(isSilent === true ? null : true)
  })

  test('the calendar is kept by a worker, which knows the days as the broker lists them', async () => {
    const year = new Date().getFullYear() + 1
    // A Saturday or a Sunday is closed already.
    const isWeekend = [0, 6].includes(new Date(year, 2, 2).getDay())
    const day = `${year}03${isWeekend ? '04' : '02'}`
    const set = await cluster.call(0, 'PUT', `${ADMIN}/calendar/${day}`, { is: 'closed' })
    expect([set.statusCode, set.body]).toEqual([200, expect.stringContaining(day)])
    const seen = await cluster.call(0, 'GET', `${ADMIN}/calendar`, undefined, 1)
    expect(seen.json()).toMatchObject({
      days: expect.arrayContaining([expect.objectContaining({ day, is: 'closed' })]),
    })
    expect((await cluster.call(3, 'GET', `${ADMIN}/calendar`)).statusCode).toBe(403)
    // Refused as in one process.
    expect((await cluster.call(0, 'PUT', `${ADMIN}/calendar/20200102`, { is: 'closed' })).statusCode).toBe(400)
  })
})
