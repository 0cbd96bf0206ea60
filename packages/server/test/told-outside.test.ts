import { readConfig } from '@digger/config'
import { type TestPlace, testPlace } from '@digger/database/testing'
import { SETTINGS } from '@digger/engine/testing'
import { setMayAddStocks } from '@digger/identity'
import { UNLIMITED } from '@digger/kis'
import { demoCredentials, type Sim, startSim } from '@digger/kis-sim'
import { BotApi, MailServer, PushService, ScaledClock, WebhookReceiver } from '@digger/notifications/testing'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createLogger } from '../src/log.ts'
import { createServer, type DiggerServer } from '../src/server.ts'
import { Browser } from './browser.ts'

const CODE = '005930'
/** As long as real ones are: four digits would stand in the hex of what is sealed once in some fifty runs. */
const CHAT = 7_236_481_905
const SOON = { timeout: 30_000, interval: 20 }
const PERSON = { email: 'owner@digger.test', password: '열쇠-Pa55-owner-q7w8', ...demoCredentials(0) }

/** A whole server and the world outside of it: a push service, Telegram, a mail server, an address on the web, and the broker. */
let sim: Sim
let place: TestPlace
let server: DiggerServer
let owner: Browser
let stranger: Browser
const outside = {
  push: await PushService.start(),
  bot: await BotApi.start(),
  mail: await MailServer.start(),
  web: await WebhookReceiver.start(),
}
const { push, bot, mail, web } = outside

beforeAll(async () => {
  const clock = { mode: 'real', speed: 20 } as const
  sim = await startSim({ port: 0, hours: 'always', clock, walk: 'off', limits: 'off', latency: 'none' })
  place = await testPlace()
  server = await createServer({
    config: readConfig({
      ...place.config,
      PORT: '0',
      SMTP_URL: mail.url(),
      MAIL_FROM: 'Digger <digger@example.com>',
      WEBHOOK_TARGETS: '127.0.0.1',
    }),
    broker: { env: 'real', restUrl: sim.url, wsUrl: sim.wsUrl },
    hours: 'always',
    clock: sim.clock,
    rateLimits: UNLIMITED,
    log: createLogger('fatal'),
    // No phone rings twice in ten seconds, and what is told is looked at every five: a fortieth of that.
    notifying: {
      wall: new ScaledClock(40),
      senders: { telegram: bot.options, pushHosts: push.options.also, ca: push.options.ca },
    },
  })
  const base = await server.listen()
  owner = new Browser(base, PERSON)
  stranger = new Browser(base, PERSON)
  await owner.signUp()
  await owner.logIn()
  await setMayAddStocks(server.database.db, owner.userId, true)
}, 120_000)
afterAll(async () => {
  await server.close()
  await place[Symbol.asyncDispose]()
  await sim.close()
  for (const one of Object.values(outside)) await one[Symbol.asyncDispose]()
})

/** Of the replies that these tests look into. */
interface Answer {
  readonly channels: { readonly id: number; readonly kind: string; readonly on: boolean; readonly amounts: boolean }[]
  readonly offered: { readonly push: string; readonly telegram: string | null; readonly email: boolean }
  readonly code: string
  readonly url: string
  readonly path: string
  readonly usedAt: string | null
}
const ask = async (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<Answer> => {
  const { title, status, text } = await owner.ask(method, `/api/user${path}`, body)
  if (status !== 200) throw new Error(`${title}: ${status} ${text}`)
  const answer: Answer = JSON.parse(text.slice(text.indexOf('\n') + 1))
  return answer
}

/** What each counterpart has received, newest last. */
const received = {
  push: () => push.received.map(({ payload }) => JSON.stringify(payload)),
  telegram: () => bot.sent.map(({ text }) => text),
  email: () => mail.received.map(({ headers, text }) => `${headers.get('subject')}\n${text}`),
  webhook: () => web.received.map(({ text }) => text),
}
const arrives = (text: string) =>
  vi.waitFor(() => {
    for (const [kind, all] of Object.entries(received))
      expect([kind, all().some((one) => one.includes(text))]).toEqual([kind, true])
  }, SOON)

test('all four ways are set up, and the test button reaches each of them', async () => {
  const { offered } = await ask('GET', '/notification/setup')
  expect(offered).toMatchObject({ telegram: 'digger_test_bot', email: true })
  await ask('POST', '/notification/channel', { kind: 'push', label: '이 휴대폰', ...push.subscribe(offered.push) })
  await ask('POST', '/notification/channel', { kind: 'email' })
  await ask('POST', '/notification/channel', { kind: 'webhook', url: web.server.url('/hook', '127.0.0.1') })
  const { code, url } = await ask('POST', '/notification/telegram', {})
  expect(url).toBe(`https://t.me/digger_test_bot?start=${code}`)
  await vi.waitFor(() => expect(bot.isPolled).toBe(true), SOON)
  bot.write(CHAT, `/start ${code}`)
  await vi.waitFor(() => expect(received.telegram()).toContainEqual(expect.stringContaining('이어졌습니다.')), SOON)
  const { channels } = await ask('GET', '/notification/setup')
  expect(channels.map(({ kind, on, amounts }) => [kind, on, amounts])).toEqual([
    ['push', true, false],
    ['email', true, true],
    ['webhook', true, true],
    ['telegram', true, true],
  ])
  await ask('POST', '/notification/test', {})
  await arrives('시험 알림입니다.')
}, 60_000)

test('a buy arrives everywhere: with its amount, and on a locked phone without', async () => {
  sim.setPrice(CODE, 156_900)
  await ask('POST', `/stock/${CODE}`, {
    ...SETTINGS,
    maxBuyPrice: 157_000,
    buyUnitPrice: 400_000,
    lastBuyPrice: null,
    sellPercent: 5,
  })
  await vi.waitFor(() => {
    sim.setPrice(CODE, 156_900)
    expect(server.engine.book(owner.userId).stocks.get(CODE)?.lots).toHaveLength(1)
  }, SOON)
  await arrives('2주를 샀습니다')
  expect(received.email().at(-1)).toContain('313,800원')
  expect(received.push().at(-1)).not.toContain('313,800')
  expect(mail.received.at(-1)?.to).toEqual([PERSON.email])
  // The same words under the same id, however they went.
  const ids = new Set([
    JSON.parse(received.push().at(-1) ?? '{}').id,
    JSON.parse(received.webhook().at(-1) ?? '{}').id,
    /<([^@]+)@/.exec(mail.received.at(-1)?.headers.get('message-id') ?? '')?.[1],
  ])
  expect(ids.size).toBe(1)
}, 60_000)

test('no address that people are told at is in the clear in the tables', async () => {
  const { rows } = await server.database.pool.query<{ all: string }>(
    `select coalesce(string_agg(c::text, ' '), '') || (select string_agg(s::text, ' ') from server_setting s) as all from notification_channel c`,
  )
  const [{ all } = { all: '' }] = rows
  expect(all).toContain('이 휴대폰')
  for (const secret of ['/hook', '/push/', String(CHAT)])
    expect([secret, all.includes(secret)]).toEqual([secret, false])
})

const restingSale = () =>
  [...server.engine.book(owner.userId).orders.values()].filter(({ status }) => status === 'open')
const isStopped = () => server.engine.book(owner.userId).stop === 'halt' && restingSale().length === 0

test('stopped by Telegram in two steps: a stranger cannot, one press does nothing, and going on needs a log-in', async () => {
  await vi.waitFor(() => expect(restingSale()).toHaveLength(1), SOON)
  bot.write(999, '/stop')
  await vi.waitFor(
    () => expect(bot.sent.at(-1)).toMatchObject({ chatId: 999, text: expect.stringContaining('이어져 있지 않습니다') }),
    SOON,
  )
  bot.write(CHAT, '/stop')
  await vi.waitFor(
    () => expect(bot.sent.at(-1)).toMatchObject({ chatId: CHAT, text: expect.stringContaining('멈출까요?') }),
    SOON,
  )
  expect(server.engine.book(owner.userId).stop).toBe('active')
  const data = JSON.stringify(bot.sent.at(-1)?.call).match(/"callback_data":"(stop [^"]+)"/)?.[1] ?? ''
  bot.press(999, data)
  await vi.waitFor(() => expect(bot.sent.at(-1)?.chatId).toBe(999), SOON)
  expect(server.engine.book(owner.userId).stop).toBe('active')
  bot.press(CHAT, data)
  await vi.waitFor(() => expect(isStopped()).toBe(true), SOON)
  await arrives('주문 1건을 취소했습니다.')
  bot.write(CHAT, '/start')
  await vi.waitFor(() => expect(bot.sent.at(-1)?.text).toContain('알림 화면'), SOON)
  expect(server.engine.book(owner.userId).stop).toBe('halt')
}, 90_000)

test('the secret link stops this account and does nothing else, until it is revoked', async () => {
  await ask('POST', '/stop', { level: 'user', stop: 'active' })
  await vi.waitFor(() => expect(restingSale()).toHaveLength(1), SOON)
  const { path } = await ask('POST', '/stop/link', {})
  const token = path.split('#')[1] ?? ''
  const press = (tried: string) => stranger.ask('POST', '/api/stop-link', { token: tried })
  expect((await press('A'.repeat(43))).status).toBe(404)
  expect(server.engine.book(owner.userId).stop).toBe('active')
  const pressed = await press(token)
  expect([pressed.status, pressed.text]).toEqual([
    200,
    expect.stringContaining('모두 멈췄습니다. 주문 1건을 취소했습니다.'),
  ])
  expect(isStopped()).toBe(true)
  const { usedAt } = await ask('GET', '/stop/link')
  expect(usedAt).not.toBeNull()
  // It opens nothing: who has it is nobody.
  expect((await stranger.ask('GET', '/api/user/stop')).status).toBe(401)
  expect((await stranger.ask('POST', '/api/user/stop', { level: 'user', stop: 'active' })).status).toBe(401)
  await ask('DELETE', '/stop/link')
  expect((await press(token)).status).toBe(404)
  const { rows } = await server.database.pool.query<{ all: string }>(
    `select string_agg(a::text, ' ') as all from audit a`,
  )
  expect(rows[0]?.all).toContain('모두 취소하고 멈춤')
  expect(rows[0]?.all).not.toContain(token)
}, 90_000)
