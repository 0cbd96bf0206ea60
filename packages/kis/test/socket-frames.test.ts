import { describe, expect, test, vi } from 'vitest'
import { ProtocolError } from '../src/index.ts'
import type { Notice, Tick } from '../src/index.ts'
import { Stream, socketOf } from './stream.ts'

const RECORD =
  '005930^093354^70500^2^500^0.71^70352.69^70100^70800^69900^70500^70400^12^11540^811870000^812^1033^221^118.42^5210^6170^1^0.54^37.20^090011^2^400^091502^5^-300^090440^2^600^20261116^20^N^4120^2875^118300^96450^0.19^10400^110.96^0^^70000^2'
const TICK = `0|H0STCNT0|001|${RECORD}`
const FILL =
  '1|H0STCNI0|001|55ZvQGHCWbUmysYoGYAC9eG6ZB7jkqFeWO8wJkyP1fCtcyauJFxpOaqVpVfqcWTS4f1XAxRn7upAgOOFAHSKJLg4go8z3R1v2PTdlP8zySWQjnrsjMyhKjmixS+VH8Gpt1DLE8F0718EBOM4I8yEI9okrk6OVDLJ1n7jdnKjscRsU7B6w0P8ZaGOqQU+/CU1REs1GxnoZgU5hS104sVdXw=='

/** Waits for something that a socket will bring about. */
const until = (check: () => void): Promise<void> => vi.waitFor(check, { timeout: 5_000, interval: 5 })

const receiving = async (
  send: (stream: Stream) => void,
  done: (seen: { ticks: Tick[]; notices: Notice[] }) => void,
) => {
  await using stream = await new Stream().listen()
  await using client = socketOf(stream)
  const seen = { ticks: [] as Tick[], notices: [] as Notice[] }
  client.socket.observe({
    tickReceived: (tick) => seen.ticks.push(tick),
    noticeReceived: (notice) => seen.notices.push(notice),
  })
  await client.socket.connect()
  send(stream)
  await until(() => done(seen))
  return { ...seen, problems: client.problems, states: client.states.map(([state]) => state) }
}

describe('frames', () => {
  test('every record of a frame is a tick', async () => {
    const { ticks } = await receiving(
      (stream) => stream.send(`0|H0STCNT0|003|${[RECORD, RECORD, RECORD].join('^')}`),
      ({ ticks }) => expect(ticks).toHaveLength(3),
    )
    expect(ticks[0]).toMatchObject({ code: '005930', price: 70_500, base: 70_000 })
  })

  test('a notice opens with the key of this registration', async () => {
    const { notices } = await receiving(
      (stream) => stream.send(FILL),
      ({ notices }) => expect(notices).toHaveLength(1),
    )
    expect(notices[0]).toMatchObject({ kind: 'filled', odno: '0000012345', count: 4, price: 69_900 })
  })

  test('notices of another account are not ours', async () => {
    const plain = 'tester01^9999999901^1^^02^0^00^0^005930^1^1^093355^0^1^1^06010^1^홍길동^0^1^Y^^10^^삼성전자^0'
    const { notices } = await receiving(
      (stream) => {
        stream.send(`0|H0STCNI0|001|${plain}`)
        stream.send(FILL)
      },
      ({ notices }) => expect(notices).toHaveLength(1),
    )
    expect(notices[0]?.accountNumber).toBe('1234567801')
  })

  test('what cannot be read is a problem; the socket and the next frame are fine', async () => {
    const broken = [
      'nonsense',
      '{"header":',
      '{"what":1}',
      '0|H0STCNT0|001|005930^093354',
      `0|H0STCNT0|002|${RECORD}`,
      '0|H0STCNT0|xyz|1',
      '1|H0STCNI0|001|AAAA',
      '0|H0STXXX0|001|1^2',
      '',
      '0|H0STCNI0|001|a^b',
    ]
    const { problems, ticks, states } = await receiving(
      (stream) => {
        for (const frame of broken) stream.send(frame)
        stream.send(TICK)
      },
      ({ ticks }) => expect(ticks).toHaveLength(1),
    )
    expect(problems).toHaveLength(broken.length)
    expect(problems.every((error) => error instanceof ProtocolError)).toBe(true)
    expect([ticks.length, states]).toEqual([1, ['connecting', 'connected']])
  })

  test('an observer that throws is a problem, not the end', async () => {
    await using stream = await new Stream().listen()
    await using client = socketOf(stream)
    const seen: Tick[] = []
    client.socket.observe({
      tickReceived: () => {
        throw new Error('observer')
      },
    })
    client.socket.observe({ tickReceived: (tick) => seen.push(tick) })
    await client.socket.connect()
    stream.send(`0|H0STCNT0|002|${RECORD}^${RECORD}`)
    await until(() => expect(seen).toHaveLength(2))
    expect(client.problems.map(({ message }) => message)).toEqual(['observer', 'observer'])
  })
})
