import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { demoCredentials, type Sim, type SimOptions } from '../src/index.ts'
import { at, RawClient, stillSim } from './client.ts'

/** KRX and NXT with one price, or each with its own. One tick of this issue is 100 won. */
const CODE = '005930'
const TICK = 100
const ME = demoCredentials(0)
const SECOND = 1_000

let sim: Sim
afterEach(() => sim.close())

async function open(venuePrices: 'own' | 'shared', more: SimOptions = {}, time = '10:00:00'): Promise<RawClient> {
  const assumptions = { venuePrices, pingPongMs: [1e9, 1e9] } as const
  sim = await stillSim({ hours: 'krx', clock: { mode: 'manual', start: at(time) }, assumptions, ...more })
  return RawClient.login(sim)
}
const about = (venue: string) => ({ FID_COND_MRKT_DIV_CODE: venue, FID_INPUT_ISCD: CODE })
const last = async (client: RawClient, venue: string): Promise<number> =>
  Number((await client.call('price', about(venue))).output[0]?.['stck_prpr'])
async function book(client: RawClient, venue: string): Promise<{ ask: number; bid: number; asks: number }> {
  const { askp1, bidp1, total_askp_rsqn } = (await client.call('orderBook', about(venue))).output1[0] ?? {}
  return { ask: Number(askp1), bid: Number(bidp1), asks: Number(total_askp_rsqn) }
}
const routed = (): string[] =>
  sim.trueEvents(ME.accountNumber).flatMap((f) => (f.kind === 'filled' ? [`${f.venue} ${f.count}@${f.price}`] : []))

test('of a morning on which NXT alone has traded, the candle of the day holds its own close', async () => {
  const client = await open('own', {}, '08:20:00')
  sim.setPrice(CODE, 158_600 + 5 * TICK, { venue: 'NXT' })
  const asked = { ...about('J'), FID_INPUT_DATE_1: '20261120', FID_INPUT_DATE_2: '20261120', FID_ORG_ADJ_PRC: '0' }
  const candle = async (): Promise<number[]> => {
    const [row = {}] = (await client.call('dayChart', asked)).output2
    return ['stck_lwpr', 'stck_clpr', 'stck_hgpr'].map((field) => Number(row[field]))
  }
  expect(await candle()).toEqual([159_100, 159_100, 159_100])
  await sim.clock.advance(3_600 * SECOND)
  sim.setPrice(CODE, 158_600, { venue: 'KRX' })
  const [low = 0, close = 0, high = 0] = await candle()
  expect(close).toBe(158_600)
  expect([low <= close, close <= high]).toEqual([true, true])
})

describe('prices of their own', () => {
  test('NXT runs after KRX: later, and up to two ticks beside it', async () => {
    const client = await open('own')
    const gaps: number[] = []
    for (let n = 1; n <= 30; n++) {
      const price = 158_600 + 500 * n
      const before = await last(client, 'NX')
      sim.setPrice(CODE, price, { venue: 'KRX' })
      expect([await last(client, 'J'), await last(client, 'NX')]).toEqual([price, before])
      await sim.clock.advance(3 * SECOND)
      const nxt = await last(client, 'NX')
      // Where nobody offered anything, nobody traded either.
      if (nxt !== before) gaps.push((nxt - price) / TICK)
    }
    expect(gaps.length).toBeGreaterThan(20)
    expect(new Set(gaps)).toEqual(new Set([-2, -1, 0, 1, 2]))
  })

  test('its depth is a fraction of KRX’s, and at times it has none', async () => {
    const client = await open('own')
    const shares: number[] = []
    let empty = 0
    for (let n = 1; n <= 40; n++) {
      sim.setPrice(CODE, 158_600 + TICK * (n % 5), { venue: 'KRX' })
      await sim.clock.advance(3 * SECOND)
      const [krx, nxt] = [await book(client, 'J'), await book(client, 'NX')]
      if (nxt.asks === 0) empty++
      else shares.push(nxt.asks / krx.asks)
    }
    expect(empty).toBeGreaterThan(1)
    expect(empty).toBeLessThan(15)
    expect(Math.max(...shares)).toBeLessThan(0.6)
    expect(Math.min(...shares)).toBeGreaterThan(0.05)
  })

  test('an order on NXT does not trade at what KRX trades at', async () => {
    const client = await open('own')
    await client.order({ count: 1, price: 158_000, venue: 'NXT' })
    await client.order({ count: 2, price: 158_000, venue: 'KRX' })
    sim.setPrice(CODE, 158_000, { venue: 'KRX', aggressor: 'sell' })
    expect(routed()).toEqual(['KRX 2@158000'])
    sim.setPrice(CODE, 158_000, { venue: 'NXT', aggressor: 'sell' })
    expect(routed()).toEqual(['KRX 2@158000', 'NXT 1@158000'])
  })

  test('SOR meets the better price, on either side', async () => {
    const client = await open('own')
    sim.setHolding(ME.accountNumber, CODE, 10, 150_000)
    sim.setPrice(CODE, 158_000, { venue: 'KRX' })
    sim.setPrice(CODE, 157_700, { venue: 'NXT' })
    for (let n = 0; n < 3; n++) await client.order({ count: 1, price: 158_000, venue: 'SOR' })
    await client.order({ side: 'sell', count: 1, price: 157_000, venue: 'SOR' })
    expect(routed()).toEqual(['NXT 1@157700', 'NXT 1@157700', 'NXT 1@157700', 'KRX 1@157900'])
    const rows = (await client.executions({ INQR_STRT_DT: '20261120', INQR_END_DT: '20261120' })).output1
    expect(new Set(rows.map((row) => row['excg_id_dvsn_Cd']))).toEqual(new Set(['SOR']))
  })

  test('SOR does not go where nobody offers anything', async () => {
    const client = await open('own')
    const { quotes } = sim.broker.exchange.issue(CODE)
    sim.setPrice(CODE, 157_000, { venue: 'NXT' })
    quotes.NXT.isEmpty = true
    for (let n = 0; n < 3; n++) await client.order({ count: 1, price: 159_000, venue: 'SOR' })
    expect(routed()).toEqual(Array.from({ length: 3 }, () => 'KRX 1@158600'))
  })

  test('the unified market is made of both: best quotes, all trades', async () => {
    const client = await open('own')
    const socket = await client.socket()
    for (const channel of ['H0UNASP0', 'H0UNCNT0']) await socket.register(channel, CODE)
    sim.setPrice(CODE, 158_000, { venue: 'KRX', count: 5 })
    await socket.frame()
    await socket.frame()
    sim.setPrice(CODE, 157_800, { venue: 'NXT', count: 3 })
    const tick = await socket.tick()
    expect(tick).toMatchObject({ STCK_PRPR: '157800', ACML_VOL: '8', ASKP1: '157800', BIDP1: '157900' })
    const { values } = await socket.frame()
    expect([values[3], values[13]]).toEqual(['157800', '157900'])
    const [krx, nxt, un] = [await book(client, 'J'), await book(client, 'NX'), await book(client, 'UN')]
    expect(krx).toMatchObject({ ask: 158_000, bid: 157_900 })
    expect(nxt).toMatchObject({ ask: 157_800, bid: 157_700 })
    expect(un).toMatchObject({ ask: 157_800, bid: 157_900 })
    expect([await last(client, 'J'), await last(client, 'NX'), await last(client, 'UN')]).toEqual([
      158_000, 157_800, 157_800,
    ])
    const volume = async (venue: string) => (await client.call('price', about(venue))).output[0]?.['acml_vol']
    expect([await volume('J'), await volume('NX'), await volume('UN')]).toEqual(['5', '3', '8'])
  })

  test('a walk: every trade on NXT follows one on KRX; alone, NXT walks by itself, and KRX opens where it stood', async () => {
    await open('own', { walk: {} }, '08:00:00')
    const prints: { venue: string; price: number; at: number }[] = []
    sim.broker.exchange.listen({
      printed: ({ listing }, venue, { price, at: when }, expected) => {
        if (listing.code === CODE && !expected) prints.push({ venue, price, at: when })
      },
    })
    await sim.clock.advance(61 * 60 * SECOND)
    const morning = prints.filter(({ at: when }) => when < at('08:50:00'))
    expect(new Set(morning.map(({ venue }) => venue))).toEqual(new Set(['NXT']))
    const opening = prints.find(({ venue }) => venue === 'KRX')
    expect(Math.abs((opening?.price ?? 0) - (morning.at(-1)?.price ?? 0))).toBeLessThanOrEqual(TICK)
    await sim.clock.advance(10 * 60 * SECOND)
    const main = prints.filter(({ venue, at: when }) => venue === 'NXT' && when > at('09:00:30'))
    expect(main.length).toBeGreaterThan(50)
    const strays = main.filter(
      (nxt) =>
        !prints.some(
          (krx) =>
            krx.venue === 'KRX' &&
            krx.at <= nxt.at &&
            nxt.at - krx.at <= 3_001 &&
            Math.abs(nxt.price - krx.price) <= 2 * TICK,
        ),
    )
    expect(strays).toEqual([])
  })

  test('a restart stands where it stood', async () => {
    const stateDir = mkdtempSync(join(tmpdir(), 'kis-sim-'))
    await open('own', { stateDir })
    sim.setPrice(CODE, 158_000, { venue: 'KRX' })
    sim.setPrice(CODE, 157_800, { venue: 'NXT' })
    await sim.close()
    const client = await open('own', { stateDir })
    expect(await book(client, 'J')).toMatchObject({ ask: 158_000, bid: 157_900 })
    expect(await book(client, 'NX')).toMatchObject({ ask: 157_800, bid: 157_700 })
    rmSync(stateDir, { recursive: true })
  })
})

test('one price for both, by default: a trade on one venue moves the quotes of the other', async () => {
  sim = await stillSim()
  const client = await RawClient.login(sim)
  sim.setPrice(CODE, 158_000, { venue: 'KRX' })
  await sim.clock.advance(5 * SECOND)
  expect(await book(client, 'NX')).toEqual(await book(client, 'J'))
  expect((await book(client, 'NX')).ask).toBe(158_000)
})
