import { createCipheriv } from 'node:crypto'
import { describe, expect, test, vi } from 'vitest'
import { ProtocolError } from '../src/index.ts'
import type { Notice, Tick } from '../src/index.ts'
import { until, withMovedTime } from './moved-time.ts'
import { NOTICE_KEY, Stream, TIMES, ack, nack, nextState, socketOf } from './stream.ts'

withMovedTime()

const RECORD =
  '005930^093354^70500^2^500^0.71^70352.69^70100^70800^69900^70500^70400^12^11540^811870000^812^1033^221^118.42^5210^6170^1^0.54^37.20^090011^2^400^091502^5^-300^090440^2^600^20261116^20^N^4120^2875^118300^96450^0.19^10400^110.96^0^^70000^2'
const TICK = `0|H0STCNT0|001|${RECORD}`
const FILL =
  'tester01^1234567801^0000012345^^02^0^00^0^005930^0000000004^000069900^093401^0^2^2^06010^000000010^홍길동^000000000^1^Y^^10^^삼성전자^000070000'
const sealed = (plain: string, { key, iv } = NOTICE_KEY): string => {
  const cipher = createCipheriv('aes-256-cbc', key, iv)
  return Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]).toString('base64')
}
const notice = (key = NOTICE_KEY): string => `1|H0STCNI0|001|${sealed(FILL, key)}`
const PING = '{"header":{"tr_id":"PINGPONG","datetime":"20261116093412"}}'
const OTHER_KEY = { key: NOTICE_KEY.key.toUpperCase(), iv: '0000000000000000' }

async function connected(stream: Stream) {
  const client = socketOf(stream)
  const ticks: Tick[] = []
  const notices: Notice[] = []
  client.socket.observe({
    tickReceived: (tick) => ticks.push(tick),
    noticeReceived: (one) => notices.push(one),
  })
  await client.socket.connect()
  return { ...client, ticks, notices }
}

describe('frames that are not what they should be', () => {
  test.each<[string, string]>([
    ['a channel that was not asked for', TICK.replace('H0STCNT0', 'H0STASP0')],
    ['the notices of the other environment', notice().replace('H0STCNI0', 'H0STCNI9')],
    ['encrypted ticks', TICK.replace('0|', '1|')],
    ['a TR id of nobody', TICK.replace('H0STCNT0', 'XXXXXXXX')],
    ['a TR id in lower case', TICK.replace('H0STCNT0', 'h0stcnt0')],
    ['no TR id', TICK.replace('H0STCNT0', '')],
    ['a notice sealed with another key', notice(OTHER_KEY)],
    ['a notice sealed with the key of another registration', notice({ ...NOTICE_KEY, iv: OTHER_KEY.iv })],
    ['half a notice', notice().slice(0, -60)],
    ['a notice that is not base64', '1|H0STCNI0|001|가나다'],
    ['a notice of no length', '1|H0STCNI0|001|'],
    ['the first half of a tick', TICK.slice(0, 80)],
    ['the second half of a tick', TICK.slice(80)],
    ['two ticks glued together', TICK + TICK],
    ['a PINGPONG and a tick glued together', PING + TICK],
    ['two PINGPONGs glued together', PING + PING],
    ['a PINGPONG of two kilobytes', PING.replace('PINGPONG"', `PINGPONG","x":"${'x'.repeat(2_000)}"`)],
    ['an answer without a body', '{"header":{"tr_id":"H0STCNT0","tr_key":"005930"}}'],
  ])('%s: reported, nothing published, and the next frames are read', async (_name, frame) => {
    await using stream = await new Stream().listen()
    await using client = await connected(stream)
    stream.send(frame)
    stream.send(TICK)
    stream.send(notice())
    await until(() => expect([client.ticks.length, client.notices.length]).toEqual([1, 1]))
    expect(client.problems).toHaveLength(1)
    expect(client.problems[0]).toBeInstanceOf(ProtocolError)
    expect(client.states.map(([state]) => state)).toEqual(['connecting', 'connected'])
    // No rubbish is echoed to the broker.
    expect(stream.texts).toEqual([])
  })

  test('a message in many fragments is one frame', async () => {
    await using stream = await new Stream().listen()
    await using client = await connected(stream)
    const socket = stream.connections[0]
    for (let at = 0; at < TICK.length; at += 50) {
      socket?.send(TICK.slice(at, at + 50), { fin: at + 50 >= TICK.length })
    }
    await until(() => expect(client.ticks).toHaveLength(1))
    expect(client.problems).toEqual([])
  })

  test('a message that breaks off with its connection is none', async () => {
    await using stream = await new Stream().listen()
    await using client = await connected(stream)
    const down = nextState(client.socket, 'disconnected')
    stream.connections[0]?.send(TICK.slice(0, 100), { fin: false }, () => stream.connections[0]?.terminate())
    await down
    expect(client.ticks).toEqual([])
  })

  test('the key of an earlier connection opens nothing on the next', async () => {
    await using stream = await new Stream().listen()
    stream.answer = (asked, connection) =>
      connection === 1 ? ack(asked) : { ...ack(asked), body: { rt_cd: '0', msg_cd: 'OPSP0000', output: OTHER_KEY } }
    await using client = await connected(stream)
    const up = nextState(client.socket, 'connected')
    stream.connections[0]?.terminate()
    await up
    stream.send(notice())
    stream.send(notice(OTHER_KEY))
    await until(() => expect(client.notices).toHaveLength(1))
    expect(client.problems).toHaveLength(1)
  })
})

/** When each connection was made, in ms of the moved clock. */
async function attempts(times: Partial<typeof TIMES>, forMs: number, answer: Stream['answer']): Promise<number[]> {
  await using stream = await new Stream().listen()
  const at: number[] = []
  stream.answer = (asked, connection) => {
    if (at.length < connection) at.push(performance.now())
    return answer(asked, connection)
  }
  await using client = socketOf(stream, { socketTimes: { ...TIMES, ...times } })
  const end = performance.now() + forMs
  client.socket.connect().catch(() => null)
  while (performance.now() < end) {
    const made = stream.connections.length
    await vi.advanceTimersByTimeAsync(1_000)
    // An attempt under way is waited for in real time before the clock moves on.
    await until(() => expect(client.socket.state).not.toBe('connecting'))
    expect(stream.connections.length - made).toBeLessThanOrEqual(1)
  }
  return at.map((one) => one - (at[0] ?? 0))
}

describe('reconnecting', () => {
  test('pauses double from five seconds to five minutes while the broker refuses', async () => {
    const times = { backOffMs: 5_000, backOffMaxMs: 300_000, attemptsPerHour: 30 }
    const at = await attempts(times, 700_000, () => nack('OPSP9999', 'no'))
    const pauses = at.slice(1).map((one, i) => one - (at[i] ?? 0))
    const expected = [5_000, 10_000, 20_000, 40_000, 80_000, 160_000, 300_000]
    // Up to a fifth longer by chance, and seen by a clock that moves in steps of a second.
    expect(pauses.map((pause, i) => pause >= (expected[i] ?? 0) && pause <= (expected[i] ?? 0) * 1.2 + 3_000)).toEqual(
      pauses.map(() => true),
    )
    expect(pauses.length).toBeGreaterThanOrEqual(6)
  })

  test('never more attempts in an hour than allowed', async () => {
    const at = await attempts({ backOffMs: 1_000, backOffMaxMs: 1_000, attemptsPerHour: 5 }, 300_000, () =>
      nack('OPSP9999'),
    )
    expect(at).toHaveLength(5)
  })
})

const codes = (count: number): string[] => Array.from({ length: count }, (_, i) => String(i).padStart(6, '0'))

describe('places of a connection', () => {
  test('a broker with fewer places than promised: what fits is watched, the rest is tried three times', async () => {
    await using stream = await new Stream().listen()
    const held = new Set<string>()
    stream.answer = (asked) => {
      if (asked.type === '2') held.delete(asked.trKey)
      else if (held.size < 21) held.add(asked.trKey)
      else return nack('OPSP0008', 'MAX SUBSCRIBE OVER', asked)
      return ack(asked)
    }
    await using client = await connected(stream)
    client.socket.watch(codes(30))
    await until(() => expect(client.socket.watched.size).toBe(20))
    await until(() => expect(stream.asked).toHaveLength(31))
    expect([...client.socket.watched].sort()).toEqual(codes(20))
    for (let n = 0; n < 10; n += 1) {
      const frames = client.socket.frames
      stream.send(PING)
      await until(() => expect(client.socket.frames).toBeGreaterThan(frames))
      await vi.advanceTimersByTimeAsync(TIMES.idleTimeoutMs / 4)
    }
    await until(() => expect(stream.asked.filter(({ trKey }) => trKey === '000029')).toHaveLength(3))
  })

  test('acks of codes nobody asked for change nothing', async () => {
    await using stream = await new Stream().listen()
    await using client = await connected(stream)
    client.socket.watch(['000001'])
    await until(() => expect(client.socket.watched.size).toBe(1))
    stream.send(ack({ type: '1', trId: 'H0STCNT0', trKey: '999999', approval: '' }))
    stream.send(ack({ type: '2', trId: 'H0NXCNT0', trKey: '000001', approval: '' }))
    stream.send(nack('OPSP0008', 'MAX', { trId: 'H0STCNT0', trKey: '999999' }))
    await until(() => expect(client.problems).toHaveLength(1))
    expect([...client.socket.watched]).toEqual(['000001'])
  })

  test('a code wanted twice takes one place', async () => {
    await using stream = await new Stream().listen()
    await using client = await connected(stream)
    client.socket.watch(['000001', '000001', '000002', '000001'])
    await until(() => expect(client.socket.watched.size).toBe(2))
    expect(stream.asked.filter(({ trId }) => trId === 'H0STCNT0')).toHaveLength(2)
  })
})
