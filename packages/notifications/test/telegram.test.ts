import type { ServerResponse } from 'node:http'
import * as fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { TelegramChannel } from '../src/channels/telegram.ts'
import { BotApi, refuse } from './bot-api.ts'
import { anyText, isSentence, outgoing } from './outgoing.ts'

const CHAT = 77_001
const chat = { chatId: CHAT }

let api: BotApi
let channel: TelegramChannel
beforeAll(async () => {
  api = await BotApi.start()
  channel = new TelegramChannel({ ...api.options, timeoutSeconds: 20 })
})
afterAll(() => api[Symbol.asyncDispose]())
beforeEach(() => {
  api.fault = null
  api.sent.length = 0
  api.chats.add(CHAT)
})

test('plain text without a preview, with a link to our page', async () => {
  expect(await channel.send(chat, outgoing({ title: '<b>*매수*</b>' }))).toEqual({ kind: 'sent' })
  const { lines, url } = outgoing()
  expect(api.sent).toMatchObject([
    {
      chatId: CHAT,
      text: ['<b>*매수*</b>', ...lines, url].join('\n'),
      call: { disable_notification: false, link_preview_options: { is_disabled: true } },
    },
  ])
  expect(Object.keys(api.sent[0]?.call ?? {})).not.toContain('parse_mode')
})

test('without a sound, and without a path that opens nothing there', async () => {
  await channel.send(chat, outgoing({ silent: true, url: '/accounts/1', lines: [] }))
  expect(api.sent).toMatchObject([{ text: outgoing().title, call: { disable_notification: true } }])
})

test('whatever is in it, at most 4,096 characters, with the link at its end', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyText, { maxLength: 80 }), async (lines) => {
      api.sent.length = 0
      expect(await channel.send(chat, outgoing({ lines }))).toEqual({ kind: 'sent' })
      expect(api.sent[0]?.text.endsWith('\nhttps://digger.example/accounts/1')).toBe(true)
    }),
    { numRuns: 40 },
  )
})

describe('an answer to a person', () => {
  test('with buttons in a row', async () => {
    const buttons = [
      { text: '멈춤', data: 'stop:1' },
      { text: '취소', data: 'no' },
    ]
    expect(await channel.reply(CHAT, '정말 멈출까요?\n5분 안에 눌러 주세요.', buttons)).toEqual({ kind: 'sent' })
    expect(api.sent[0]?.text).toBe('정말 멈출까요?\n5분 안에 눌러 주세요.')
    expect(api.sent[0]?.call['reply_markup']).toEqual({
      inline_keyboard: [
        [
          { text: '멈춤', callback_data: 'stop:1' },
          { text: '취소', callback_data: 'no' },
        ],
      ],
    })
  })

  test('without buttons, and never too long', async () => {
    await channel.reply(CHAT, Array.from({ length: 200 }, () => '가'.repeat(50)).join('\n'))
    expect(api.sent[0]?.text).toMatch(/\n… 외 \d+건$/)
    expect(api.sent[0]?.call['reply_markup']).toBeUndefined()
  })

  test('to a press of a button', async () => {
    expect(await channel.answerCallback('press-1', '멈췄습니다.')).toEqual({ kind: 'sent' })
    await channel.answerCallback('press-2')
    await channel.answerCallback('press-3', '가'.repeat(300))
    expect(api.answered.slice(0, 2)).toEqual([
      { id: 'press-1', text: '멈췄습니다.' },
      { id: 'press-2', text: null },
    ])
    expect(api.answered[2]?.text).toHaveLength(200)
  })
})

const raw =
  (write: (response: ServerResponse) => void) =>
  (response: ServerResponse): void =>
    write(response)
const refused = (error_code: number, description: string, parameters: Record<string, number> = {}) =>
  raw((response) => refuse(response, { error_code, description, parameters }))

describe('what Telegram says against it', () => {
  test('the bot was blocked, or never met the person', async () => {
    api.blocked.add(CHAT)
    expect(await channel.send(chat, outgoing())).toMatchObject({ kind: 'dead', why: expect.stringContaining('차단') })
    api.blocked.delete(CHAT)
    expect(await channel.send({ chatId: 404 }, outgoing())).toMatchObject({ kind: 'dead' })
  })

  test('the token is wrong: the operator can mend it, and nobody has to connect again', async () => {
    const token = '999:another-secret'
    const wrong = new TelegramChannel({ ...api.options, token })
    const sent = await wrong.send(chat, outgoing())
    expect(sent.kind === 'again' && isSentence(sent.why, [token])).toBe(true)
  })

  test.each<readonly [string, (response: ServerResponse) => void, string, number | null]>([
    ['too many', refused(429, 'Too Many Requests: retry after 34', { retry_after: 34 }), 'again', 34_000],
    ['too many, for days', refused(429, 'Too Many Requests', { retry_after: 1e9 }), 'again', 86_400_000],
    ['too many, without a time', refused(429, 'Too Many Requests'), 'again', null],
    ['blocked', refused(403, 'Forbidden: bot was blocked by the user'), 'dead', null],
    ['thrown out', refused(403, 'Forbidden: bot was kicked from the supergroup chat'), 'dead', null],
    ['deactivated', refused(403, 'Forbidden: user is deactivated'), 'dead', null],
    ['deactivated, as a bad request', refused(400, 'Bad Request: user is deactivated'), 'dead', null],
    ['no chat', refused(400, 'Bad Request: chat not found'), 'dead', null],
    ['no right to write', refused(400, 'Bad Request: not enough rights to send text messages'), 'dead', null],
    ['a new group', refused(400, 'Bad Request: group chat was upgraded', { migrate_to_chat_id: -100 }), 'dead', null],
    ['a message it does not like', refused(400, 'Bad Request: message is too long'), 'again', null],
    ['no such token', refused(404, 'Not Found'), 'again', null],
    ['no rights of the bot', refused(401, 'Unauthorized'), 'again', null],
    ['broken', refused(500, 'Internal Server Error'), 'again', null],
    ['behind a proxy', raw((response) => response.writeHead(502).end('<html>Bad Gateway</html>')), 'again', null],
    ['nothing', raw((response) => response.destroy()), 'again', null],
    ['half of it', raw((response) => response.end('{"ok":tr')), 'again', null],
    ['null', raw((response) => response.end('null')), 'again', null],
    ['an object of another kind', raw((response) => response.end('{}')), 'again', null],
    ['a list', raw((response) => response.end('[1]')), 'again', null],
    ['an error without its code', raw((response) => response.end('{"ok":false,"description":5}')), 'again', null],
  ])('%s', async (_name, fault, kind, afterMs) => {
    api.fault = fault
    const sent = await channel.send(chat, outgoing())
    expect([sent.kind, sent.kind === 'again' ? sent.afterMs : null]).toEqual([kind, afterMs])
    expect(sent.kind !== 'sent' && isSentence(sent.why, [api.token, 'secret', '127.0.0.1'])).toBe(true)
  })

  test('no answer in time, or nobody there', async () => {
    api.fault = () => undefined
    const impatient = new TelegramChannel({ ...api.options, timeoutSeconds: 0.1 })
    expect(await impatient.send(chat, outgoing())).toMatchObject({ kind: 'again' })
    const nobody = new TelegramChannel({ token: api.token, apiRoot: 'http://127.0.0.1:9' })
    const sent = await nobody.send(chat, outgoing())
    expect(sent.kind === 'again' && isSentence(sent.why, [api.token])).toBe(true)
  })
})
