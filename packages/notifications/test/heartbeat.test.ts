import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { kstInstant, type Timetable } from '@digger/core'
import { TestClock } from '@digger/database/testing'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { BEAT_MS, Heartbeat } from '../src/heartbeat.ts'

const KRX: Timetable = { hours: 'krx', closed: new Set(), special: new Map() }
/** A Monday. */
const DAY = '20261116'

let status = 200
const beats: string[] = []
const outside = createServer((request, reply) => {
  beats.push(`${request.method} ${request.url}`)
  outside.emit('beat')
  reply.writeHead(status, { location: '/elsewhere' }).end('OK')
})
let url: string
let isWell = true
const problems: string[] = []

beforeEach(async () => {
  ;[status, isWell] = [200, true]
  beats.length = 0
  problems.length = 0
  outside.listen(0, '127.0.0.1')
  await once(outside, 'listening')
  const { port }: AddressInfo = addressOf()
  url = `http://127.0.0.1:${port}/ping/secret-of-ours`
})
afterEach(() => new Promise((resolve) => outside.close(resolve)))

function addressOf(): AddressInfo {
  const address = outside.address()
  if (address === null || typeof address === 'string') throw new Error('not listening')
  return address
}

function begin(at: number, over: { url?: string } = {}) {
  const clock = new TestClock(at)
  const heartbeat = new Heartbeat({
    url: over.url ?? url,
    clock,
    wall: clock,
    timetable: () => KRX,
    isWell: () => isWell,
    problem: (error) => void problems.push(String(error)),
  })
  heartbeat.start()
  return { clock, heartbeat }
}

test('beats when it begins and each minute while an exchange is open, and not afterwards', async () => {
  const { clock, heartbeat } = begin(kstInstant(DAY, '195630'))
  await heartbeat.idle()
  const after: number[] = []
  // The after-market ends at 20:00.
  for (let minute = 1; minute <= 6; minute += 1) {
    clock.advance(BEAT_MS)
    await heartbeat.idle()
    after.push(beats.length)
  }
  expect(after).toEqual([2, 3, 4, 4, 4, 4])
  expect(new Set(beats)).toEqual(new Set(['GET /ping/secret-of-ours']))
  expect(problems).toEqual([])
  await heartbeat.stop()
  clock.advance(kstInstant('20261117', '100000') - clock.now())
  expect(beats).toHaveLength(4)
})

test('nothing on a day without trading, at night, and while the server is not well', async () => {
  for (const at of [kstInstant('20261115', '100000'), kstInstant(DAY, '030000')]) await begin(at).heartbeat.stop()
  isWell = false
  await begin(kstInstant(DAY, '100000')).heartbeat.stop()
  expect(beats).toEqual([])
  isWell = true
  await begin(kstInstant(DAY, '100000')).heartbeat.stop()
  expect(beats).toHaveLength(1)
})

test('a beat that does not arrive is reported without its address, and the next one is tried', async () => {
  status = 503
  const { clock, heartbeat } = begin(kstInstant(DAY, '100000'))
  await heartbeat.stop()
  expect(problems).toEqual(['Error: HEARTBEAT_URL answered the heartbeat with 503'])
  await begin(clock.now(), { url: 'http://127.0.0.1:1/secret-of-ours' }).heartbeat.stop()
  expect(problems[1]).toBe('Error: the heartbeat did not reach HEARTBEAT_URL')
  expect(problems.join()).not.toContain('secret')
})

test('goes to the address that was written down, and follows nobody elsewhere', async () => {
  status = 302
  const { heartbeat } = begin(kstInstant(DAY, '100000'))
  await heartbeat.idle()
  expect(beats).toEqual(['GET /ping/secret-of-ours'])
  expect(problems).toEqual([expect.stringContaining('302')])
  await heartbeat.stop()
})
