import { readConfig } from '@digger/config'
import { isSafeguard } from '@digger/http'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { STEP_UP_MS } from '../src/handlers/prove.ts'
import { FactorStage, ORIGIN } from './factor-stage.ts'
import { problemIn } from './request.ts'
import { cookieOf, PASSWORD } from './server-fixture.ts'

let stage: FactorStage

/** Of a lot that may be sold. */
const FREE = { buyOrderId: null, heldBack: false, takenOver: false }
const stop = (state: string, level = 'user') => stage.post('/api/user/stop', { level, stop: state })
const get = (path: string) => stage.fixture.call('GET', path, { cookie: stage.owner.cookie })
const stepUp = (body: object) => stage.post('/api/user/step-up', body)
const code = (reply: Awaited<ReturnType<typeof stop>>): string => (reply.statusCode === 200 ? 'done' : problemIn(reply))

describe('what may cost money', () => {
  beforeEach(async () => {
    stage = await FactorStage.start()
    stage.fixture.giveStock(stage.owner.userId)
  })
  afterEach(() => stage.close())

  test('asks who it is ten minutes after the log-in; the password is enough for who has nothing else', async () => {
    await stop('halt')
    expect(code(await stop('active'))).toBe('done')
    stage.fixture.clock.advance(STEP_UP_MS)
    expect(code(await stop('active'))).toBe('STEP_UP')
    expect(code(await stepUp({ password: '틀린 것' }))).toBe('INVALID')
    expect(code(await stop('active'))).toBe('STEP_UP')
    expect(code(await stepUp({ password: PASSWORD }))).toBe('done')
    expect(code(await stop('active'))).toBe('done')
    stage.fixture.clock.advance(STEP_UP_MS)
    expect(code(await stop('active'))).toBe('STEP_UP')
  })

  test('takes the second factor alone of who has one, and each code once', async () => {
    const { code: totp, codes } = await stage.addApp()
    stage.fixture.clock.advance(STEP_UP_MS)
    expect(code(await stepUp({ password: PASSWORD }))).toBe('INVALID')
    expect(code(await stepUp({ totp: '000000' }))).toBe('INVALID')
    expect(code(await stepUp({ totp: totp() }))).toBe('done')
    expect(code(await stepUp({ totp: totp() }))).toBe('INVALID')
    expect(code(await stop('active'))).toBe('done')
    stage.fixture.clock.advance(STEP_UP_MS)
    expect(code(await stepUp({ code: codes[0] ?? '' }))).toBe('done')
  })

  test('takes a passkey, whose answer to this question logs nobody in', async () => {
    const passkey = await stage.addPasskey()
    stage.fixture.clock.advance(STEP_UP_MS)
    const ways = await stage.fixture.call('GET', '/api/user/step-up', { cookie: stage.owner.cookie })
    const options = z.object({ passkey: z.looseObject({ challenge: z.string() }) }).parse(ways.json()).passkey
    const answer = passkey.use(options)
    expect(code(await stage.send(answer))).toBe('LOGIN_REQUIRED')
    expect(code(await stepUp({ passkey: answer }))).toBe('done')
    expect(code(await stop('active'))).toBe('done')
  })

  test('a proof is of one session: another of the same person asks anew', async () => {
    const other = cookieOf(await stage.logIn())
    stage.fixture.clock.advance(STEP_UP_MS)
    await stepUp({ password: PASSWORD })
    const reply = await stage.post('/api/user/stop', { level: 'user', stop: 'active' }, other)
    expect(code(reply)).toBe('STEP_UP')
  })

  test.each([
    ['a looser limit', '/limits', { positionAmount: 200_000_000 }, 'STEP_UP'],
    ['no limit', '/limits', { positionAmount: null }, 'STEP_UP'],
    ['a stricter limit', '/limits', { positionAmount: 50_000_000 }, 'done'],
    ['a stop', '/stop', { level: 'user', stop: 'halt' }, 'done'],
    ['half of a stop', '/stop', { level: 'user', stop: 'reduce' }, 'done'],
    ['a stock let go', '/stop', { level: 'stock', code: '005930', stop: 'active' }, 'STEP_UP'],
    ['everything cancelled and stopped', '/stop/all', { own: false }, 'done'],
    ['a new passkey', '/factor/passkey/options', {}, 'STEP_UP'],
    ['a new app', '/factor/totp/secret', {}, 'STEP_UP'],
    ['new codes', '/factor/code', {}, 'STEP_UP'],
    ['a new API token', '/token', { name: 'x', scope: 'read', days: '7' }, 'STEP_UP'],
    ['another server dismissed', '/other-server/dismiss', {}, 'STEP_UP'],
    ['a rehearsal made real', '/shadow', { code: '005930', shadow: false }, 'STEP_UP'],
    ['news of log-ins switched off', '/notification/setup', { levels: { newDevice: 'off' }, quiet: null }, 'STEP_UP'],
    ['other news switched off', '/notification/setup', { levels: { bought: 'off' }, quiet: null }, 'done'],
  ])('%s: %s', async (_what, path, body, expected) => {
    const { userId, cookie } = stage.owner
    stage.fixture.accounts.happen(userId, {
      at: stage.fixture.clock.now(),
      kind: 'limitsSet',
      own: { positionAmount: 100_000_000 },
      pending: [],
    })
    stage.fixture.clock.advance(STEP_UP_MS)
    expect(code(await stage.post(`/api/user${path}`, body, cookie))).toBe(expected)
  })

  test.each([
    [999, 'done'],
    [1_000, 'STEP_UP'],
  ])('a market buy of %i × 10,000 won: %s', async (amount, expected) => {
    const admin = await stage.fixture.addPerson('admin', true)
    stage.fixture.giveStock(admin.userId)
    stage.fixture.clock.advance(STEP_UP_MS)
    expect(code(await stage.post('/api/user/stock/005930/order/buy', { amount }, admin.cookie))).toBe(expected)
  })

  test.each([
    ['', 'STEP_UP'],
    ['?qty=100', 'done'],
  ])('a sale at the market%s of 14 million won, or of a part: %s', async (query, expected) => {
    const { accounts } = stage.fixture
    const quoted = accounts.saleQuote.bind(accounts)
    accounts.saleQuote = (userId, command) => {
      const count = 'count' in command ? (command.count ?? 200) : 200
      return {
        ...quoted(userId, command),
        lots: [{ id: 9, count, buyPrice: 70_000, buyAmount: count * 70_000, boughtAt: 0, ...FREE }],
      }
    }
    stage.fixture.clock.advance(STEP_UP_MS)
    const sale = `/api/user/stock/005930/sell/market-price${query}`
    expect(code(await stage.post(sale, {}))).toBe(expected)
  })

  test('half of a halt let go asks, for a halt is stricter', async () => {
    // Who was not asked loosens nothing, whatever came in between.
    await stop('halt')
    expect(stage.fixture.accounts.commands.at(-1)?.command).toMatchObject({ kind: 'setStop', stop: 'halt', seen: 0 })
    stage.fixture.clock.advance(STEP_UP_MS)
    expect(code(await stop('reduce'))).toBe('STEP_UP')
    expect(isSafeguard(stage.fixture.accounts, { name: 'stopAll', userId: '', body: {} })).toBe(true)
  })

  test('an administrator proves it for what sells for everybody, and for taking a factor away', async () => {
    const { cookie } = await stage.fixture.addPerson('admin', true)
    stage.fixture.clock.advance(STEP_UP_MS)
    const call = (method: 'POST' | 'DELETE', path: string, payload?: object) =>
      stage.fixture.call(method, `/api/admin/8017${path}`, { cookie, ...(payload ? { payload } : {}) })
    expect(code(await call('POST', '/order/sell'))).toBe('STEP_UP')
    expect(code(await call('POST', '/job', { kind: 'sell' }))).toBe('STEP_UP')
    expect(code(await call('DELETE', `/user/${stage.owner.userId}/factor`))).toBe('STEP_UP')
    expect(code(await call('POST', '/job', { kind: 'check' }))).toBe('done')
  })

  test('keys and passwords change with the password, and with the second factor of who has one', async () => {
    const change = () =>
      stage.fixture.call('PUT', '/api/user/credentials', {
        cookie: stage.owner.cookie,
        payload: { password: PASSWORD, htsId: 'another' },
      })
    stage.fixture.clock.advance(STEP_UP_MS)
    expect(code(await change())).toBe('done')
    await stepUp({ password: PASSWORD })
    const { code: totp } = await stage.addApp()
    stage.fixture.clock.advance(STEP_UP_MS)
    expect(code(await change())).toBe('STEP_UP')
    const payload = { oldPassword: PASSWORD, newPassword: '다른참깨5678!' }
    const renew = () => stage.fixture.call('PUT', '/api/user/user', { cookie: stage.owner.cookie, payload })
    expect(code(await renew())).toBe('STEP_UP')
    await stepUp({ totp: totp() })
    expect(code(await change())).toBe('done')
    expect(code(await renew())).toBe('done')
  })
})

describe('a server that wants a second factor of everybody', () => {
  beforeEach(async () => {
    const config = readConfig({ SECOND_FACTOR: 'required', PUBLIC_URL: ORIGIN })
    stage = await FactorStage.start({ parts: { config } })
    stage.fixture.giveStock(stage.owner.userId)
  })
  afterEach(() => stage.close())

  test('lets who has none stop and set one up, and nothing else; then everything at once', async () => {
    for (const path of ['/balance', '/stock', '/events', '/credentials', '/audit'])
      expect(code(await get(`/api/user${path}`))).toBe('NO_SECOND_FACTOR')
    expect(code(await stop('active'))).toBe('NO_SECOND_FACTOR')
    expect(code(await stage.post('/api/user/stop/all', { own: false }))).toBe('done')
    for (const path of ['/user', '/factor', '/session', '/stop'])
      expect(code(await get(`/api/user${path}`))).toBe('done')
    await stage.addApp()
    expect(code(await get('/api/user/balance'))).toBe('done')
    expect(code(await stop('active'))).toBe('done')
  })

  test('is not content with a password that was shown again', async () => {
    expect(code(await stepUp({ password: PASSWORD }))).toBe('done')
    expect(code(await get('/api/user/balance'))).toBe('NO_SECOND_FACTOR')
  })
})
