import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { demoCredentials, startSim, type Sim } from '../src/index.ts'
import { RawClient, stillSim, type Row } from './client.ts'

const CODE = { FID_COND_MRKT_DIV_CODE: 'J', FID_INPUT_ISCD: '005930' }
const ME = demoCredentials(0)
const PAPER = demoCredentials(30)

let sim: Sim
beforeEach(async () => {
  sim = await stillSim({ limits: 'enforced', accounts: [{ credentials: ME }, { credentials: PAPER, env: 'paper' }] })
})
afterEach(() => sim.close())

const post = async (path: string, body: object): Promise<{ status: number; body: unknown }> => {
  const reply = await fetch(`${sim.url}${path}`, { method: 'POST', body: JSON.stringify(body) })
  return { status: reply.status, body: await reply.json() }
}

const tokenOf = ({ body }: { body: unknown }): string => z.object({ access_token: z.string() }).parse(body).access_token

describe('tokens', () => {
  const ask = { grant_type: 'client_credentials', appkey: ME.appKey, appsecret: ME.appSecret }

  test('one a minute; the same one for six hours; a day of life', async () => {
    const first = await post('/oauth2/tokenP', ask)
    expect(first).toMatchObject({
      status: 200,
      body: { token_type: 'Bearer', expires_in: 86_400, access_token_token_expired: '2026-11-21 10:00:00' },
    })
    const tooSoon = {
      status: 403,
      body: { error_code: 'EGW00133', error_description: '접근토큰 발급 잠시 후 다시 시도하세요(1분당 1회)' },
    }
    expect(await post('/oauth2/tokenP', ask)).toEqual(tooSoon)
    await sim.clock.advance(60_000)
    const again = await post('/oauth2/tokenP', ask)
    expect(again.body).toMatchObject({ access_token: tokenOf(first) })
    await sim.clock.advance(6 * 3_600_000)
    const later = await post('/oauth2/tokenP', ask)
    expect(later.body).not.toMatchObject({ access_token: tokenOf(first) })
  })

  test('a newer token ends the older one; a day ends any', async () => {
    const old = await RawClient.login(sim)
    await sim.clock.advance(7 * 3_600_000)
    const newer = await RawClient.login(sim)
    expect(await old.call('price', CODE)).toMatchObject({ status: 500, msg_cd: 'EGW00123' })
    expect((await newer.call('price', CODE)).rt_cd).toBe('0')
    await sim.clock.advance(24 * 3_600_000)
    expect((await newer.call('price', CODE)).msg_cd).toBe('EGW00123')
  })

  test.each([
    ['an unknown key', { appkey: 'nobody' }, 'EGW00103'],
    ['a wrong secret', { appsecret: 'wrong' }, 'EGW00105'],
  ])('%s gets none', async (_name, wrong, code) => {
    expect(await post('/oauth2/tokenP', { ...ask, ...wrong })).toMatchObject({
      status: 403,
      body: { error_code: code },
    })
  })

  test('a revoked token is dead', async () => {
    const client = await RawClient.login(sim)
    const token = client.headers['authorization']?.slice('Bearer '.length)
    const { grant_type: _grant, ...keys } = ask
    expect((await post('/oauth2/revokeP', { ...keys, token })).body).toEqual({
      code: 200,
      message: '접근토큰 폐기에 성공하였습니다',
    })
    expect((await client.call('price', CODE)).msg_cd).toBe('EGW00123')
  })
})

describe('limits', () => {
  test.each([
    ['real', ME, 18],
    ['paper', PAPER, 1],
  ] as const)('%s takes so many calls a second', async (env, credentials, limit) => {
    const client = await RawClient.login(sim, credentials, env)
    const replies = await Promise.all(Array.from({ length: limit + 3 }, () => client.call('price', CODE)))
    expect(replies.filter(({ rt_cd }) => rt_cd === '0')).toHaveLength(limit)
    expect(replies.filter(({ status, msg_cd }) => status === 500 && msg_cd === 'EGW00201')).toHaveLength(3)
    await sim.clock.advance(1_000)
    expect((await client.call('price', CODE)).rt_cd).toBe('0')
  })

  test('a call too many is refused as measured: its code stands there twice', async () => {
    const client = await RawClient.login(sim, PAPER, 'paper')
    await client.call('price', CODE)
    const { status, rt_cd, msg_cd, msg1, message } = await client.call('price', CODE)
    expect({ status, rt_cd, msg_cd, msg1, message }).toEqual({
      status: 500,
      rt_cd: '1',
      msg_cd: 'EGW00201',
      msg1: '초당 거래건수를 초과하였습니다.',
      message: 'EGW00201',
    })
  })

  test('a new customer has three calls a second', async () => {
    await sim.close()
    sim = await stillSim({ limits: 'enforced', assumptions: { callsPerSecond: { real: 3, paper: 1 } } })
    const client = await RawClient.login(sim)
    const codes = []
    for (let n = 0; n < 4; n++) codes.push((await client.call('price', CODE)).msg_cd)
    expect(codes).toEqual(['MCA00000', 'MCA00000', 'MCA00000', 'EGW00201'])
  })

  test('the ledger may have a limit of its own', async () => {
    await sim.close()
    sim = await stillSim({ limits: 'enforced', assumptions: { ledgerCallsPerSecond: 1 } })
    const client = await RawClient.login(sim)
    await client.balance()
    expect(await client.balance()).toMatchObject({ status: 500, msg_cd: 'EGW00215' })
    expect((await client.call('price', CODE)).rt_cd).toBe('0')
  })
})

describe('the wrong door', () => {
  test.each<[string, 'real' | 'paper', Row, Row, { status: number; msg_cd: string }]>([
    ['a paper id with a real key', 'real', { tr_id: 'VTTC8434R' }, {}, { status: 500, msg_cd: 'EGW02007' }],
    ['a real id with a paper key', 'paper', { tr_id: 'TTTC8434R' }, {}, { status: 500, msg_cd: 'EGW02006' }],
    ['an invented id', 'paper', { tr_id: 'VTTC9999R' }, {}, { status: 500, msg_cd: 'OPSQ0002' }],
    ['no token', 'real', { authorization: 'Bearer x' }, {}, { status: 500, msg_cd: 'EGW00121' }],
    ['another secret', 'real', { appsecret: 'x' }, {}, { status: 500, msg_cd: 'EGW00105' }],
    ['another account', 'real', {}, { CANO: '99999999' }, { status: 200, msg_cd: 'OPSQ2000' }],
  ])('%s', async (_name, env, headers, fields, expected) => {
    const client = await RawClient.login(sim, env === 'real' ? ME : PAPER, env)
    expect(await client.call('balance', fields, headers)).toMatchObject(expected)
  })

  test('an order for another account', async () => {
    const client = await RawClient.login(sim)
    const order = { CANO: '99999999', PDNO: '005930', ORD_DVSN: '00', ORD_QTY: '1', ORD_UNPR: '158600' }
    expect(await client.call('orderBuy', order)).toMatchObject({ rt_cd: '2', msg_cd: 'IGW00002' })
  })

  test('old ids still work, on KRX alone', async () => {
    const client = await RawClient.login(sim)
    const order = { PDNO: '005930', ORD_DVSN: '00', ORD_QTY: '1', ORD_UNPR: '150000', EXCG_ID_DVSN_CD: 'NXT' }
    expect((await client.call('orderBuy', order, { tr_id: 'TTTC0802U' })).rt_cd).toBe('0')
    expect(sim.orders(ME.accountNumber)[0]?.venue).toBe('KRX')
  })

  test('paper answers in its own codes', async () => {
    await sim.close()
    sim = await stillSim({ accounts: [{ credentials: PAPER, env: 'paper' }] })
    const client = await RawClient.login(sim, PAPER, 'paper')
    expect(await client.order({ count: 1, price: 158_600 })).toMatchObject({
      msg_cd: '40600000',
      output: [{ KRX_FWDG_ORD_ORGNO: '00950' }],
    })
    expect(await client.order({ side: 'sell', count: 1, price: 158_600 })).toMatchObject({ msg_cd: '40590000' })
    expect(await client.order({ count: 1, price: 158_600, division: '06' })).toMatchObject({ msg_cd: '40970000' })
    expect(await client.order({ side: 'sell', count: 1, price: 158_600 })).toMatchObject({ msg_cd: '40240000' })
    expect((await client.balance()).msg_cd).toBe('20310000')
  })
})

describe('the market a quotation is about', () => {
  test.each<[string, Row, string]>([
    ['KRX', { FID_COND_MRKT_DIV_CODE: 'J' }, 'MCA00000'],
    ['NXT', { FID_COND_MRKT_DIV_CODE: 'NX' }, 'MCA00000'],
    ['both', { FID_COND_MRKT_DIV_CODE: 'UN' }, 'MCA00000'],
    ['in a lower-case name', { fid_cond_mrkt_div_code: 'J' }, 'MCA00000'],
    ['unknown', { FID_COND_MRKT_DIV_CODE: 'ZZ' }, 'OPSQ2001'],
    ['a name of this language', { FID_COND_MRKT_DIV_CODE: 'constructor' }, 'OPSQ2001'],
    ['empty', { FID_COND_MRKT_DIV_CODE: '' }, 'OPSQ2001'],
    ['missing', {}, 'OPSQ2001'],
  ])('%s', async (_name, market, code) => {
    const client = await RawClient.login(sim)
    for (const name of ['price', 'orderBook', 'dayChart', 'minuteChart'] as const)
      expect([name, (await client.call(name, { FID_INPUT_ISCD: '005930', ...market })).msg_cd]).toEqual([name, code])
  })

  test('warrants may be asked for, but none is listed', async () => {
    const client = await RawClient.login(sim)
    const { rt_cd, output } = await client.call('price', { ...CODE, FID_COND_MRKT_DIV_CODE: 'W' })
    expect([rt_cd, output[0]?.['stck_prpr']]).toEqual(['0', '0'])
  })
})

test('a port in use is refused', async () => {
  await expect(startSim({ port: sim.port })).rejects.toThrow('EADDRINUSE')
})

const control = async (
  method: string,
  path: string,
  body?: object,
  headers: Row = {},
): Promise<{ status: number; body: unknown }> => {
  const reply = await fetch(`${sim.url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  return { status: reply.status, body: await reply.json() }
}

describe('the control port', () => {
  test('does from outside what tests do from inside', async () => {
    await control('POST', '/sim/price', { code: '005930', price: 158_000 })
    expect((await control('GET', '/sim/price?code=005930')).body).toEqual({ price: 158_000 })
    const before = sim.clock.now()
    expect((await control('POST', '/sim/time', { advance: 5_000 })).body).toEqual({ now: before + 5_000 })
    await control('POST', '/sim/outside', {
      account: ME.accountNumber,
      code: '005930',
      side: 'buy',
      count: 2,
      price: 158_000,
    })
    expect((await control('GET', `/sim/holdings?account=${ME.accountNumber}`)).body).toMatchObject([
      { code: '005930', count: 2 },
    ])
    expect((await control('GET', `/sim/events?account=${ME.accountNumber}`)).body).toMatchObject([
      { kind: 'opened' },
      { kind: 'accepted' },
      { kind: 'filled' },
    ])
    await control('POST', '/sim/faults', { kind: 'code', code: 'EGW00002', endpoint: 'price', times: 1 })
    const client = await RawClient.login(sim)
    expect((await client.call('price', CODE)).msg_cd).toBe('EGW00002')
    expect((await control('GET', '/sim/faults')).body).toEqual({ armed: [], counts: { code: 1 } })
  })

  test.each<[string, string, object, number, string]>([
    ['a price off the limits', '/sim/price', { code: '005930', price: 1 }, 400, 'setBase'],
    ['an unknown fault', '/sim/faults', { kind: 'gremlins' }, 400, 'kind'],
    ['an unknown path', '/sim/nothing', {}, 404, '/sim/faults'],
  ])('%s is explained', async (_name, path, body, status, message) => {
    const reply = await control('POST', path, body)
    expect(reply.status).toBe(status)
    expect(JSON.stringify(reply.body)).toContain(message)
  })

  test('is closed to web pages', async () => {
    expect((await control('POST', '/sim/restart', {}, { origin: 'https://example.com' })).status).toBe(403)
  })
})

test.each([
  ['GET', '/uapi/domestic-stock/v1/quotations/inquire-member'],
  ['POST', '/uapi/domestic-stock/v1/trading/order-credit'],
  ['POST', '/uapi/domestic-stock/v1/quotations/inquire-price'],
  ['GET', '/oauth2/tokenP'],
  ['GET', '/nothing'],
])('%s %s is not imitated, and the answer says so', async (method, path) => {
  const reply = await fetch(`${sim.url}${path}`, { method })
  expect([reply.status, await reply.json()]).toEqual([
    404,
    { rt_cd: '1', msg_cd: 'EGW00203', msg1: `pretend KIS does not imitate ${method} ${path}` },
  ])
})

test('nonsense is answered, not died of', async () => {
  for (const path of ['//', '/%', '/sim/price?code=%E0%A4%A', '/uapi/nothing']) {
    const reply = await fetch(`${sim.url}${path}`, { method: 'POST', body: '{' })
    expect(reply.status).toBeGreaterThanOrEqual(400)
  }
  expect((await RawClient.login(sim)).headers['authorization']).toMatch(/^Bearer ey/)
})
