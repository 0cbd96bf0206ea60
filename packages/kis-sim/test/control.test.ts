import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { demoCredentials, type Sim } from '../src/index.ts'
import { at, RawClient, stillSim } from './client.ts'

const CODE = '005930'
const ME = demoCredentials(0)
const NUMBER = ME.accountNumber

let sim: Sim
beforeEach(async () => {
  sim = await stillSim()
})
afterEach(() => sim.close())

async function call(method: string, path: string, body?: object): Promise<{ status: number; body: unknown }> {
  const reply = await fetch(`${sim.url}/sim${path}`, { method, ...(body && { body: JSON.stringify(body) }) })
  return { status: reply.status, body: await reply.json() }
}
const read = async (path: string): Promise<unknown> => (await call('GET', path)).body
const change = async (path: string, body: object): Promise<void> => {
  expect((await call('POST', path, body)).status).toBe(200)
}

describe('time', () => {
  const Now = z.looseObject({ now: z.number(), speed: z.number(), moving: z.boolean() })
  const time = async (): Promise<z.infer<typeof Now>> => Now.parse(await read(''))
  const START = at('10:00:00')

  test('stands, moves by so much, steps from timer to timer', async () => {
    expect(await time()).toMatchObject({ now: START, speed: 1, moving: false })
    expect((await call('POST', '/time', { advance: 1_500 })).body).toEqual({ now: START + 1_500 })
    sim.interrupt(CODE, 5_000)
    expect((await call('POST', '/time', { step: true })).body).toEqual({ ran: true, now: START + 6_500 })
    expect((await time()).now).toBe(START + 6_500)
  })

  test('moves by itself at a speed, is refused a push meanwhile, and stops where it is', async () => {
    await change('/time', { resume: { speed: 50 } })
    expect(await time()).toMatchObject({ speed: 50, moving: true })
    expect((await call('POST', '/time', { advance: 1 })).status).toBe(400)
    await new Promise<void>((resolve) => sim.clock.after(1_000, resolve))
    await change('/time', { pause: true })
    const stood = await time()
    expect(stood).toMatchObject({ speed: 1, moving: false })
    expect(stood.now).toBeGreaterThanOrEqual(START + 1_000)
    expect((await call('POST', '/time', { advance: 1 })).body).toEqual({ now: stood.now + 1 })
  })

  test.each<object>([{}, { advance: -1 }, { resume: { speed: 0 } }, { advance: 'soon' }])(
    '%j is refused',
    async (body) => {
      expect((await call('POST', '/time', body)).status).toBe(400)
      expect((await time()).now).toBe(START)
    },
  )

  test('a leap over days runs every edge on the way', async () => {
    await sim.close()
    sim = await stillSim({ hours: 'krx' })
    await (await RawClient.login(sim)).order({ count: 1, price: 150_000 })
    await change('/time', { advance: 3 * 86_400_000 })
    expect(await read(`/orders?account=${NUMBER}&live=1`)).toEqual([])
    expect(await read(`/events?account=${NUMBER}`)).toMatchObject([
      { kind: 'opened' },
      { kind: 'accepted' },
      { kind: 'reduced', why: 'expired', at: at('15:30:00') },
    ])
  })
})

describe('the market', () => {
  test('a price, on one venue or both, and its prices', async () => {
    await change('/price', { code: CODE, price: 158_000 })
    await change('/price', { code: CODE, price: 158_100, venue: 'NXT', count: 3, aggressor: 'sell' })
    expect(await read(`/price?code=${CODE}`)).toEqual({ price: 158_100 })
    expect(await read('/prices')).toMatchObject({ [CODE]: 158_100 })
    expect(await read('/limits')).toMatchObject({ [CODE]: sim.broker.exchange.issue(CODE).limits })
    const client = await RawClient.login(sim)
    const on = async (venue: string): Promise<string | undefined> =>
      (await client.call('price', { FID_COND_MRKT_DIV_CODE: venue, FID_INPUT_ISCD: CODE })).output[0]?.['stck_prpr']
    expect([await on('J'), await on('NX'), await on('UN')]).toEqual(['158000', '158100', '158100'])
  })

  test.each<[string, string, object]>([
    ['above the limit', '/price', { code: CODE, price: 999_999 }],
    ['half a won', '/price', { code: CODE, price: 158_000.5 }],
    ['of an unknown stock', '/price', { code: '999999', price: 1_000 }],
    ['on a third venue', '/price', { code: CODE, price: 158_000, venue: 'SOR' }],
    ['a halt of an unknown stock', '/halt', { code: '999999', halted: true }],
    ['a designation of its own', '/warning', { code: CODE, as: 'dubious' }],
    ['a base of text', '/base', { code: CODE, base: 'x' }],
  ])('%s: refused with a reason, and nothing moves', async (_name, path, body) => {
    const reply = await call('POST', path, body)
    expect([reply.status, z.object({ message: z.string().min(5) }).safeParse(reply.body).success]).toEqual([400, true])
    expect(await read(`/price?code=${CODE}`)).toEqual({ price: 158_600 })
  })

  test('a base moves the limits, a halt stops orders until it ends, an interruption collects them', async () => {
    const client = await RawClient.login(sim)
    await change('/base', { code: CODE, base: 10_000 })
    expect((await client.order({ count: 1, price: 13_010 })).msg1).toContain('상/하한가')
    await change('/halt', { code: CODE, halted: true })
    expect((await client.order({ count: 1, price: 10_000 })).msg1).toContain('거래정지')
    await change('/halt', { code: CODE, halted: false })
    await change('/warning', { code: CODE, as: 'risk' })
    expect(sim.broker.exchange.issue(CODE).status.code).toBe('52')
    await change('/warning', { code: CODE, as: null })
    await change('/interrupt', { code: CODE, ms: 1_000 })
    expect((await client.order({ count: 1, price: 10_000 })).rt_cd).toBe('0')
    expect(await read(`/orders?account=${NUMBER}&live=1`)).toMatchObject([{ remaining: 1 }])
    await change('/time', { advance: 1_000 })
    expect(await read(`/orders?account=${NUMBER}&live=1`)).toEqual([])
  })
})

describe('accounts', () => {
  test('are listed, opened, filled with cash and shares, and traded behind their owner’s back', async () => {
    const credentials = { appKey: 'k'.repeat(36), appSecret: 's'.repeat(180), accountNumber: '1234567801', htsId: 'me' }
    await change('/accounts', { credentials, cash: 5_000_000 })
    expect(await read('/accounts')).toMatchObject([{}, {}, { credentials, cash: 5_000_000 }])
    const client = await RawClient.login(sim, credentials)
    await change('/cash', { account: '1234567801', won: 1_000_000 })
    await change('/holdings', { account: '1234567801', code: CODE, count: 7, averagePrice: 100_000.5 })
    await change('/outside', { account: '1234567801', code: CODE, side: 'sell', count: 2, price: 158_600 })
    expect(await read('/holdings?account=1234567801')).toMatchObject([
      { code: CODE, count: 5, averagePrice: 100_000.5 },
    ])
    const settled = 1_000_000 + 317_200 - 47 - 634
    expect(await read('/cash?account=1234567801')).toEqual({ deposit: 1_000_000, settled, orderable: settled })
    expect((await client.balance()).output1).toMatchObject([{ pdno: CODE, hldg_qty: '5', thdt_sll_qty: '2' }])
    expect((await client.executions()).output1).toMatchObject([{ tot_ccld_qty: '2', sll_buy_dvsn_cd: '01' }])
  })

  test.each(['/orders', '/events?account=12', '/cash?account=0000000000', '/holdings'])(
    '%s is refused',
    async (path) => {
      expect((await call('GET', path)).status).toBe(400)
    },
  )
})

test('sockets, tokens and a restart of the broker', async () => {
  const client = await RawClient.login(sim)
  const socket = await client.socket()
  await socket.register('H0STCNT0', CODE)
  await change('/price', { code: CODE, price: 158_000 })
  const frames = `/frames?appkey=${ME.appKey}`
  expect(await read(frames)).toEqual({ sent: 2, registered: [`H0STCNT0 ${CODE}`] })
  const token = client.headers['authorization']?.split(' ')[1]
  expect(await read('/keys')).toEqual({ tokens: [token], approvals: [expect.stringMatching(/^[\da-f-]{36}$/)] })
  const gone = new Promise((resolve) => socket.ws.once('close', resolve))
  await change('/sockets', { what: 'cut', appKey: ME.appKey })
  expect(await gone).toBe(1006)
  expect(await read(frames)).toEqual({ sent: 2, registered: [] })
  await change('/tokens/expire', { appKey: demoCredentials(1).appKey })
  expect((await client.balance()).rt_cd).toBe('0')
  await change('/tokens/expire', {})
  expect((await client.balance()).msg_cd).toBe('EGW00123')
  await client.renew()
  await change('/restart', {})
  expect((await client.balance()).msg_cd).toBe('EGW00121')
  expect(await read('/calls')).toEqual({ balance: 1 })
})

test('only this machine may steer: no page of a browser, no other name for the host', async () => {
  const status = async (headers: Record<string, string>): Promise<number | undefined> => {
    const asked = request(`${sim.url}/sim/prices`, { headers })
    asked.end()
    const [reply]: IncomingMessage[] = await once(asked, 'response')
    reply?.resume()
    return reply?.statusCode
  }
  expect(await status({ origin: sim.url })).toBe(403)
  expect(await status({ host: 'rebound.example' })).toBe(403)
  expect(await status({ host: `localhost:${sim.port}` })).toBe(200)
})
