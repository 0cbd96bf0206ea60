import * as fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { demoAccounts, demoCredentials, type Sim, type SimOptions } from '../src/index.ts'
import { at, RawClient, stillSim } from './client.ts'

const ME = demoCredentials(0)
const OTHER = demoCredentials(1)
const PRICE = { FID_COND_MRKT_DIV_CODE: 'J', FID_INPUT_ISCD: '005930' }
const SECOND = 1_000
const MINUTE = 60_000
const HOUR = 60 * MINUTE

let sim: Sim
afterEach(() => sim.close())
const open = async (options: SimOptions = {}): Promise<void> => {
  sim = await stillSim({ limits: 'enforced', ...options })
}
const code = async (client: RawClient): Promise<string> => (await client.call('price', PRICE)).msg_cd
const TOO_MANY = 'EGW00201'

describe('calls per second', () => {
  test('whatever the pace, no second holds more admitted calls than allowed, and none less than it could', async () => {
    const limit = 5
    const pauses = fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 10, maxLength: 40 })
    await open({ assumptions: { callsPerSecond: { real: limit, paper: 1 } } })
    const client = await RawClient.login(sim)
    const property = fc.asyncProperty(pauses, async (gaps) => {
      await sim.clock.advance(10 * SECOND)
      const admitted: number[] = []
      for (const gap of gaps) {
        await sim.clock.advance(gap)
        const now = sim.clock.now()
        const before = admitted.filter((when) => when > now - SECOND).length
        const reply = await client.call('price', PRICE)
        expect([reply.msg_cd, reply.status]).toEqual(before < limit ? ['MCA00000', 200] : [TOO_MANY, 500])
        if (before < limit) admitted.push(now)
      }
    })
    await fc.assert(property, { numRuns: 15 })
  })

  test('each key has its own; quotations, queries and orders share it', async () => {
    await open({ assumptions: { callsPerSecond: { real: 3, paper: 1 } } })
    const [mine, theirs] = [await RawClient.login(sim), await RawClient.login(sim, OTHER)]
    const codes = [
      (await mine.balance()).msg_cd,
      (await mine.order({ count: 1, price: 150_000 })).msg_cd,
      await code(mine),
      (await mine.order({ count: 1, price: 150_000 })).msg_cd,
    ]
    expect(codes).toEqual(['KIOK0560', 'APBK0013', 'MCA00000', TOO_MANY])
    expect(sim.orders(ME.accountNumber)).toHaveLength(1)
    expect(await code(theirs)).toBe('MCA00000')
    expect(sim.traffic).toEqual({ admitted: 4, tooMany: 1, ledgerBusy: 0 })
  })

  test('a refused call does not count, nor does one with a dead token', async () => {
    await open({ assumptions: { callsPerSecond: { real: 2, paper: 1 } } })
    const client = await RawClient.login(sim)
    for (let n = 0; n < 5; n++) await client.call('price', PRICE, { authorization: 'Bearer x' })
    expect([await code(client), await code(client), await code(client)]).toEqual(['MCA00000', 'MCA00000', TOO_MANY])
    await sim.clock.advance(SECOND - 1)
    expect(await code(client)).toBe(TOO_MANY)
    await sim.clock.advance(1)
    expect([await code(client), await code(client), await code(client)]).toEqual(['MCA00000', 'MCA00000', TOO_MANY])
  })

  test('the text and the shape are those measured', async () => {
    await open({ assumptions: { callsPerSecond: { real: 1, paper: 1 } } })
    const client = await RawClient.login(sim)
    await code(client)
    const reply = await client.call('price', PRICE)
    expect([reply.status, reply.rt_cd, reply.msg1]).toEqual([500, '1', '초당 거래건수를 초과하였습니다.'])
  })

  test('switched off, nothing is counted', async () => {
    await open({ limits: 'off', assumptions: { callsPerSecond: { real: 1, paper: 1 }, ledgerCallsPerSecond: 1 } })
    const client = await RawClient.login(sim)
    for (let n = 0; n < 30; n++) expect((await client.balance()).rt_cd).toBe('0')
    await client.renew()
  })
})

describe('the ledger', () => {
  const LEDGER = ['balance', 'buyable', 'sellable', 'executions', 'openOrders', 'accountBalance', 'margin'] as const
  const DAYS = { INQR_STRT_DT: '20261101', INQR_END_DT: '20261130', PDNO: '005930' }

  test.each(LEDGER)('%s counts among the ledger queries of its account', async (name) => {
    await open({ assumptions: { ledgerCallsPerSecond: 1 } })
    const [client, other] = [await RawClient.login(sim), await RawClient.login(sim, OTHER)]
    expect((await client.call(name, DAYS)).rt_cd).toBe('0')
    const busy = await client.balance()
    expect([busy.status, busy.msg_cd, busy.msg1]).toEqual([
      500,
      'EGW00215',
      '원장에서 허용 가능한 초당 거래건수를 초과하였습니다.',
    ])
    expect((await other.balance()).rt_cd).toBe('0')
    expect((await client.order({ count: 1, price: 150_000 })).rt_cd).toBe('0')
    await sim.clock.advance(SECOND)
    expect((await client.balance()).rt_cd).toBe('0')
  })

  test('a limit of two lets two through, and the traffic counts both kinds', async () => {
    await open({ assumptions: { ledgerCallsPerSecond: 2 } })
    const client = await RawClient.login(sim)
    const codes = []
    for (let n = 0; n < 4; n++) codes.push((await client.balance()).msg_cd)
    expect(codes).toEqual(['KIOK0560', 'KIOK0560', 'EGW00215', 'EGW00215'])
    expect(sim.traffic).toMatchObject({ admitted: 2, ledgerBusy: 2 })
  })
})

const Issued = z.looseObject({ access_token: z.string().optional(), expires_in: z.number().optional() })
async function token(of = ME): Promise<{ status: number } & z.infer<typeof Issued>> {
  const body = { grant_type: 'client_credentials', appkey: of.appKey, appsecret: of.appSecret }
  const reply = await fetch(`${sim.url}/oauth2/tokenP`, { method: 'POST', body: JSON.stringify(body) })
  return { status: reply.status, ...Issued.parse(await reply.json()) }
}

describe('tokens', () => {
  test('one a minute and key, to the millisecond; a refused request does not prolong the wait', async () => {
    await open()
    expect((await token()).status).toBe(200)
    for (const wait of [20_000, 20_000, 19_999]) {
      await sim.clock.advance(wait)
      expect((await token()).status).toBe(403)
    }
    expect((await token(OTHER)).status).toBe(200)
    await sim.clock.advance(1)
    expect((await token()).status).toBe(200)
  })

  test('the same one within six hours, with the rest of its life; then a new one', async () => {
    await open()
    const first = await token()
    await sim.clock.advance(6 * HOUR - 1)
    const same = await token()
    expect([same.access_token, same.expires_in]).toEqual([first.access_token, 18 * 3_600])
    await sim.clock.advance(MINUTE)
    const next = await token()
    expect(next.access_token).not.toBe(first.access_token)
    expect(next.expires_in).toBe(86_400)
  })

  test('it is at most 350 characters of JWT that name the key', async () => {
    await open()
    const { access_token: text = '' } = await token()
    expect(text.length).toBeLessThanOrEqual(350)
    const claims: unknown = JSON.parse(Buffer.from(text.split('.')[1] ?? '', 'base64url').toString('utf8'))
    expect(claims).toMatchObject({
      sub: 'token',
      iss: 'unogw',
      jti: ME.appKey,
      exp: at('10:00:00', '2026-11-21') / 1_000,
    })
  })

  test('it ends after 24 hours to the millisecond', async () => {
    await open()
    const client = await RawClient.login(sim)
    await sim.clock.advance(24 * HOUR - 1)
    expect(await code(client)).toBe('MCA00000')
    await sim.clock.advance(1)
    expect(await code(client)).toBe('EGW00123')
  })

  test('an approval key lives a day, opens only what is new, and a live socket outlives it', async () => {
    await open({ assumptions: { pingPongMs: [100 * HOUR, 100 * HOUR] } })
    const socket = await (await RawClient.login(sim)).socket()
    expect((await socket.register('H0STCNT0', '005930')).body.msg_cd).toBe('OPSP0000')
    await sim.clock.advance(24 * HOUR - 1)
    expect((await socket.register('H0STCNT0', '000660')).body.msg_cd).toBe('OPSP0000')
    await sim.clock.advance(1)
    expect((await socket.register('H0STCNT0', '035720')).body.msg_cd).toBe('OPSP0011')
    sim.setPrice('005930', 158_700)
    expect((await socket.tick())['STCK_PRPR']).toBe('158700')
  })
})

describe('whose seconds the limits are', () => {
  const fast = { mode: 'real', speed: 1_000, start: at('10:00:00') } as const
  const assumptions = { callsPerSecond: { real: 2, paper: 1 } }
  const options = { clock: fast, assumptions, latency: 'none', walk: 'off', accounts: demoAccounts(1) } as const

  test('the customer’s real ones, although the market runs a thousand times faster', async () => {
    await open(options)
    const client = await RawClient.login(sim)
    const codes = [await code(client), await code(client), await code(client)]
    expect(codes).toEqual(['MCA00000', 'MCA00000', TOO_MANY])
  })

  test('the market’s, for a customer who lives in them', async () => {
    await open({ ...options, brokerTime: 'market' })
    const client = await RawClient.login(sim)
    for (let n = 0; n < 3; n++) {
      expect(await code(client)).toBe('MCA00000')
      // Two seconds of the market.
      await new Promise<void>((resolve) => sim.clock.after(2 * SECOND, resolve))
    }
  })
})
