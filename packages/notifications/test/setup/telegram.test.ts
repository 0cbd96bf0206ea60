import type { ServerResponse } from 'node:http'
import { Refused } from '@digger/contract'
import type { Db } from '@digger/database'
import { sharedDatabase, TestClock } from '@digger/database/testing'
import { sql } from 'kysely'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { TelegramChannel } from '../../src/channels/telegram.ts'
import { MAX_CHANNELS, openAddress } from '../../src/outbox/addresses.ts'
import { TelegramBot } from '../../src/telegram/bot.ts'
import { LINK_MS, newLinkCode, useLinkCode } from '../../src/telegram/links.ts'
import { KEY, NOW, TestAccount } from '../outbox/fixture.ts'
import { BotApi } from '../bot-api.ts'

let db: Db
let account: TestAccount
beforeAll(async () => {
  ;({ db } = await sharedDatabase())
})

const SOON = { timeout: 10_000, interval: 5 }
let api: BotApi
let bot: TelegramBot
let clock: TestClock
let isMine: boolean
let stopped: string[]
/** A person's; each test has one of its own, as the accounts of a file are in one database. */
let chat = 500
let stopAll: (userId: string) => Promise<string>
const problems: unknown[] = []

beforeEach(async () => {
  ;[api, clock, isMine, stopped] = [await BotApi.start(), new TestClock(NOW), true, []]
  problems.length = 0
  chat += 1
  account = await TestAccount.add(db)
  stopAll = async (userId) => {
    stopped.push(userId)
    return '주문 3개를 취소하고 멈췄습니다.'
  }
  bot = new TelegramBot({
    db,
    wall: clock,
    key: KEY,
    settings: api.options,
    channel: new TelegramChannel(api.options),
    isMine: () => isMine,
    stopAll: (userId) => stopAll(userId),
    problem: (_userId, error) => void problems.push(error),
  })
})
afterEach(async () => {
  await bot.stop()
  await api[Symbol.asyncDispose]()
})

/** What the bot answers next. */
async function answerTo(ask: () => void): Promise<string> {
  const before = api.sent.length
  ask()
  await expect.poll(() => api.sent.length, SOON).toBeGreaterThan(before)
  return api.sent.at(-1)?.text ?? ''
}
const write = (chatId: number, text: string): Promise<string> => answerTo(() => api.write(chatId, text))
const press = (chatId: number, data: string): Promise<string> => answerTo(() => api.press(chatId, data))
/** What the buttons of the last message send. */
function buttons(): string[] {
  const call = api.sent.at(-1)?.call ?? {}
  return [...JSON.stringify(call).matchAll(/"callback_data":"([^"]+)"/g)].map(([, data = '']) => data)
}

const NO_SUCH_CODE = /없거나 시간이 지난 코드/
const channelsOf = ({ id }: TestAccount) =>
  db
    .selectFrom('notification_channel')
    .select(['label', 'sealed', 'state', 'amounts'])
    .where('user_id', '=', id)
    .execute()

test('a code is good once, for whoever it was made for', async () => {
  const code = await newLinkCode(db, account.id, NOW)
  expect(await useLinkCode(db, code.toLowerCase(), NOW)).toBe(account.id)
  expect(await useLinkCode(db, code, NOW)).toBeNull()
})

test('of many that send the same code at a time one is linked', async () => {
  const code = await newLinkCode(db, account.id, NOW)
  const used = await Promise.all(Array.from({ length: 8 }, () => useLinkCode(db, code, NOW)))
  expect(used.filter((one) => one !== null)).toEqual([account.id])
})

test('it lasts ten minutes, and the next one makes it void', async () => {
  const codes = [await newLinkCode(db, account.id, NOW), await newLinkCode(db, account.id, NOW)]
  expect(await useLinkCode(db, codes[0] ?? '', NOW)).toBeNull()
  expect(await useLinkCode(db, codes[1] ?? '', NOW + LINK_MS)).toBeNull()
  expect(await useLinkCode(db, codes[1] ?? '', NOW + LINK_MS - 1)).toBe(account.id)
})

test('it is not in the tables, and old ones of anybody go with the next', async () => {
  const other = await TestAccount.add(db)
  const code = await newLinkCode(db, other.id, NOW)
  const lines = async (): Promise<string> =>
    (
      await sql<{ line: string }>`select t::text || encode(code_hash, 'escape') as line from telegram_link t`.execute(
        db,
      )
    ).rows
      .map(({ line }) => line)
      .join()
  expect(await lines()).toContain(other.id)
  expect(await lines()).not.toContain(code)
  await newLinkCode(db, account.id, NOW + LINK_MS)
  expect(await lines()).not.toContain(other.id)
})

test('whoever sends their code is linked, with amounts', async () => {
  await bot.look()
  const code = await newLinkCode(db, account.id, NOW)
  expect(await write(77, ` /start  ${code} `)).toMatch(/이어졌습니다/)
  const [channel] = await channelsOf(account)
  expect(channel).toMatchObject({ label: '텔레그램 홍길동', state: 'on', amounts: true })
  const address = openAddress(KEY, account.id, 'telegram', channel?.sealed ?? Buffer.alloc(0))
  expect(address).toEqual({ kind: 'telegram', chatId: 77 })
  expect(await write(78, code)).toMatch(NO_SUCH_CODE)
  expect(api.sent.map(({ chatId }) => chatId)).toEqual([77, 78])
  expect(await channelsOf(account)).toHaveLength(1)
})

test.each([
  ['no code', '안녕하세요', /코드를 만들어 여기에/],
  ['nine letters', 'ABCDEFGHJ', /코드를 만들어 여기에/],
  ['another command', '/help ABCDEFGHJK', /코드를 만들어 여기에/],
  ['a guess', 'ABCDEFGHJK', NO_SUCH_CODE],
  ['a guess by the link', '/start ABCDEFGHJK', NO_SUCH_CODE],
])('%s', async (_name, text, answer) => {
  await bot.look()
  expect(await write(5, text)).toMatch(answer)
})

test('a group is not linked, and the code is still good for its person', async () => {
  await bot.look()
  const code = await newLinkCode(db, account.id, NOW)
  const from = { id: 77, is_bot: false, first_name: '홍길동' }
  api.chats.add(-100)
  const message = { message_id: 1, date: 0, chat: { id: -100, type: 'group', title: '방' }, from, text: code }
  expect(await answerTo(() => api.add({ message }))).toMatch(/여럿이 있는 방/)
  expect(await channelsOf(account)).toEqual([])
  expect(await write(77, code)).toMatch(/이어졌습니다/)
})

test('an expired code, and one too many', async () => {
  await bot.look()
  let code = await newLinkCode(db, account.id, NOW)
  clock.advance(LINK_MS)
  expect(await write(77, code)).toMatch(NO_SUCH_CODE)
  for (let n = 0; n < MAX_CHANNELS; n += 1) await account.channel(`c${n}`)
  code = await newLinkCode(db, account.id, clock.now())
  expect(await write(77, code)).toMatch(/너무 많습니다/)
  expect(await channelsOf(account)).toHaveLength(MAX_CHANNELS)
})

test('only the process whose turn it is asks Telegram; it takes nothing twice when its turn comes again', async () => {
  isMine = false
  await bot.look()
  expect(api.isPolled).toBe(false)
  isMine = true
  await bot.look()
  await bot.look()
  await write(5, '하나')
  isMine = false
  await bot.look()
  await expect.poll(() => api.isPolled, SOON).toBe(false)
  isMine = true
  await bot.look()
  await write(6, '둘')
  expect(api.sent.map(({ chatId }) => chatId)).toEqual([5, 6])
  expect(problems).toEqual([])
})

/** A chat that is linked to the account of this test. */
async function linked(): Promise<void> {
  await bot.look()
  await write(chat, await newLinkCode(db, account.id, clock.now()))
}

describe('the stop', () => {
  test.each(['/stop', '/halt', '/STOP@digger_test_bot', ' 멈춤 '])(
    '%s asks first, and stops at the second step',
    async (text) => {
      await linked()
      expect(await write(chat, text)).toMatch(/멈출까요/)
      expect(stopped).toEqual([])
      const [stop = '', leave = ''] = buttons()
      expect(await press(chat, stop)).toMatch(/^주문 3개를 취소하고 멈췄습니다\.\n다시 시작하려면/)
      expect([stopped, api.answered.length]).toEqual([[account.id], 1])
      expect(await press(chat, leave)).toMatch(/그대로 두었습니다/)
      expect(stopped).toHaveLength(1)
    },
  )

  test('a chat that is not linked, or no longer, stops nothing, whatever it presses', async () => {
    await linked()
    await write(chat, '/stop')
    const [stop = ''] = buttons()
    expect(await write(chat + 1000, '/stop')).toMatch(/이어져 있지 않습니다/)
    expect(await press(chat + 1000, stop)).toMatch(/이어져 있지 않습니다/)
    await db.deleteFrom('notification_channel').where('user_id', '=', account.id).execute()
    expect(await press(chat, stop)).toMatch(/이어져 있지 않습니다/)
    expect(stopped).toEqual([])
  })

  test.each([
    ['two minutes later', 120_000, true],
    ['a ms after that', 120_001, false],
    ['from a time to come', -120_001, false],
  ])('a button of before: %s', async (_name, ms, isTaken) => {
    await linked()
    await write(chat, '/stop')
    const [stop = ''] = buttons()
    clock.advance(ms)
    expect(await press(chat, stop)).toMatch(isTaken ? /멈췄습니다/ : /2분이 지난 물음/)
    expect(stopped).toHaveLength(isTaken ? 1 : 0)
  })

  test('it could not be stopped: the chat says so', async () => {
    await linked()
    await write(chat, '/stop')
    stopAll = () => Promise.reject(new Refused('BUSY', '서버가 답하지 않습니다.'))
    expect(await press(chat, buttons()[0] ?? '')).toMatch(/^서버가 답하지 않습니다\./)
  })

  test('of an error that nobody foresaw the chat gets a sentence, and the log the error', async () => {
    await linked()
    await write(chat, '/stop')
    stopAll = () => Promise.reject(new Error('connect ECONNREFUSED 10.0.0.5:5432'))
    expect(await press(chat, buttons()[0] ?? '')).toMatch(/^멈췄는지 알 수 없습니다\./)
    expect(api.sent.at(-1)?.text).not.toContain('ECONNREFUSED')
    expect(problems).toEqual([expect.objectContaining({ message: expect.stringContaining('ECONNREFUSED') })])
  })

  test('it does not wait for Telegram to take the waiting sign from the button', async () => {
    await linked()
    await write(chat, '/stop')
    const stop = buttons()[0] ?? ''
    const held: ServerResponse[] = []
    // The press itself has to come through.
    await expect.poll(() => api.isPolled, SOON).toBe(true)
    api.fault = (response) => void held.push(response)
    api.press(chat, stop)
    await expect.poll(() => stopped, SOON).toEqual([account.id])
    api.fault = null
    for (const response of held) response.destroy()
  })

  test('nobody waits for the stop of somebody else', async () => {
    const slow = Promise.withResolvers<string>()
    await linked()
    const first = { chat, id: account.id }
    await write(chat, '/stop')
    const stops = [buttons()[0] ?? '']
    account = await TestAccount.add(db)
    chat += 1
    await linked()
    await write(chat, '/stop')
    stops.push(buttons()[0] ?? '')
    stopAll = async (userId) => {
      stopped.push(userId)
      return userId === first.id ? slow.promise : '멈췄습니다.'
    }
    api.hold(() => {
      api.press(first.chat, stops[0] ?? '')
      api.press(chat, stops[1] ?? '')
    })
    await expect.poll(() => stopped.toSorted(), SOON).toEqual([first.id, account.id].toSorted())
    slow.resolve('멈췄습니다.')
  })

  test('of two accounts that are linked to one chat each has its button', async () => {
    await linked()
    const first = account
    account = await TestAccount.add(db)
    await linked()
    await write(chat, '/stop')
    expect(buttons()).toHaveLength(3)
    // Whose it is must be readable on a phone, where three beside each other are cut.
    expect(api.sent.at(-1)?.call['reply_markup']).toMatchObject({ inline_keyboard: [[{}], [{}], [{}]] })
    await press(chat, buttons().find((data) => data.includes(account.id)) ?? '')
    expect(stopped).toEqual([account.id])
    expect(stopped).not.toContain(first.id)
  })
})
