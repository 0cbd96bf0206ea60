import { afterEach, describe, expect, test } from 'vitest'
import { demoCredentials, type Sim, type SimOptions } from '../src/index.ts'
import { at, RawClient, stillSim, type OrderText } from './client.ts'

const CODE = '005930'
const ME = demoCredentials(0)
const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

let sim: Sim
afterEach(() => sim.close())

/** A market at an instant of a Friday unless said otherwise, with shares to sell. */
async function open(time: string, day?: string, options: SimOptions = {}): Promise<RawClient> {
  sim = await stillSim({ hours: 'krx', clock: { mode: 'manual', start: at(time, day) }, ...options })
  sim.setBase(CODE, 70_000)
  sim.setHolding(ME.accountNumber, CODE, 100, 60_000)
  return RawClient.login(sim)
}

const DIVISIONS = ['00', '01', '02', '03', '04', '05', '06', '11', '12', '13', '14', '15', '16', '21', '22', '23', '24']
const EVENING = ['27', '28', '29', '41', '42', '43', '44', '45', '46', '47']
const WITHOUT_PRICE = new Set(['01', '03', '04', '05', '06', '13', '14', '15', '16', '21', '23', '24', '28', '29'])

/** Which divisions a venue takes now, by trying each with one share. */
async function taken(client: RawClient, venue: string): Promise<string> {
  const found = []
  for (const division of [...DIVISIONS, ...EVENING]) {
    const price = WITHOUT_PRICE.has(division) ? 0 : 69_000
    const order = { PDNO: CODE, ORD_DVSN: division, ORD_QTY: '1', ORD_UNPR: String(price), CNDT_PRIC: '71000' }
    const reply = await client.call('orderBuy', { ...order, EXCG_ID_DVSN_CD: venue })
    if (reply.rt_cd === '0') found.push(division)
  }
  return found.join(' ')
}

const CONTINUOUS = '00 01 02 03 04 11 12 13 14 15 16 21 22 23 24'
const NXT_MAIN = '00 03 04 11 12 13 14 15 16 21 22 23 24'
const NXT_QUIET = '00 03 04 11 12 15 16'
const AFTER = '41 42 43 44 45 46 47'

describe('what each venue takes, to the second', () => {
  test.each<[string, string, string]>([
    ['07:59:59', '', ''],
    ['08:00:00', '', `${NXT_QUIET} 27 28 29`],
    ['08:19:59', '', `${NXT_QUIET} 27 28 29`],
    ['08:20:00', '00 01 02', `${NXT_QUIET} 27 28 29`],
    ['08:29:59', '00 01 02', `${NXT_QUIET} 27 28 29`],
    ['08:30:00', '00 01 02 05', `${NXT_QUIET} 27 28 29`],
    ['08:39:59', '00 01 02 05', `${NXT_QUIET} 27 28 29`],
    ['08:40:00', '00 01 02', `${NXT_QUIET} 27 28 29`],
    ['08:50:00', '00 01 02', ''],
    ['08:59:59', '00 01 02', ''],
    ['09:00:00', CONTINUOUS, ''],
    ['09:00:30', CONTINUOUS, NXT_MAIN],
    ['15:19:59', CONTINUOUS, NXT_MAIN],
    ['15:20:00', '00 01', ''],
    ['15:29:59', '00 01', ''],
    ['15:30:00', '06', '00'],
    ['15:39:59', '06', '00'],
    ['15:40:00', '06', NXT_QUIET],
    ['15:59:59', '06', NXT_QUIET],
    ['16:00:00', AFTER, NXT_QUIET],
    ['19:59:59', AFTER, NXT_QUIET],
    ['20:00:00', '', ''],
  ])('at %s: KRX %s, NXT %s', async (time, krx, nxt) => {
    const client = await open(time)
    expect(await taken(client, 'KRX')).toBe(krx)
    expect(await taken(client, 'NXT')).toBe(nxt)
  })

  test.each([
    ['a Saturday', '2026-11-21'],
    ['a Sunday', '2026-11-22'],
    ['a closed weekday', '2026-12-25'],
  ])('%s takes nothing, and says so', async (_name, day) => {
    const client = await open('10:00:00', day, { calendar: { closed: ['20261225'] } })
    expect(await taken(client, 'KRX')).toBe('')
    expect((await client.order({ count: 1, price: 70_000 })).msg_cd).toBe('APBK0919')
  })

  test('before the after-market opened, the auction began at 08:30 and the evening was NXT’s', async () => {
    const client = await open('08:25:00', '2026-09-11')
    expect(await taken(client, 'KRX')).toBe('')
    await sim.clock.advance(8 * 60 * MINUTE)
    expect(await taken(client, 'KRX')).toBe('')
    expect(await taken(client, 'NXT')).toBe(NXT_QUIET)
  })

  test.each<[string, string]>([
    ['09:59:59', '00 01 02'],
    ['10:00:00', CONTINUOUS],
    ['16:19:59', CONTINUOUS],
    ['16:20:00', '00 01'],
    ['16:30:00', '06'],
    ['17:00:00', AFTER],
    ['19:59:59', AFTER],
    ['20:00:00', ''],
  ])('on a day that begins an hour later, at %s: KRX %s', async (time, krx) => {
    expect(await taken(await open(time, '2026-11-19'), 'KRX')).toBe(krx)
  })
})

const fills = (): string[] =>
  sim
    .trueEvents(ME.accountNumber)
    .flatMap((f) => (f.kind === 'filled' ? [`${f.venue} ${f.side} ${f.count}@${f.price}`] : []))

describe('off-hours orders at a known price', () => {
  test('before the open they trade at the previous close', async () => {
    const client = await open('08:35:00')
    expect((await client.order({ count: 3, division: '05' })).rt_cd).toBe('0')
    expect((await client.order({ side: 'sell', count: 2, division: '05' })).rt_cd).toBe('0')
    expect(fills()).toEqual(['KRX buy 3@70000', 'KRX sell 2@70000'])
  })

  test.each(['NXT', 'SOR'])('%s has none', async (venue) => {
    const client = await open('08:35:00')
    expect((await client.order({ count: 1, division: '05', venue })).rt_cd).toBe('1')
    expect(fills()).toEqual([])
  })

  test('after the close they collect until 15:40 and trade at the close; a cancelled one does not', async () => {
    const client = await open('15:10:00')
    sim.setPrice(CODE, 70_400)
    await sim.clock.advance(25 * MINUTE)
    const { output } = await client.order({ count: 1, division: '06' })
    await client.order({ count: 2, division: '06' })
    await client.change(output[0]?.['ODNO'] ?? '')
    await sim.clock.advance(5 * MINUTE - 1)
    expect(fills()).toEqual([])
    await sim.clock.advance(1)
    expect(fills()).toEqual(['KRX buy 2@70400'])
  })

  test('on a day that begins later they trade later', async () => {
    const client = await open('16:35:00', '2026-11-19', {})
    await client.order({ count: 2, division: '06' })
    expect(fills()).toEqual([])
    await sim.clock.advance(5 * MINUTE)
    expect(fills()).toEqual(['KRX buy 2@70000'])
  })
})

const live = (): string[] => sim.liveOrders(ME.accountNumber).map(({ venue, division }) => `${venue} ${division}`)

describe('how a day ends', () => {
  test('each order dies with its session, and no notice says so', async () => {
    const client = await open('08:10:00', undefined, { assumptions: { pingPongMs: [DAY, DAY] } })
    const socket = await client.socket()
    await socket.notices()
    await client.order({ count: 1, price: 69_000, venue: 'NXT' })
    await client.order({ count: 1, price: 69_000, venue: 'NXT', division: '27' })
    await sim.clock.advance(20 * MINUTE)
    await client.order({ count: 1, price: 69_000 })
    await sim.clock.advance(19 * MINUTE + 59_999)
    expect(live()).toEqual(['NXT 00', 'NXT 27', 'KRX 00'])
    await sim.clock.advance(1)
    expect(live()).toEqual(['NXT 00', 'KRX 00'])
    await sim.clock.advance(400 * MINUTE)
    expect(live()).toEqual(['NXT 00'])
    await sim.clock.advance(40 * MINUTE)
    await client.order({ count: 1, price: 69_000, division: '41' })
    await sim.clock.advance(230 * MINUTE - 1)
    expect(live()).toEqual(['NXT 00', 'KRX 41'])
    await sim.clock.advance(1)
    expect(live()).toEqual([])
    const receipts = [await socket.notice(), await socket.notice(), await socket.notice(), await socket.notice()]
    expect(receipts.map((n) => `${n['CNTG_YN']}${n['ACPT_YN']}`)).toEqual(['11', '11', '11', '11'])
    socket.ask('H0STCNT0', CODE)
    expect(await socket.take()).toContain('SUBSCRIBE SUCCESS')
  })

  test('the close becomes the base, limits and counters start over', async () => {
    const client = await open('15:00:00')
    await client.order({ count: 10, price: 72_000 })
    sim.setPrice(CODE, 71_500, { count: 5 })
    await sim.clock.advance(3 * DAY)
    await client.renew()
    const { output } = await client.call('price', { FID_COND_MRKT_DIV_CODE: 'J', FID_INPUT_ISCD: CODE })
    expect(output[0]).toMatchObject({ stck_sdpr: '71500', acml_vol: '0', stck_oprc: '0', stck_mxpr: '92900' })
    expect(output[0]).toMatchObject({ stck_prpr: '71500', prdy_vrss: '0', prdy_vrss_sign: '3', stck_llam: '50100' })
  })
})

describe('auctions', () => {
  test.each<[string, OrderText[], string[]]>([
    [
      'the opening price is given to all who meet it, market orders first',
      [
        { count: 1, price: 72_000 },
        { count: 2, division: '01' },
      ],
      ['2@70000', '1@70000'],
    ],
    ['a limit below it waits', [{ count: 1, price: 69_900 }], []],
    [
      'a sale above it waits, one at it trades',
      [
        { side: 'sell', count: 1, price: 70_100 },
        { side: 'sell', count: 2, price: 70_000 },
      ],
      ['2@70000'],
    ],
  ])('%s', async (_name, orders, expected) => {
    const client = await open('08:55:00')
    for (const order of orders) expect((await client.order(order)).rt_cd).toBe('0')
    expect(fills()).toEqual([])
    await sim.clock.advance(5 * MINUTE)
    expect(fills().map((line) => line.split(' ')[2])).toEqual(expected)
  })

  test('an interruption at the close does not outlive the day', async () => {
    const client = await open('15:19:00')
    sim.interrupt(CODE, 10 * MINUTE)
    await client.order({ count: 1, price: 70_000 })
    await sim.clock.advance(12 * MINUTE)
    expect(fills()).toEqual(['KRX buy 1@70000'])
    expect((await client.call('viStatus', { FID_INPUT_ISCD: '' })).output).toEqual([])
  })

  test('a halted stock sits its auction out', async () => {
    const client = await open('08:55:00')
    await client.order({ count: 1, price: 70_000 })
    sim.setHalted(CODE, true)
    await sim.clock.advance(10 * MINUTE)
    expect(fills()).toEqual([])
    expect(sim.liveOrders(ME.accountNumber)).toHaveLength(1)
  })
})
