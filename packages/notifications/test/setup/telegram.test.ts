import type { Db } from '@digger/database'
import { sharedDatabase, TestClock } from '@digger/database/testing'
import { sql } from 'kysely'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { TelegramChannel } from '../../src/channels/telegram.ts'
import { MAX_CHANNELS, openAddress } from '../../src/outbox/addresses.ts'
import { TelegramBot } from '../../src/telegram/bot.ts'
import { LINK_MS, newLinkCode, useLinkCode } from '../../src/telegram/links.ts'
import { KEY, NOW, TestAccount } from '../outbox/fixture.ts'
import { FakeTelegram } from './fake-telegram.ts'

let db: Db
let account: TestAccount
beforeAll(async () => {
  ;({ db } = await sharedDatabase())
})

let telegram: FakeTelegram
let bot: TelegramBot
let clock: TestClock
let isMine: boolean
const problems: unknown[] = []

beforeEach(async () => {
  ;[telegram, clock, isMine] = [new FakeTelegram(), new TestClock(NOW), true]
  problems.length = 0
  await telegram.start()
  account = await TestAccount.add(db)
  const settings = { token: '1:token', apiRoot: telegram.apiRoot }
  const problem = (_userId: string | null, error: unknown): void => void problems.push(error)
  bot = new TelegramBot({
    db,
    wall: clock,
    key: KEY,
    settings,
    channel: new TelegramChannel(settings),
    isMine: () => isMine,
    problem,
  })
})
afterEach(async () => {
  await bot.stop()
  await telegram[Symbol.asyncDispose]()
})

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
  expect(await telegram.write({ chatId: 77, text: ` /start  ${code} ` })).toMatch(/이어졌습니다/)
  const [channel] = await channelsOf(account)
  expect(channel).toMatchObject({ label: '텔레그램 길동 홍', state: 'on', amounts: true })
  expect(openAddress(KEY, account.id, 'telegram', channel?.sealed ?? Buffer.alloc(0))).toEqual({
    kind: 'telegram',
    chatId: 77,
  })
  expect(await telegram.write({ chatId: 78, text: code })).toMatch(NO_SUCH_CODE)
  expect(telegram.replies.map(({ chatId }) => chatId)).toEqual([77, 78])
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
  expect(await telegram.write({ chatId: 5, text })).toMatch(answer)
})

test('a group is not linked, and the code is still good for its person', async () => {
  await bot.look()
  const code = await newLinkCode(db, account.id, NOW)
  expect(await telegram.write({ chatId: -100, fromId: 77, text: code })).toMatch(/여럿이 있는 방/)
  expect(await channelsOf(account)).toEqual([])
  expect(await telegram.write({ chatId: 77, text: code })).toMatch(/이어졌습니다/)
})

test('an expired code, and one too many', async () => {
  await bot.look()
  let code = await newLinkCode(db, account.id, NOW)
  clock.advance(LINK_MS)
  expect(await telegram.write({ chatId: 77, text: code })).toMatch(NO_SUCH_CODE)
  for (let n = 0; n < MAX_CHANNELS; n += 1) await account.channel(`c${n}`)
  code = await newLinkCode(db, account.id, clock.now())
  expect(await telegram.write({ chatId: 77, text: code })).toMatch(/너무 많습니다/)
  expect(await channelsOf(account)).toHaveLength(MAX_CHANNELS)
})

test('only the process whose turn it is asks Telegram; it takes nothing twice when its turn comes again', async () => {
  isMine = false
  await bot.look()
  expect(telegram.polls).toBe(0)
  isMine = true
  await bot.look()
  await bot.look()
  await expect.poll(() => telegram.polls).toBe(1)
  await telegram.write({ chatId: 5, text: '하나' })
  isMine = false
  await bot.look()
  await expect.poll(() => telegram.polls).toBe(0)
  isMine = true
  await bot.look()
  await telegram.write({ chatId: 6, text: '둘' })
  expect(telegram.replies.map(({ chatId }) => chatId)).toEqual([5, 6])
  expect(problems).toEqual([])
})
