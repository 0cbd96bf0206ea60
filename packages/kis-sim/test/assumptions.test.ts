import { once } from 'node:events'
import { afterEach, describe, expect, test } from 'vitest'
import { demoCredentials, NEW_CUSTOMER, type Sim, type SimOptions } from '../src/index.ts'
import { at, RawClient, stillSim, type RawSocket, type Row } from './client.ts'

/** What nobody outside the broker knows, each with every answer the simulator can give. */
const CODE = '005930'
const ME = demoCredentials(0)
const SECOND = 1_000
const MINUTE = 60 * SECOND
const NEVER: readonly [number, number] = [1e9, 1e9]

let sim: Sim
afterEach(() => sim.close())
async function open(assumptions: SimOptions['assumptions'], more: SimOptions = {}): Promise<RawClient> {
  sim = await stillSim({ ...(assumptions && { assumptions }), ...more })
  sim.setBase(CODE, 70_000)
  return RawClient.login(sim)
}
const odnoOf = async (reply: Promise<{ output: Row[] }>): Promise<string> => (await reply).output[0]?.['ODNO'] ?? ''

describe('callsPerSecond', () => {
  test.each([
    ['real', 3, 7],
    ['real', 18, 1],
    ['paper', 7, 1],
    ['paper', 18, 2],
  ] as const)('%s: %i real, %i paper', async (env, real, paper) => {
    const accounts = [{ credentials: ME, env }]
    sim = await stillSim({ limits: 'enforced', assumptions: { callsPerSecond: { real, paper } }, accounts })
    const client = await RawClient.login(sim, ME, env)
    const allowed = env === 'real' ? real : paper
    const codes = []
    for (let n = 0; n <= allowed; n++)
      codes.push((await client.call('price', { FID_COND_MRKT_DIV_CODE: 'J', FID_INPUT_ISCD: CODE })).msg_cd)
    expect(codes).toEqual([...Array.from({ length: allowed }, () => 'MCA00000'), 'EGW00201'])
  })
})

test('a new customer has three calls a second on the real host, as many as others on paper', async () => {
  sim = await stillSim({ limits: 'enforced', assumptions: NEW_CUSTOMER })
  const client = await RawClient.login(sim, ME)
  const codes = []
  for (let n = 0; n < 5; n++)
    codes.push((await client.call('price', { FID_COND_MRKT_DIV_CODE: 'J', FID_INPUT_ISCD: CODE })).msg_cd)
  expect(codes).toEqual(['MCA00000', 'MCA00000', 'MCA00000', 'EGW00201', 'EGW00201'])
  expect(NEW_CUSTOMER.callsPerSecond.paper).toBe(1)
})

test.each([
  [0, ['0', '0', '0', '0']],
  [1, ['0', '1', '1', '1']],
  [3, ['0', '0', '0', '1']],
])('ledgerCallsPerSecond %i', async (ledgerCallsPerSecond, expected) => {
  const client = await open({ ledgerCallsPerSecond }, { limits: 'enforced' })
  const found = []
  for (let n = 0; n < 4; n++) found.push((await client.balance()).rt_cd)
  expect(found).toEqual(expected)
})

test('tokenPauseMs 0', async () => {
  const client = await open({ tokenPauseMs: 0 }, { limits: 'enforced' })
  for (let n = 0; n < 3; n++) await expect(client.renew()).resolves.toBeUndefined()
})

test.each([1_000, 60_000, 107_000])('tokenPauseMs %i', async (tokenPauseMs) => {
  const client = await open({ tokenPauseMs }, { limits: 'enforced' })
  await sim.clock.advance(tokenPauseMs - 1)
  await expect(client.renew()).rejects.toThrow('access_token')
  await sim.clock.advance(1)
  await expect(client.renew()).resolves.toBeUndefined()
})

test.each([
  [true, 'EGW00123'],
  [false, 'MCA00000'],
])('olderTokenDies %s', async (olderTokenDies, code) => {
  const older = await open({ olderTokenDies })
  await sim.clock.advance(6 * 60 * MINUTE)
  await RawClient.login(sim)
  expect((await older.call('price', { FID_COND_MRKT_DIV_CODE: 'J', FID_INPUT_ISCD: CODE })).msg_cd).toBe(code)
})

const pings = (socket: RawSocket): string[] => socket.received.filter((text) => text.includes('PINGPONG'))

describe('pingPongMs and pongTimeoutMs', () => {
  test.each([
    [[5_000, 5_000], 12],
    [[20_000, 20_000], 3],
    [[60_000, 60_000], 1],
    [NEVER, 0],
  ] as const)('%j: so many in a minute', async (pingPongMs, expected) => {
    const client = await open({ pingPongMs })
    const socket = await client.socket()
    await sim.clock.advance(MINUTE)
    await socket.register('H0STCNT0', CODE)
    expect(pings(socket)).toHaveLength(expected)
  })

  test('a ping carries the market’s time, in 14 digits, and no body', async () => {
    const socket = await (await open({ pingPongMs: [5_000, 5_000] })).socket()
    await sim.clock.advance(5_000)
    await socket.register('H0STCNT0', CODE)
    expect(JSON.parse(pings(socket)[0] ?? '')).toEqual({ header: { tr_id: 'PINGPONG', datetime: '20261120100005' } })
  })

  test.each([30_000, 100_000])('an unanswered one ends the session after %i', async (pongTimeoutMs) => {
    const client = await open({ pingPongMs: [5_000, 5_000], pongTimeoutMs })
    const socket = await client.socket()
    const end = once(socket.ws, 'close')
    await sim.clock.advance(5_000 + pongTimeoutMs - 1)
    // A turn over REST: the close frame would be here by now. No frame goes to the socket, so nothing answers for it.
    await client.balance()
    expect(socket.ws.readyState).toBe(socket.ws.OPEN)
    await sim.clock.advance(1)
    expect(await end).toContain(1006)
  })
})

describe('keyInUse and socketReleaseMs', () => {
  test.each([
    ['refuse', 'OPSP8996', 1],
    ['displace', 'OPSP0000', 3],
  ] as const)('%s: the newcomer gets %s', async (keyInUse, code, firstState) => {
    const client = await open({ keyInUse })
    const [first, second] = [await client.socket(), await client.socket()]
    await first.register('H0STCNT0', CODE)
    const displaced = keyInUse === 'displace' ? once(first.ws, 'close') : null
    expect((await second.register('H0STCNT0', CODE)).body.msg_cd).toBe(code)
    await displaced
    expect(first.ws.readyState).toBe(firstState)
  })

  test.each([0, 3_000, 60_000])(
    'a key is free %i ms after its socket closed, and not before',
    async (socketReleaseMs) => {
      const client = await open({ socketReleaseMs, pingPongMs: NEVER })
      const [first, second] = [await client.socket(), await client.socket()]
      await first.register('H0STCNT0', CODE)
      const end = once(first.ws, 'close')
      sim.sockets('cut', ME.appKey)
      await end
      const early = []
      for (const wait of socketReleaseMs > 0 ? [0, socketReleaseMs - 1] : []) {
        await sim.clock.advance(wait)
        early.push((await second.register('H0STCNT0', CODE)).body.msg_cd)
      }
      expect(early).toEqual(early.map(() => 'OPSP8996'))
      await sim.clock.advance(socketReleaseMs > 0 ? 1 : 0)
      expect((await second.register('H0STCNT0', CODE)).body.msg_cd).toBe('OPSP0000')
    },
  )
})

test.each([
  [true, ['11', '13']],
  [false, ['11']],
])('expiryNotice %s', async (expiryNotice, expected) => {
  const start = at('15:29:00')
  const client = await open({ expiryNotice, pingPongMs: NEVER }, { hours: 'krx', clock: { mode: 'manual', start } })
  const socket = await client.socket()
  await socket.notices()
  await client.order({ count: 4, price: 69_000 })
  await sim.clock.advance(MINUTE)
  socket.ask('H0STCNT0', CODE)
  const found: Row[] = []
  for (let n = 0; n < expected.length; n++) found.push(await socket.notice())
  expect(await socket.take()).toContain('SUBSCRIBE SUCCESS')
  expect(found.map((n) => `${n['CNTG_YN']}${n['ACPT_YN']}`)).toEqual(expected)
  expect(sim.liveOrders(ME.accountNumber)).toEqual([])
})

test.each([
  ['both', ['100000', '100001'], true],
  ['time', ['100000', '100001'], false],
  ['volume', ['090000', '090000'], true],
] as const)('laterTicksShow %s', async (laterTicksShow, times, grows) => {
  const client = await open({ laterTicksShow, pingPongMs: NEVER })
  const socket = await client.socket()
  await socket.register('H0STCNT0', CODE)
  const found: Row[] = []
  for (const price of [70_000, 70_100]) {
    sim.setPrice(CODE, price)
    found.push(await socket.tick())
    await sim.clock.advance(SECOND)
  }
  expect(found.map((tick) => tick['STCK_CNTG_HOUR'])).toEqual(times)
  const [first = 0, second = 0] = found.map((tick) => Number(tick['ACML_VOL']))
  expect(second > first).toBe(grows)
})

describe('cancelOnOtherVenue', () => {
  test.each([
    ['refuse', 'KRX', 'NXT', '1'],
    ['refuse', 'SOR', 'KRX', '1'],
    ['refuse', 'NXT', 'NXT', '0'],
    ['accept', 'KRX', 'NXT', '0'],
    ['accept', 'SOR', 'KRX', '0'],
  ] as const)('%s: an order on %s, a cancellation on %s', async (cancelOnOtherVenue, venue, named, rt) => {
    const client = await open({ cancelOnOtherVenue })
    const odno = await odnoOf(client.order({ count: 1, price: 69_000, venue }))
    expect((await client.change(odno, { venue: named })).rt_cd).toBe(rt)
    expect(sim.liveOrders(ME.accountNumber)).toHaveLength(Number(rt))
  })
})

describe('oldIdsReachNxt', () => {
  test.each([
    [true, 'KRX', '0'],
    [true, 'NXT', '0'],
    [true, 'SOR', '0'],
    [false, 'KRX', '0'],
    [false, 'NXT', '1'],
    [false, 'SOR', '1'],
  ] as const)('%s: an order on %s', async (oldIdsReachNxt, venue, rt) => {
    const client = await open({ oldIdsReachNxt })
    const ORGN_ODNO = await odnoOf(client.order({ count: 1, price: 69_000, venue }))
    const cancel = { ORGN_ODNO, RVSE_CNCL_DVSN_CD: '02', ORD_QTY: '0', ORD_UNPR: '0', QTY_ALL_ORD_YN: 'Y' }
    expect((await client.call('orderRevise', cancel, { tr_id: 'TTTC0803U' })).rt_cd).toBe(rt)
  })
})

describe('sorAfterMarket', () => {
  test.each([
    [true, '41', '0'],
    [true, '44', '0'],
    [true, '47', '0'],
    [false, '41', '1'],
    [false, '44', '1'],
    [false, '47', '1'],
  ] as const)('%s: division %s', async (sorAfterMarket, division, rt) => {
    const clock = { mode: 'manual', start: at('16:00:00') } as const
    const client = await open({ sorAfterMarket }, { hours: 'krx', clock })
    const price = division === '41' ? 69_000 : 0
    expect((await client.order({ count: 1, price, division, venue: 'SOR' })).rt_cd).toBe(rt)
    expect((await client.order({ count: 1, price, division, venue: 'KRX' })).rt_cd).toBe('0')
  })
})

test.each([
  [true, [ME.accountNumber, '7700000101']],
  [false, [ME.accountNumber]],
])('noticeCoversOtherKeys %s', async (noticeCoversOtherKeys, expected) => {
  const client = await open({ noticeCoversOtherKeys, pingPongMs: NEVER })
  const second = { ...demoCredentials(9), accountNumber: '7700000101', htsId: ME.htsId }
  sim.addAccount({ credentials: second })
  const other = await RawClient.login(sim, second)
  const socket = await client.socket()
  await socket.notices()
  await client.order({ count: 1, price: 69_000 })
  await other.order({ count: 1, price: 69_000 })
  socket.ask('H0STCNT0', CODE)
  const found: Row[] = []
  for (let n = 0; n < expected.length; n++) found.push(await socket.notice())
  expect(await socket.take()).toContain('SUBSCRIBE SUCCESS')
  expect(found.map((notice) => notice['ACNT_NO'])).toEqual(expected)
})
