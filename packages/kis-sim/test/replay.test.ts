import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { UNIVERSE, type Candle, type Sim, type SimOptions } from '../src/index.ts'
import { at, stillSim } from './client.ts'

const day = (date: string, open: number, high: number, low: number, close: number, volume = 10_000): Candle => ({
  day: date,
  code: '005930',
  name: '삼성전자',
  market: 'KOSPI',
  open,
  high,
  low,
  close,
  volume,
})
// Monday to Wednesday; Thursday is missing for all, Friday told again.
const RECORD = [
  day('20260105', 136_500, 138_200, 135_900, 138_100),
  day('20260106', 138_000, 140_000, 137_100, 137_500),
  day('20260107', 137_500, 137_500, 137_500, 137_500, 0),
  day('20260109', 137_000, 139_500, 136_000, 139_000),
]

let sim: Sim
afterEach(() => sim.close())
const open = async (start: number, more: SimOptions = {}): Promise<void> => {
  sim = await stillSim({ hours: 'krx', clock: { mode: 'manual', start }, replay: { candles: RECORD }, ...more })
}
const tape = () => {
  const { open: first, high, low, last, base, volume } = sim.broker.exchange.issue('005930').tapes.KRX
  return { open: first, high, low, last, base, volume }
}

describe('on the record’s own dates', () => {
  test('each day gives exactly its four prices; the close is the next base', async () => {
    await open(at('08:00:00', '2026-01-05'))
    await sim.clock.advance(8 * 3_600_000)
    expect(tape()).toMatchObject({ open: 136_500, high: 138_200, low: 135_900, last: 138_100 })
    expect(tape().volume).toBeGreaterThan(9_000)
    expect(tape().volume).toBeLessThanOrEqual(10_000)
    await sim.clock.advance(24 * 3_600_000)
    expect(tape()).toMatchObject({ base: 138_100, open: 138_000, high: 140_000, low: 137_100, last: 137_500 })
  })

  test('a day without trades is a halt, a day nobody traded is closed', async () => {
    await open(at('08:00:00', '2026-01-07'))
    await sim.clock.advance(4 * 3_600_000)
    expect(sim.broker.exchange.issue('005930').halted).toBe(true)
    await sim.clock.advance(24 * 3_600_000)
    expect(sim.broker.exchange.isOpenDay()).toBe(false)
    await sim.clock.advance(24 * 3_600_000)
    expect(sim.broker.exchange.issue('005930').halted).toBe(false)
    expect(tape().open).toBe(137_000)
  })

  test('joined in the middle of a day, the day is replayed from its open', async () => {
    await open(at('13:00:00', '2026-01-06'))
    await sim.clock.advance(3 * 3_600_000)
    expect(tape()).toMatchObject({ open: 138_000, high: 140_000, low: 137_100, last: 137_500 })
  })
})

test('a market that starts later replays the record day by day, over its weekends', async () => {
  // A Friday: told on Friday, Monday, Tuesday, Wednesday.
  await open(at('08:00:00', '2026-11-20'))
  const closes: number[] = []
  for (let n = 0; n < 6; n++) {
    await sim.clock.advance(8 * 3_600_000)
    closes.push(tape().last)
    await sim.clock.advance(16 * 3_600_000)
  }
  expect(closes).toEqual([138_100, 138_100, 138_100, 137_500, 137_500, 139_000])
})

test('an endless session replays a day from midnight to midnight', async () => {
  await open(at('00:00:00', '2026-01-05'), { hours: 'always' })
  await sim.clock.advance(24 * 3_600_000 - 1)
  expect(tape()).toMatchObject({ open: 136_500, high: 138_200, low: 135_900, last: 138_100 })
})

describe('a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kis-sim-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const HEAD = 'date,code,name,market,open,high,low,close,volume,amount'
  const ROW = '20260105,123456,어떤회사,KOSDAQ GLOBAL,10000,10300,9900,10100,500,5000000'

  test('may be compressed, and bring codes that are not listed otherwise', async () => {
    const file = join(folder, 'days.csv.gz')
    writeFileSync(file, gzipSync(`${HEAD}\n${ROW}\n`))
    await open(at('16:00:00', '2026-01-05'), { replay: { file, codes: ['123456'] } })
    expect(sim.broker.exchange.issue('123456').listing).toMatchObject({
      name: '어떤회사',
      market: 'KOSDAQ',
      nxt: false,
    })
  })

  test.each([
    ['another head', 'code,close\n', 'the first line must be'],
    ['a broken line', `${HEAD}\n${ROW.replace('10300', 'high')}\n`, 'line 2 cannot be read'],
  ])('with %s is refused with a message', async (_name, text, message) => {
    const file = join(folder, 'days.csv')
    writeFileSync(file, text)
    await expect(open(at('08:00:00', '2026-01-05'), { replay: { file, codes: ['123456'] } })).rejects.toThrow(message)
    sim = await stillSim()
  })
})

const walked = async (universe: number): Promise<number[]> => {
  sim = await stillSim({ walk: { ticksPerSecond: 2 }, universe: UNIVERSE.slice(0, universe) })
  const prices: number[] = []
  for (let n = 0; n < 60; n++) {
    await sim.clock.advance(10_000)
    prices.push(sim.price('005930'))
  }
  await sim.close()
  return prices
}

describe('the random walk', () => {
  test('is the same for the same seed, whatever else is listed', async () => {
    const alone = await walked(1)
    expect(await walked(3)).toEqual(alone)
    expect(new Set(alone).size).toBeGreaterThan(2)
    sim = await stillSim()
  })
})
