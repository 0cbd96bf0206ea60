import { addDays } from '@digger/core'
import { createKis, NotOfferedError, type KisCandle, type KisRest, UNLIMITED } from '@digger/kis'
import { afterEach, describe, expect, test } from 'vitest'
import { demoCredentials, type Sim, type SimOptions } from '../src/index.ts'
import { at, RawClient, stillSim } from './client.ts'

/** How far back the charts go, asked through the client, and that days and minutes tell of the same market. */
const CODE = '005930'
const TODAY = '20261120'
const YESTERDAY = '20261119'

let sim: Sim
let kis: { readonly rest: KisRest } | undefined
afterEach(async () => {
  await kis?.rest.close()
  kis = undefined
  await sim.close()
})

async function open(options: SimOptions = {}, env: 'real' | 'paper' = 'real'): Promise<KisRest> {
  const credentials = demoCredentials(0)
  sim = await stillSim({ accounts: [{ credentials, env }], ...options })
  kis = createKis({
    env,
    restUrl: sim.url,
    wsUrl: sim.wsUrl,
    credentials,
    now: () => sim.clock.now(),
    limits: UNLIMITED,
    tokens: { load: async () => null, save: async () => undefined },
  })
  return kis.rest
}

/** All minutes of a day, as many calls as it takes; oldest first. */
async function minutesOn(rest: KisRest, day: string, code = CODE): Promise<{ bars: KisCandle[]; calls: number }> {
  const pages: KisCandle[] = []
  let until = '200000'
  for (let calls = 1; ; calls += 1) {
    const { candles, isLast } = await rest.pastMinutes(code, day, until)
    pages.unshift(...candles)
    const first = candles[0]?.time
    if (isLast || first == null) return { bars: pages, calls }
    until = String(Number(first) - 1).padStart(6, '0')
  }
}

describe('days', () => {
  test('go back ten years, adjusted or as traded, each weekday without a holiday once', async () => {
    const rest = await open()
    const days = await rest.dayCandles('000660', '20161121', YESTERDAY)
    expect(days.length).toBeGreaterThan(2_400)
    expect(days[0]?.day).toBe('20161121')
    expect(new Set(days.map(({ day }) => day)).size).toBe(days.length)
    expect(await rest.dayCandles('000660', '20161121', YESTERDAY, 'original')).toEqual(days)
    for (const { open: first, high, low, close, volume } of days) {
      expect(Math.min(first, close)).toBeGreaterThanOrEqual(low)
      expect(Math.max(first, close)).toBeLessThanOrEqual(high)
      expect(volume).toBeGreaterThan(0)
    }
  })

  test('of one seed are always the same, of another others', async () => {
    const some = async (seed: number): Promise<readonly KisCandle[]> => {
      const rest = await open({ seed })
      const days = await rest.dayCandles(CODE, '20190101', '20190301')
      await rest.close()
      await sim.close()
      return days
    }
    const [first, again, other] = [await some(1), await some(1), await some(2)]
    expect(again).toEqual(first)
    expect(other).not.toEqual(first)
    await open()
  })

  test('of a stock that was listed later begin then', async () => {
    const rest = await open()
    expect((await rest.dayCandles('373220', '20161121', '20220331'))[0]?.day).toBe('20220127')
  })

  test('before a split are dearer as they were traded, and go on without a jump as adjusted', async () => {
    const rest = await open()
    const ask = (prices: 'adjusted' | 'original') => rest.dayCandles(CODE, '20180425', '20180510', prices)
    const [adjusted, traded] = [await ask('adjusted'), await ask('original')]
    expect(adjusted.map(({ day }) => day)).toEqual(traded.map(({ day }) => day))
    for (const [n, bar] of traded.entries()) {
      const ratio = bar.day < '20180504' ? 50 : 1
      expect(Math.abs((adjusted[n]?.close ?? 0) - bar.close / ratio)).toBeLessThanOrEqual(0.5)
    }
    const closes = adjusted.map(({ close }) => close)
    for (const [n, close] of closes.slice(1).entries()) expect(Math.abs(close / (closes[n] ?? 0) - 1)).toBeLessThan(0.1)
  })
})

describe('minutes of an earlier day', () => {
  test('are as many as the day has, 120 a call, and have its open, extremes, close and volume', async () => {
    const rest = await open()
    for (const day of [YESTERDAY, '20260303', '20251121']) {
      const [bar] = await rest.dayCandles(CODE, day, day)
      const { bars, calls } = await minutesOn(rest, day)
      expect([bars.length, calls]).toEqual([380, 4])
      expect(bars.map(({ time }) => time)).toEqual(
        bars.map(({ time }) => time).toSorted((a, b) => Number(a) - Number(b)),
      )
      expect(bars[0]?.open).toBe(bar?.open)
      expect(Math.max(...bars.map(({ high }) => high))).toBe(bar?.high)
      expect(Math.min(...bars.map(({ low }) => low))).toBe(bar?.low)
      expect(bars.at(-1)?.close).toBe(bar?.close)
      expect(bars.reduce((sum, { volume }) => sum + volume, 0)).toBe(bar?.volume)
    }
  })

  test('of a day without trading are none, though the broker answers with those of the day before', async () => {
    const rest = await open()
    const sunday = '20261115'
    expect((await rest.pastMinutes(CODE, sunday, '200000')).candles).toEqual([])
    const client = await RawClient.login(sim)
    const fields = { FID_COND_MRKT_DIV_CODE: 'J', FID_INPUT_ISCD: CODE, FID_INPUT_HOUR_1: '200000' }
    const { output2 } = await client.call('minuteChartPast', { ...fields, FID_INPUT_DATE_1: sunday })
    expect(output2[0]?.['stck_bsop_date']).toBe('20261113')
  })

  test.each([365, 30])('go %i days back, where the broker has so many', async (pastMinutesBack) => {
    const rest = await open({ assumptions: { pastMinutesBack } })
    const has = async (day: string) => (await minutesOn(rest, day)).bars.length > 0
    const days = (await rest.dayCandles(CODE, addDays(TODAY, -pastMinutesBack - 8), YESTERDAY)).map(({ day }) => day)
    const limit = addDays(TODAY, -pastMinutesBack)
    for (const day of days.slice(0, 9)) expect([day, await has(day)]).toEqual([day, day >= limit])
  })

  test.each([
    ['adjusted', 1],
    ['traded', 5],
  ] as const)('before a split are %s', async (pastMinutePrices, ratio) => {
    const split = {
      kind: 'corporateAction',
      as: 'split',
      code: CODE,
      exDay: '20261123',
      creditDay: '20261123',
    } as const
    const rest = await open({
      hours: 'krx',
      happenings: [{ ...split, ratio: 5, paid: 0 }],
      assumptions: { pastMinutePrices },
    })
    await sim.clock.advance(at('10:00:00', '2026-11-24') - sim.clock.now())
    const [bar] = await rest.dayCandles(CODE, '20261118', '20261118')
    const { bars } = await minutesOn(rest, '20261118')
    expect((bars.at(-1)?.close ?? 0) / ratio).toBeCloseTo(bar?.close ?? 0, -1)
    expect(sim.broker.assumed.times('pastMinutePrices')).toBeGreaterThan(0)
  })

  test('are not offered on paper', async () => {
    const rest = await open({}, 'paper')
    await expect(rest.pastMinutes(CODE, YESTERDAY, '200000')).rejects.toThrow(NotOfferedError)
  })
})
