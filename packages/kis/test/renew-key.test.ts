import { expect, test, vi } from 'vitest'
import { Stream, ack, nack, socketOf } from './stream.ts'

const HOUR_MS = 3_600_000
const until = (check: () => void): Promise<void> => vi.waitFor(check, { timeout: 5_000, interval: 5 })

/** A broker that knows an approval key for 24 hours, as it says, and a client whose clock is moved by hand. */
async function opened() {
  const time = { now: Date.UTC(2026, 0, 5, 12) }
  const stream = await new Stream().listen()
  const born = new Map<string, number>()
  stream.answer = (asked) => {
    if (!born.has(asked.approval)) born.set(asked.approval, time.now)
    const known = time.now - (born.get(asked.approval) ?? 0) < 24 * HOUR_MS
    return known ? ack(asked) : nack('OPSP0011', 'invalid approval : NOT FOUND', asked)
  }
  const client = socketOf(stream, { now: () => time.now })
  await client.socket.connect()
  client.socket.watch(['005930'])
  await until(() => expect([...client.socket.watched]).toEqual(['005930']))
  return {
    time,
    stream,
    socket: client.socket,
    states: client.states,
    [Symbol.asyncDispose]: async () => {
      await client[Symbol.asyncDispose]()
      await stream[Symbol.asyncDispose]()
    },
  }
}

test('a registration with a key that ran out costs the connection', async () => {
  await using client = await opened()
  client.time.now += 25 * HOUR_MS
  client.socket.watch(['005930', '000660'])
  await until(() => expect(client.states.map(([state]) => state)).toContain('disconnected'))
})

test('renewed in the morning, what is watched later that day finds the connection it had', async () => {
  await using client = await opened()
  client.time.now += 12 * HOUR_MS
  await client.socket.renewKey()
  await until(() => expect([client.socket.state, ...client.socket.watched]).toEqual(['connected', '005930']))
  expect([client.stream.approvals, client.stream.asked.at(-1)?.approval]).toEqual([2, 'approval2'])
  client.time.now += 13 * HOUR_MS
  client.socket.watch(['005930', '000660'])
  await until(() => expect([...client.socket.watched]).toEqual(['005930', '000660']))
  expect(client.stream.connections).toHaveLength(2)
})

test('a young key is kept', async () => {
  await using client = await opened()
  client.time.now += 7 * HOUR_MS
  await client.socket.renewKey()
  expect([client.socket.state, client.stream.connections.length]).toEqual(['connected', 1])
})

test('a socket that is closed stays closed', async () => {
  await using client = await opened()
  client.time.now += 12 * HOUR_MS
  const renewed = client.socket.renewKey()
  await Promise.all([renewed, client.socket.close()])
  await client.socket.renewKey()
  expect([client.socket.state, client.stream.connections.length]).toEqual(['disconnected', 1])
})
