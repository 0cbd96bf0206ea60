import { expect, test, vi } from 'vitest'
import { until, withMovedTime } from './moved-time.ts'
import { Stream, TIMES, ack, nack, socketOf } from './stream.ts'

withMovedTime()

test('a key that stays in use longer than one of our own connections could hold it is held elsewhere', async () => {
  await using stream = await new Stream().listen()
  let held = true
  stream.answer = (asked) => (held ? nack('OPSP8996', 'ALREADY IN USE appkey', {}, '9') : ack(asked))
  await using client = socketOf(stream)
  await expect(client.socket.connect()).rejects.toThrow('같은 앱키')
  expect(client.socket.heldElsewhere).toBe(false)
  await vi.advanceTimersByTimeAsync(TIMES.releaseMs - 5_000)
  expect(client.socket.heldElsewhere).toBe(false)
  await vi.advanceTimersByTimeAsync(6_000)
  await until(() => expect(client.socket.heldElsewhere).toBe(true))
  // Let go of, it is ours again, and the next time counts anew.
  held = false
  await until(() => expect(client.socket.state).toBe('connected'))
  expect(client.socket.heldElsewhere).toBe(false)
})

test('a line that is only lost holds nothing elsewhere, and nobody asks after it was closed', async () => {
  await using stream = await new Stream().listen()
  stream.answer = () => nack('OPSP0007', 'INTERNAL ERROR', {}, '1')
  await using client = socketOf(stream)
  await client.socket.connect().catch(() => null)
  await vi.advanceTimersByTimeAsync(2 * TIMES.releaseMs)
  expect(client.socket.heldElsewhere).toBe(false)
  stream.answer = () => nack('OPSP8996', 'ALREADY IN USE appkey', {}, '9')
  await until(() => expect(client.states.at(-1)?.[1]).toContain('같은 앱키'))
  await client.socket.close()
  await vi.advanceTimersByTimeAsync(2 * TIMES.releaseMs)
  expect(client.socket.heldElsewhere).toBe(false)
})

test('a key that was in use once, and a line that is lost after that, is not held elsewhere: nobody said so again', async () => {
  await using stream = await new Stream().listen()
  let answers = 0
  stream.answer = () =>
    (answers += 1) === 1
      ? nack('OPSP8996', 'ALREADY IN USE appkey', {}, '9')
      : nack('OPSP0007', 'INTERNAL ERROR', {}, '1')
  await using client = socketOf(stream)
  await client.socket.connect().catch(() => null)
  await vi.advanceTimersByTimeAsync(3 * TIMES.releaseMs)
  expect(answers).toBeGreaterThan(1)
  expect(client.socket.heldElsewhere).toBe(false)
})
