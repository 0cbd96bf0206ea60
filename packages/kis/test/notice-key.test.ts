import { expect, test, vi } from 'vitest'
import { NoticeKeyError } from '../src/index.ts'
import { until, withMovedTime } from './moved-time.ts'
import { ack, type Asked, nextState, NOTICE_KEY, socketOf, Stream } from './stream.ts'

withMovedTime()

test.each<[string, object]>([
  ['none', {}],
  ['null', { output: null }],
  ['half of one', { output: { iv: NOTICE_KEY.iv } }],
  ['one under other names', { output: { IV: NOTICE_KEY.iv, KEY: NOTICE_KEY.key } }],
  ['one too short to open anything', { output: { ...NOTICE_KEY, key: NOTICE_KEY.key.slice(1) } }],
  ['an initialisation vector too long', { output: { ...NOTICE_KEY, iv: `${NOTICE_KEY.iv}0` } }],
  ['none, for it was registered before', { rt_cd: '1', msg_cd: 'OPSP0002' }],
])('a registration of notices with a key that is %s is none, and is tried again', async (_name, without) => {
  await using stream = await new Stream().listen()
  const answer = (asked: Asked): object => ({
    header: { tr_id: asked.trId, tr_key: asked.trKey, encrypt: 'Y' },
    body: { rt_cd: '0', msg_cd: 'OPSP0000', msg1: 'SUBSCRIBE SUCCESS', ...without },
  })
  stream.answer = (asked, connection) => (connection < 3 ? answer(asked) : ack(asked))
  await using client = socketOf(stream, { socketTimes: { backOffMs: 5_000, backOffMaxMs: 300_000 } })
  await expect(client.socket.connect()).rejects.toThrow(NoticeKeyError)
  expect([client.socket.state, client.socket.isRefused]).toEqual(['disconnected', true])
  expect(client.states.at(-1)?.[1]).toContain('체결 통보를 여는 키를 주지 않아')
  await vi.advanceTimersByTimeAsync(4_000)
  expect(stream.connections).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(2_500)
  await until(() => expect(stream.connections).toHaveLength(2))
  await until(() => expect(client.socket.state).toBe('disconnected'))
  const up = nextState(client.socket, 'connected')
  await vi.advanceTimersByTimeAsync(13_000)
  await up
  expect([stream.connections.length, client.socket.isRefused]).toEqual([3, false])
})
