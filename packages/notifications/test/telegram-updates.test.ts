import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type TelegramUpdate, TelegramUpdates, type TelegramUpdatesOptions } from '../src/channels/telegram-updates.ts'
import { BotApi, refuse } from './bot-api.ts'

const SOON = { timeout: 20_000, interval: 5 }
const BACKOFF = { firstMs: 5, maxMs: 40 }

let api: BotApi
let received: TelegramUpdate[]
let problems: string[]
const running: TelegramUpdates[] = []

beforeEach(async () => {
  api = await BotApi.start()
  received = []
  problems = []
})
afterEach(async () => {
  await Promise.all(running.splice(0).map((updates) => updates.stop()))
  await api[Symbol.asyncDispose]()
})

function listen(over: Partial<TelegramUpdatesOptions> = {}): TelegramUpdates {
  const updates = new TelegramUpdates({
    ...api.options,
    listener: (update) => void received.push(update),
    problem: (why) => problems.push(why),
    backoff: BACKOFF,
    ...over,
  })
  running.push(updates)
  updates.start()
  return updates
}

const texts = (): string[] => received.map((update) => (update.kind === 'text' ? update.text : update.data))
const hasReceived = (...expected: readonly string[]) => vi.waitFor(() => expect(texts()).toEqual(expected), SOON)

describe('what comes', () => {
  test('messages and presses, in their order, as they come and from before', async () => {
    api.write(5, '/start abc')
    listen()
    await hasReceived('/start abc')
    await vi.waitFor(() => expect(api.isPolled).toBe(true), SOON)
    api.press(5, 'stop:1', 'press-9')
    api.write(-6, '안녕')
    await hasReceived('/start abc', 'stop:1', '안녕')
    expect(received).toEqual([
      { kind: 'text', chatId: 5, text: '/start abc', from: { id: 5, name: '홍길동' } },
      { kind: 'callback', chatId: 5, data: 'stop:1', id: 'press-9', messageId: 7, from: { id: 5, name: '홍 길동' } },
      { kind: 'text', chatId: -6, text: '안녕', from: { id: -6, name: '홍길동' } },
    ])
    expect(problems).toEqual([])
  })

  test('pictures, and presses of what is not ours, are passed over', async () => {
    const from = { id: 5, is_bot: false, first_name: '홍' }
    api.add({ message: { message_id: 1, date: 0, chat: { id: 5, type: 'private' }, from, photo: [] } })
    api.add({ callback_query: { id: 'x', from, inline_message_id: 'y', chat_instance: 'z', data: 'd' } })
    api.add({ callback_query: { id: 'x', from, chat_instance: 'z', game_short_name: 'g' } })
    api.add({ poll: {} })
    api.add({ message: { message_id: 1, date: 0, text: 'by nobody', chat: { id: 5, type: 'channel' } } })
    api.add({ message: { text: 'nowhere' } })
    api.add({ callback_query: null })
    api.write(5, '다음')
    listen()
    await hasReceived('다음')
    await vi.waitFor(() => expect(api.unconfirmed).toBe(0), SOON)
  })

  test('one after the other: the next only when the listener is done', async () => {
    const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const begun: string[] = []
    for (const text of ['a', 'b']) api.write(1, text)
    listen({
      listener: async (update) => {
        begun.push(update.kind === 'text' ? update.text : '')
        await gates[begun.length - 1]?.promise
        received.push(update)
      },
    })
    await vi.waitFor(() => expect(begun).toEqual(['a']), SOON)
    expect(api.unconfirmed).toBe(2)
    gates[0]?.resolve()
    await vi.waitFor(() => expect(begun).toEqual(['a', 'b']), SOON)
    gates[1]?.resolve()
    await hasReceived('a', 'b')
  })
})

describe('at least once', () => {
  test('what the listener could not do it gets again, before anything else', async () => {
    let failures = 2
    for (const text of ['a', 'b']) api.write(1, text)
    listen({
      listener: (update) => {
        received.push(update)
        failures -= 1
        if (failures >= 0) throw new Error('the database is away')
      },
    })
    await hasReceived('a', 'a', 'a', 'b')
    expect(problems).toHaveLength(2)
  })

  test('what always fails is given up after five tries, so that the others come', async () => {
    for (const text of ['bad', 'good']) api.write(1, text)
    const errors: unknown[] = []
    const bad = new Error('cannot be read')
    listen({
      listener: async (update) => {
        received.push(update)
        if (update.kind === 'text' && update.text === 'bad') throw bad
      },
      problem: (_why, error) => errors.push(error),
    })
    await hasReceived('bad', 'bad', 'bad', 'bad', 'bad', 'good')
    expect(errors).toEqual([bad, bad, bad, bad, bad])
    await vi.waitFor(() => expect(api.unconfirmed).toBe(0), SOON)
  })

  test('stopped in the middle, the next process gets what was not done, and only that', async () => {
    for (const text of ['a', 'b', 'c']) api.write(1, text)
    const gate = Promise.withResolvers<void>()
    const first = listen({
      listener: async (update) => {
        received.push(update)
        if (received.length === 2) await gate.promise
      },
    })
    await hasReceived('a', 'b')
    const stopped = first.stop()
    gate.resolve()
    await stopped
    expect(api.unconfirmed).toBe(1)
    listen()
    await hasReceived('a', 'b', 'c')
  })

  test('stopped while it fails, it is not lost', async () => {
    api.write(1, 'a')
    const failing = listen({
      listener: () => {
        throw new Error('not now')
      },
      backoff: { firstMs: 60_000, maxMs: 60_000 },
    })
    await vi.waitFor(() => expect(problems).toHaveLength(1), SOON)
    await failing.stop()
    listen()
    await hasReceived('a')
  })
})

describe('stop', () => {
  test('ends a poll that waits, and is not asked again', async () => {
    const updates = listen()
    await vi.waitFor(() => expect(api.isPolled).toBe(true), SOON)
    await Promise.all([updates.stop(), updates.stop()])
    const { length } = api.polls
    api.write(1, 'too late')
    expect([api.polls.length, received]).toEqual([length, []])
  })

  test('resolves though Telegram is gone, and where it was never started', async () => {
    api.write(1, 'a')
    const updates = listen()
    await hasReceived('a')
    api.fault = () => undefined
    await expect(updates.stop()).resolves.toBeUndefined()
    const never = new TelegramUpdates({ ...api.options, listener: () => undefined, problem: () => undefined })
    await expect(never.stop()).resolves.toBeUndefined()
  })

  test('starting twice is starting once', async () => {
    const updates = listen()
    updates.start()
    await vi.waitFor(() => expect(api.isPolled).toBe(true), SOON)
    api.write(1, 'a')
    await hasReceived('a')
    expect(problems).toEqual([])
  })
})

describe('trouble', () => {
  test.each<readonly [string, BotApi['fault']]>([
    [
      'too many',
      (response) => refuse(response, { error_code: 429, description: 'Too Many', parameters: { retry_after: 0 } }),
    ],
    ['a wrong token', (response) => refuse(response, { error_code: 401, description: 'Unauthorized' })],
    ['broken', (response) => refuse(response, { error_code: 500, description: 'Internal' })],
    ['cut', (response) => response.destroy()],
    ['no JSON', (response) => response.end('<html>')],
    ['no list', (response) => response.end('{"ok":true,"result":{}}')],
    ['an update without its number', (response) => response.end('{"ok":true,"result":[{}]}')],
    ['no update', (response) => response.end('{"ok":true,"result":[null]}')],
  ])('%s: it is reported, without the token, and asked again until it is over', async (_name, fault) => {
    api.fault = fault
    listen()
    await vi.waitFor(() => expect(problems.length).toBeGreaterThan(2), SOON)
    expect(problems.every((why) => /[가-힣]/.test(why) && !why.includes(api.token))).toBe(true)
    api.fault = null
    api.write(1, 'a')
    await hasReceived('a')
  })

  test('waits as long as Telegram says', async () => {
    api.fault = (response) => {
      api.fault = null
      refuse(response, { error_code: 429, description: 'Too Many Requests', parameters: { retry_after: 1 } })
    }
    const before = performance.now()
    listen()
    api.write(1, 'a')
    await hasReceived('a')
    expect(performance.now() - before).toBeGreaterThan(950)
  })

  test('of two processes that ask, one is told, and nothing is lost', async () => {
    const other: TelegramUpdate[] = []
    listen()
    await vi.waitFor(() => expect(api.isPolled).toBe(true), SOON)
    const second = listen({ listener: (update) => void other.push(update) })
    await vi.waitFor(() => expect(problems.some((why) => why.includes('다른 프로그램'))).toBe(true), SOON)
    for (const text of ['a', 'b']) api.write(1, text)
    await vi.waitFor(
      () =>
        expect(new Set([...texts(), ...other.map((update) => Reflect.get(update, 'text'))])).toEqual(
          new Set(['a', 'b']),
        ),
      SOON,
    )
    await second.stop()
  })
})
