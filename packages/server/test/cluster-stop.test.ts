import { channel } from 'node:diagnostics_channel'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { CODES, everybodyWaits, fall } from './falling-market.ts'
import { ClusterFixture, ORDER_EVERY_MS } from './several-workers-fixture.ts'

const PEOPLE = 6
const SOON = { timeout: 60_000, interval: 50 }

let cluster: ClusterFixture
/** Order requests at their socket writes, of all workers of this process. */
let written = 0

const Written = z.object({ request: z.object({ path: z.string() }) })
const count = (message: unknown): void => {
  if (Written.parse(message).request.path.includes('order-cash')) written += 1
}

const stops = () => cluster.workers.map(({ engine }) => engine.serverStop())
const letGo = async (): Promise<void> => {
  await cluster.workers[0]?.engine.setServerStop('active')
  await vi.waitFor(() => expect(stops().every((stop) => stop === 'active')).toBe(true), SOON)
}

const pressServer = (stop: string) => cluster.call(0, 'POST', '/api/user/stop', { level: 'server', stop })

/** A press that has left its gateway and does not come to its worker before it is told to. */
async function heldBack<T>(press: () => Promise<T>): Promise<{ arrives: () => Promise<T> }> {
  const way = Promise.withResolvers<void>()
  let held = 0
  cluster.wire.holds = (subject) => {
    if (!subject.startsWith('digger.call.') || held > 0) return null
    held += 1
    return way.promise
  }
  const answer = press()
  await vi.waitFor(() => expect(held).toBe(1), SOON)
  return {
    arrives() {
      way.resolve()
      return answer
    },
  }
}

describe('the stop of the server over several workers', () => {
  beforeAll(async () => {
    cluster = await ClusterFixture.open(PEOPLE)
    await cluster.addWorker()
    await cluster.addWorker()
    await cluster.addGateway()
    await cluster.settled()
    await everybodyWaits(cluster)
    channel('undici:client:sendHeaders').subscribe(count)
  }, 300_000)
  afterAll(async () => {
    channel('undici:client:sendHeaders').unsubscribe(count)
    await cluster.close()
  }, 120_000)
  beforeEach(() => {
    written = 0
  })
  afterEach(() => {
    cluster.wire.loses = () => false
  })

  test('after the answer no worker sends an order, and browsers of every worker’s accounts hear of it', async () => {
    await fall(cluster)
    const reply = await cluster.call(0, 'POST', '/api/user/stop', { level: 'server', stop: 'halt' })
    const left = written
    expect([reply.statusCode, reply.json(), stops()]).toMatchObject([200, { server: 'halt' }, ['halt', 'halt']])
    await delay(4 * ORDER_EVERY_MS)
    expect([written, left < PEOPLE * CODES.length]).toEqual([left, true])
    for (let n = 0; n < PEOPLE; n += 1)
      expect((await cluster.call(n, 'GET', '/api/user/stop')).json()).toMatchObject({ server: 'halt' })
    await letGo()
  }, 60_000)

  test('the same with no word over the bus: the tables do it, within a renewal or two', async () => {
    cluster.wire.loses = (subject) => subject === 'digger.stop'
    await fall(cluster)
    const began = performance.now()
    await cluster.workers[1]?.engine.setServerStop('reduce')
    const left = written
    expect([stops(), performance.now() - began < 4_000]).toEqual([['reduce', 'reduce'], true])
    await delay(4 * ORDER_EVERY_MS)
    expect(written).toBe(left)
    await letGo()
  }, 60_000)

  test('one that somebody writes into the tables is in force everywhere within two seconds', async () => {
    const { pool } = cluster.gateways[0]?.database ?? {}
    await pool?.query(`update server_setting set value = 'halt', why = '시험' where name = 'serverStop'`)
    await vi.waitFor(() => expect(stops()).toEqual(['halt', 'halt']), { timeout: 4_000, interval: 20 })
    expect(cluster.workers.map(({ engine }) => engine.serverStopReason())).toEqual(['시험', '시험'])
    await letGo()
  }, 60_000)

  test('one that lets go, held back on its way, does not undo a stop that came later', async () => {
    await pressServer('halt')
    const late = await heldBack(() => pressServer('active'))
    // Somebody who knows of no halt but this one.
    const later = await pressServer('halt')
    const outcome = await late.arrives()
    await delay(1_500)
    expect([later.statusCode, outcome.statusCode, stops()]).toEqual([200, 409, ['halt', 'halt']])
    expect((await pressServer('active')).statusCode).toBe(200)
    await letGo()
  }, 60_000)

  test.each([
    ['a user', { level: 'user' }],
    ['a stock', { level: 'stock', code: CODES[0] }],
  ])(
    'the same of %s: held back, what loosens undoes nothing, and what tightens holds',
    async (_, place) => {
      const press = (stop: string) => cluster.call(0, 'POST', '/api/user/stop', { ...place, stop })
      const inForce = async () => {
        const stopped = (await cluster.call(0, 'GET', '/api/user/stop')).json()
        const ofStock = stopped.stocks.find(({ code }: { code: string }) => code === CODES[0])
        return place.level === 'user' ? stopped.user : (ofStock?.stop ?? 'active')
      }
      await press('halt')
      for (const looser of ['active', 'reduce']) {
        const late = await heldBack(() => press(looser))
        const later = await press('halt')
        const outcome = await late.arrives()
        expect([later.statusCode, outcome.statusCode, await inForce()]).toEqual([200, 409, 'halt'])
        expect(outcome.json().message).toMatch(/그 사이/)
      }
      expect([(await press('reduce')).statusCode, await inForce()]).toEqual([200, 'reduce'])
      const stricter = await heldBack(() => press('halt'))
      await press('active')
      expect([(await stricter.arrives()).statusCode, await inForce()]).toEqual([200, 'halt'])
      expect([(await press('active')).statusCode, await inForce()]).toEqual([200, 'active'])
    },
    60_000,
  )
})
