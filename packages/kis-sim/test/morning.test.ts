import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { demoCredentials, type Sim, type SimOptions } from '../src/index.ts'
import { at, RawClient, stillSim } from './client.ts'

/** Base 90,000 on Friday, which closes at 72,000: Monday's limits are 50,400 and 93,600. */
const CODE = '005930'
const ME = demoCredentials(0)
const MONDAY = '2026-11-23'
const FRIDAYS = '90000 117000 63000'
const MONDAYS = '72000 93600 50400'

let sim: Sim
afterEach(() => sim.close())

async function monday(time: string, more: SimOptions = {}): Promise<RawClient> {
  sim = await stillSim({ hours: 'krx', clock: { mode: 'manual', start: at('15:00:00') }, ...more })
  sim.setBase(CODE, 90_000)
  sim.setPrice(CODE, 72_000, { aggressor: 'sell' })
  await sim.clock.advance(at(time, MONDAY) - sim.clock.now())
  return RawClient.login(sim)
}

const market = { FID_COND_MRKT_DIV_CODE: 'J', FID_INPUT_ISCD: CODE }
async function quoted(client: RawClient): Promise<string> {
  const { stck_sdpr, stck_mxpr, stck_llam } = (await client.call('price', market)).output[0] ?? {}
  return `${stck_sdpr} ${stck_mxpr} ${stck_llam}`
}

describe.each(['00:00', '08:00', '08:30'] as const)('the new base is shown from %s', (baseShownFrom) => {
  test.each(['00:00:00', '07:59:59', '08:00:00', '08:29:59', '08:30:00', '09:00:00'])('at %s', async (time) => {
    const client = await monday(time, { assumptions: { baseShownFrom } })
    expect(await quoted(client)).toBe(time >= baseShownFrom ? MONDAYS : FRIDAYS)
  })
})

test('by default a customer who asks before 08:00 is shown the day before everywhere', async () => {
  const client = await monday('07:30:00')
  sim.setHolding(ME.accountNumber, CODE, 1, 100_000)
  const day = { FID_INPUT_DATE_1: '20261101', FID_INPUT_DATE_2: '20261123', FID_PERIOD_DIV_CODE: 'D' }
  const down = { prdy_vrss: '-18000', prdy_vrss_sign: '5', prdy_ctrt: '-20.00' }
  expect((await client.call('price', market)).output[0]).toMatchObject({ stck_prpr: '72000', ...down })
  expect((await client.call('price2', market)).output[0]).toMatchObject({
    stck_sdpr: '90000',
    stck_prdy_clpr: '90000',
    stck_mxpr: '117000',
    stck_llam: '63000',
    ...down,
  })
  expect((await client.call('orderBook', market)).output2[0]).toMatchObject({ stck_sdpr: '90000', stck_prpr: '72000' })
  const head = { stck_prdy_clpr: '90000', stck_prpr: '72000', ...down }
  expect((await client.call('dayChart', { ...market, ...day })).output1[0]).toMatchObject({
    ...head,
    stck_mxpr: '117000',
  })
  expect((await client.call('minuteChart', { ...market, FID_INPUT_HOUR_1: '' })).output1[0]).toMatchObject(head)
  const info = await client.call('stockInfo', { PRDT_TYPE_CD: '300', PDNO: CODE })
  expect(info.output[0]).toMatchObject({ bfdy_clpr: '90000', thdt_clpr: '72000' })
  expect((await client.balance()).output1[0]).toMatchObject({ prpr: '72000', bfdy_cprs_icdc: '-18000' })
})

test('a base that was adjusted overnight: the close of the day before is shown until the morning', async () => {
  const candle = { code: CODE, name: '', market: 'KOSPI', high: 71_000, low: 69_000, volume: 100 }
  const candles = [
    { ...candle, day: '20261120', open: 70_000, close: 70_000 },
    { ...candle, day: '20261123', open: 35_000, close: 35_000, high: 35_500, low: 34_500 },
  ]
  sim = await stillSim({ hours: 'krx', clock: { mode: 'manual', start: at('08:00:00') }, replay: { candles } })
  await sim.clock.advance(at('07:59:00', MONDAY) - sim.clock.now())
  const client = await RawClient.login(sim)
  const { output } = await client.call('price', market)
  expect(output[0]).toMatchObject({ stck_prpr: '70000', stck_sdpr: '70000', prdy_vrss: '0' })
  await sim.clock.advance(60_000)
  expect((await client.call('price', market)).output[0]).toMatchObject({ stck_prpr: '35000', stck_sdpr: '35000' })
})

test('orders are judged by the new limits, also while the old ones are shown; so are the frames of trades', async () => {
  const client = await monday('08:10:00', { assumptions: { baseShownFrom: '08:30', pingPongMs: [1e9, 1e9] } })
  expect(await quoted(client)).toBe(FRIDAYS)
  expect((await client.order({ count: 1, price: 93_700, venue: 'NXT' })).msg1).toContain('상/하한가')
  const socket = await client.socket()
  await socket.register('H0NXCNT0', CODE)
  sim.setPrice(CODE, 73_000)
  // Against Friday's base; the day's own open is the first trade.
  const early = await socket.tick()
  expect(early).toMatchObject({ STCK_PRPR: '73000', PRDY_VRSS: '-17000', PRDY_VRSS_SIGN: '5', STCK_OPRC: '73000' })
  await sim.clock.advance(20 * 60_000)
  sim.setPrice(CODE, 73_100, { venue: 'NXT' })
  expect(await socket.tick()).toMatchObject({ PRDY_VRSS: '1100', PRDY_VRSS_SIGN: '2' })
})

test('weekends change nothing, and an endless session rolls at midnight', async () => {
  let client = await monday('00:00:00')
  await sim.close()
  sim = await stillSim({ hours: 'krx', clock: { mode: 'manual', start: at('12:00:00', '2026-11-21') } })
  client = await RawClient.login(sim)
  expect((await client.call('price', market)).output[0]).toMatchObject({ stck_sdpr: '158600' })
  await sim.close()
  client = await monday('00:00:00', { hours: 'always' })
  expect(await quoted(client)).toBe(MONDAYS)
})

test('a restart in the night shows the day before, and rolls in the morning', async () => {
  const stateDir = mkdtempSync(join(tmpdir(), 'kis-sim-'))
  await monday('03:00:00', { stateDir })
  await sim.close()
  const start = at('07:59:59', MONDAY)
  sim = await stillSim({ hours: 'krx', clock: { mode: 'manual', start }, stateDir })
  const client = await RawClient.login(sim)
  expect(await quoted(client)).toBe(FRIDAYS)
  await sim.clock.advance(1_000)
  expect(await quoted(client)).toBe(MONDAYS)
  rmSync(stateDir, { recursive: true })
})

test('a market that was away over the night and comes back at noon shows the new day', async () => {
  const stateDir = mkdtempSync(join(tmpdir(), 'kis-sim-'))
  sim = await stillSim({ hours: 'krx', clock: { mode: 'manual', start: at('15:00:00') }, stateDir })
  sim.setBase(CODE, 90_000)
  sim.setPrice(CODE, 72_000, { aggressor: 'sell' })
  await sim.close()
  sim = await stillSim({ hours: 'krx', clock: { mode: 'manual', start: at('12:00:00', MONDAY) }, stateDir })
  expect(await quoted(await RawClient.login(sim))).toBe(MONDAYS)
  rmSync(stateDir, { recursive: true })
})
