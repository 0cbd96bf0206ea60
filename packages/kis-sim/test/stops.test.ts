import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { demoCredentials, type Sim, type SimOptions } from '../src/index.ts'
import { at, RawClient, stillSim, type OrderText } from './client.ts'

/** Halts, circuit breakers, and issues that trade every half hour: what is refused, what collects, at which price it goes on. */
const CODE = '005930'
const KOSDAQ_CODE = '247540'
const ME = demoCredentials(0)
const MINUTE = 60_000
const QUIET = { pingPongMs: [1e9, 1e9] } as const
const market = { FID_COND_MRKT_DIV_CODE: 'J', FID_INPUT_ISCD: CODE }

let sim: Sim
afterEach(() => sim.close())

async function open(time: string, more: SimOptions = {}): Promise<RawClient> {
  const clock = { mode: 'manual', start: at(time) } as const
  sim = await stillSim({ hours: 'krx', clock, ...more, assumptions: { ...QUIET, ...more.assumptions } })
  sim.setHolding(ME.accountNumber, CODE, 100, 150_000)
  return RawClient.login(sim)
}
const goTo = (time: string): Promise<void> => sim.clock.advance(at(time) - sim.clock.now())
const volumeOf = (code: string): number => sim.broker.exchange.issue(code).tapes.KRX.volume
const fills = (): string[] =>
  sim
    .trueEvents(ME.accountNumber)
    .flatMap((f) => (f.kind === 'filled' ? [`${f.venue} ${f.side} ${f.count}@${f.price}`] : []))
const answer = async (client: RawClient, order: Partial<OrderText> = {}): Promise<string> => {
  const { rt_cd, msg_cd, msg1 } = await client.order({ count: 1, price: 158_600, ...order })
  return rt_cd === '0' ? 'taken' : `${msg_cd} ${msg1.trim()}`
}

describe('a halt of an issue', () => {
  const halt = { kind: 'halted', code: CODE, from: at('11:00:00'), until: at('14:00:00') } as const
  const HALTED = 'APBK0918 매매거래정지 종목으로 주문이 불가합니다.'

  test('refuses both venues, shows in every field, and opens again by one price', async () => {
    const client = await open('10:59:00', { happenings: [halt] })
    const before = (await client.order({ count: 2, price: 157_000 })).output[0]?.['ODNO'] ?? ''
    const socket = await client.socket()
    await socket.register('H0STMKO0', CODE)
    await goTo('11:00:00')
    expect((await socket.frame()).values.slice(0, 8)).toMatchObject([CODE, 'Y', '', '164', '', '', '', '58'])
    for (const venue of ['KRX', 'NXT', 'SOR']) expect(await answer(client, { venue })).toBe(HALTED)
    expect((await client.call('price', market)).output[0]).toMatchObject({
      iscd_stat_cls_code: '58',
      temp_stop_yn: 'Y',
    })
    expect((await client.call('price2', market)).output[0]).toMatchObject({ trht_yn: 'Y' })
    const info = (await client.call('stockInfo', { PRDT_TYPE_CD: '300', PDNO: CODE })).output[0]
    expect(info).toMatchObject({ tr_stop_yn: 'Y', nxt_tr_stop_yn: 'Y' })
    expect((await client.change(before, { price: 157_100 })).msg1).toContain('거래정지')
    expect((await client.change(before)).rt_cd).toBe('0')

    await goTo('14:00:00')
    expect((await client.call('price', market)).output[0]).toMatchObject({
      iscd_stat_cls_code: '55',
      temp_stop_yn: 'N',
    })
    expect(await answer(client, { division: '03', price: 0 })).toContain('[단일가매매]')
    expect(await answer(client, { price: 160_000 })).toBe('taken')
    expect(await answer(client, { side: 'sell', price: 150_000 })).toBe('taken')
    sim.setPrice(CODE, 155_000)
    expect(fills()).toEqual([])
    await goTo('14:10:00')
    expect(fills()).toEqual(['KRX buy 1@155000', 'KRX sell 1@155000'])
    expect((await socket.frame()).values.slice(0, 8)).toMatchObject([CODE, 'N', '', '112', '', '', '', '55'])
    expect(await answer(client, { division: '03', price: 0 })).toBe('taken')
  })

  test('known in the morning, it keeps the issue out of the opening auction', async () => {
    const client = await open('08:25:00', { happenings: [{ ...halt, from: at('08:30:00') }] })
    expect(await answer(client)).toBe('taken')
    await goTo('09:05:00')
    expect(fills()).toEqual([])
    expect(await answer(client)).toBe(HALTED)
  })

  test('that ends outside the session opens with the day', async () => {
    const client = await open('15:00:00', { happenings: [{ ...halt, until: at('08:00:00', '2026-11-23') }] })
    expect(await answer(client)).toBe(HALTED)
    await sim.clock.advance(at('08:21:00', '2026-11-23') - sim.clock.now())
    await client.renew()
    expect(await answer(client, { division: '01', price: 0 })).toBe('taken')
    await sim.clock.advance(39 * MINUTE)
    expect(fills()).toEqual(['KRX buy 1@158600'])
  })

  test('two of them overlap: it goes on when both are over', async () => {
    const longer = { ...halt, until: at('15:00:00') }
    const client = await open('13:59:00', { happenings: [halt, longer] })
    await goTo('14:30:00')
    expect(await answer(client)).toBe(HALTED)
    await goTo('15:05:00')
    expect(await answer(client)).toBe('taken')
  })

  test('a restart comes back into it, and into the minutes after it', async () => {
    const stateDir = mkdtempSync(join(tmpdir(), 'kis-sim-'))
    await open('10:59:00', { stateDir })
    sim.happen(halt)
    await sim.close()
    let client = await open('13:00:00', { stateDir })
    expect(await answer(client)).toBe(HALTED)
    await sim.close()
    client = await open('14:05:00', { stateDir })
    expect(await answer(client, { division: '03', price: 0 })).toContain('[단일가매매]')
    await goTo('14:10:00')
    expect(await answer(client, { division: '03', price: 0 })).toBe('taken')
    rmSync(stateDir, { recursive: true })
  })
})

describe('a circuit breaker', () => {
  const breaker = { kind: 'circuitBreaker', at: at('11:16:00') } as const
  const BROKEN = 'APBK0918 서킷브레이커 발동으로 주문이 불가합니다.'

  test('twenty minutes of nothing but cancels, ten of collecting, then one price; on both venues', async () => {
    const client = await open('11:15:00', { happenings: [breaker] })
    const odno = (await client.order({ count: 2, price: 157_000 })).output[0]?.['ODNO'] ?? ''
    const socket = await client.socket()
    await socket.register('H0STMKO0', CODE)
    await goTo('11:16:00')
    expect((await socket.frame()).values[3]).toBe('174')
    for (const venue of ['KRX', 'NXT', 'SOR']) expect(await answer(client, { venue })).toBe(BROKEN)
    expect(await answer(client, { code: KOSDAQ_CODE, price: 198_000 })).toBe(BROKEN)
    expect((await client.change(odno, { price: 157_100 })).rt_cd).toBe('1')
    expect((await client.change(odno)).rt_cd).toBe('0')
    // No field of the issue says that it stands still.
    expect((await client.call('price', market)).output[0]).toMatchObject({
      iscd_stat_cls_code: '55',
      temp_stop_yn: 'N',
    })

    await goTo('11:36:00')
    expect((await socket.frame()).values[3]).toBe('175')
    for (const venue of ['KRX', 'NXT']) expect(await answer(client, { venue, price: 160_000 })).toBe('taken')
    expect(await answer(client, { division: '11' })).toContain('[단일가매매]')
    sim.setPrice(CODE, 146_000)
    await goTo('11:45:59')
    expect(fills()).toEqual([])
    await goTo('11:46:00')
    expect(fills()).toEqual(['KRX buy 1@146000', 'NXT buy 1@146000'])
    expect((await socket.frame()).values[3]).toBe('112')
  })

  test('of one market leaves the other alone', async () => {
    const client = await open('11:17:00', { happenings: [{ ...breaker, market: 'KOSDAQ' }] })
    expect(await answer(client)).toBe('taken')
    expect(await answer(client, { code: KOSDAQ_CODE, price: 198_000 })).toBe(BROKEN)
  })

  test('the last one at 14:50 collects until the closing auction', async () => {
    const client = await open('14:49:00', { happenings: [{ ...breaker, at: at('14:50:00') }] })
    await goTo('15:10:00')
    expect(await answer(client, { price: 160_000 })).toBe('taken')
    await goTo('15:29:59')
    expect(fills()).toEqual([])
    await goTo('15:30:00')
    expect(fills()).toEqual(['KRX buy 1@158600'])
  })

  test.each([
    ['14:50:01', '2026-11-20'],
    ['15:50:01', '2026-11-19'],
    ['08:30:00', '2026-11-20'],
    ['17:00:00', '2026-11-20'],
    ['11:00:00', '2026-11-21'],
  ])('never happens at %s on %s', async (time, day) => {
    await open('07:00:00')
    expect(() => sim.happen({ ...breaker, at: at(time, day) })).toThrow('not after 14:50')
  })

  test('may happen an hour later on a day that closes an hour later', async () => {
    await open('07:00:00')
    expect(() => sim.happen({ ...breaker, at: at('15:50:00', '2026-11-19') })).not.toThrow()
  })

  test('a walking market stands still with it, and walks on', async () => {
    await open('11:10:00', { happenings: [breaker], walk: {} })
    await goTo('11:16:00')
    const before = volumeOf(CODE)
    await goTo('11:45:59')
    expect(volumeOf(CODE)).toBe(before)
    await goTo('11:50:00')
    expect(volumeOf(CODE)).toBeGreaterThan(before)
  })
})

/** Of a bar that begins so many minutes into the day. */
const startOf = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}${minute % 60 ? '30' : '00'}00`

describe('trading every half hour', () => {
  const single = { kind: 'singlePrice', code: CODE, from: '20261120', until: '20261124' } as const

  test('the open, each half hour, the close: at one price, and nothing in between', async () => {
    const client = await open('08:50:00', { happenings: [single] })
    await client.order({ count: 1, price: 160_000 })
    await goTo('09:00:00')
    expect(fills()).toEqual(['KRX buy 1@158600'])
    await client.order({ count: 2, price: 160_000 })
    const socket = await client.socket()
    await socket.register('H0STCNT0', CODE)
    sim.setPrice(CODE, 159_000)
    expect(await socket.tick()).toMatchObject({ HOUR_CLS_CODE: 'C', STCK_PRPR: '159000', ACML_VOL: '1' })
    await goTo('09:29:59')
    expect(fills()).toHaveLength(1)
    await goTo('09:30:00')
    expect(fills()[1]).toBe('KRX buy 2@159000')
    expect(await socket.tick()).toMatchObject({ HOUR_CLS_CODE: '0', STCK_PRPR: '159000', ACML_VOL: '13' })
    expect(await answer(client, { division: '03', price: 0 })).toContain('[단일가매매]')
    await goTo('15:00:00')
    await client.order({ count: 3, division: '01' })
    await goTo('15:29:59')
    expect(fills()).toHaveLength(2)
    await goTo('15:30:00')
    expect(fills()[2]).toBe('KRX buy 3@159000')
  })

  test('it shows, and ends with its last day', async () => {
    const client = await open('10:00:00', { happenings: [single] })
    expect((await client.call('price', market)).output[0]).toMatchObject({
      iscd_stat_cls_code: '59',
      short_over_yn: 'Y',
    })
    expect((await client.call('price2', market)).output[0]).toMatchObject({ short_over_cls_code: '2' })
    await sim.clock.advance(at('10:10:00', '2026-11-25') - sim.clock.now())
    await client.renew()
    expect((await client.call('price', market)).output[0]).toMatchObject({ iscd_stat_cls_code: '55' })
    expect(await answer(client, { division: '03', price: 0 })).toBe('taken')
  })

  test.each([
    ['barred', 'APBK0918 NXT 거래불가 종목입니다.', 'APBK0918 장운영시간이 아닙니다.(주문불가)'],
    ['traded', 'taken', 'taken'],
  ] as const)('elsewhere it may be %s', async (overheatedElsewhere, onNxt, inTheEvening) => {
    const client = await open('10:00:00', { happenings: [single], assumptions: { overheatedElsewhere } })
    expect(await answer(client, { venue: 'NXT', price: 158_600 })).toBe(onNxt)
    await goTo('17:00:00')
    expect(await answer(client, { division: '41' })).toBe(inTheEvening)
  })

  test('a recorded day is traded in its auctions alone', async () => {
    const candle = { code: CODE, name: '', market: 'KOSPI', day: '20261120', volume: 1_000 }
    const candles = [{ ...candle, open: 158_000, high: 162_000, low: 157_000, close: 161_000 }]
    await open('08:00:00', { happenings: [single], replay: { candles } })
    await goTo('16:00:00')
    const { minutes, last } = sim.broker.exchange.issue(CODE).tapes.KRX
    const halfHours = Array.from({ length: 13 }, (_, n) => 540 + 30 * n)
    expect(minutes.map(({ time }) => time)).toEqual([...halfHours, 930].map(startOf))
    expect(last).toBe(161_000)
  })

  test('a walking market, too', async () => {
    await open('09:01:00', { happenings: [single], walk: {} })
    await goTo('10:40:00')
    const { minutes } = sim.broker.exchange.issue(CODE).tapes.KRX
    expect(minutes.map(({ time }) => time)).toEqual(['093000', '100000', '103000'])
  })
})

test('an interruption ends at the price that was expected last; without one at the last price', async () => {
  const client = await open('10:00:00')
  sim.interrupt(CODE, 2 * MINUTE)
  await client.order({ count: 1, price: 165_000 })
  sim.setPrice(CODE, 161_000)
  await goTo('10:02:00')
  sim.interrupt(CODE, 2 * MINUTE)
  await client.order({ count: 2, price: 165_000 })
  await goTo('10:04:00')
  expect(fills()).toEqual(['KRX buy 1@161000', 'KRX buy 2@161000'])
})

test('the same over HTTP, for another process', async () => {
  await open('10:00:00')
  const post = (body: object) => fetch(`${sim.url}/sim/happenings`, { method: 'POST', body: JSON.stringify(body) })
  const halt = { kind: 'halted', code: CODE, from: at('10:00:00'), until: at('10:30:00') }
  expect((await post(halt)).status).toBe(200)
  expect((await post({ ...halt, code: '999999' })).status).toBe(400)
  expect((await post({ kind: 'meteorite', code: CODE })).status).toBe(400)
  expect(await (await fetch(`${sim.url}/sim/happenings`)).json()).toEqual([halt])
  expect(await answer(await RawClient.login(sim))).toContain('거래정지')
})
