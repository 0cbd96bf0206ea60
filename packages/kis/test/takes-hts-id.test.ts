import { expect, test, vi } from 'vitest'
import { HtsIdError, takesHtsId } from '../src/index.ts'
import { Stream, ack, nack, socketOf } from './stream.ts'

test('an HTS ID is tried with one connection: taken, refused, or nobody knows', async () => {
  await using stream = await new Stream().listen()
  const tried = async (answer: Stream['answer'], limitMs = 5_000): Promise<boolean> => {
    stream.answer = answer
    await using client = socketOf(stream)
    return await takesHtsId(client.socket, limitMs)
  }
  expect(await tried(ack)).toBe(true)
  await expect(tried(() => nack('', 'ERROR : htsid가잘못되었습니다', {}, '9'))).rejects.toThrow(HtsIdError)
  await expect(tried(() => nack('OPSP0007', 'ERROR : htsid가잘못되었습니다', {}, '9'))).rejects.toThrow(HtsIdError)
  expect(await tried(() => nack('OPSP0007', 'SUBSCRIBE INTERNAL ERROR'))).toBe(false)
  expect(await tried(() => nack('OPSP8996', 'ALREADY IN USE appkey', {}, '9'))).toBe(false)
  expect(await tried(() => null, 50)).toBe(false)
  expect(stream.connections).toHaveLength(6)
  await vi.waitFor(() =>
    expect(stream.connections.every(({ readyState }) => readyState === WebSocket.CLOSED)).toBe(true),
  )
})
