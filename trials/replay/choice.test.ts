import type { Candle } from '@digger/kis-sim'
import { expect, test } from 'vitest'
import { choose, chooseAll } from './choice.ts'

const candle = (day: string, code: string, volume: number): Candle => ({
  day,
  code,
  name: code,
  market: 'KOSPI',
  open: 1_000,
  high: 1_000,
  low: 1_000,
  close: 1_000,
  volume,
})
const record = [
  candle('20260109', '000030', 900),
  candle('20260108', '000010', 100),
  candle('20260109', '000010', 100),
  candle('20260108', '000020', 150),
]

test('without codes the busiest of the whole record come first', () => {
  expect(choose(record, 2, null)).toMatchObject({
    codes: ['000030', '000010', '000020'],
    days: ['20260108', '20260109'],
  })
})

test('a stock that did not trade on the chosen days is not chosen, however busy it is later', () => {
  const { codes, candles } = choose(record, 1, null)
  expect(codes).toEqual(['000010', '000020'])
  expect(candles).toEqual([record[1], record[3]])
})

test('at most forty stocks are chosen, and no more may be asked for', () => {
  const many = Array.from({ length: 41 }, (_, n) => candle('20260108', String(n), n + 1))
  expect(choose(many, 1, null).codes).toHaveLength(40)
  const all = many.map(({ code }) => code)
  expect(() => choose(many, 1, all)).toThrow('at most 40')
})

test('a code asked for that did not trade on the chosen days is refused by name', () => {
  expect(() => choose(record, 1, ['000010', '000030'])).toThrow('no candles of 000030 on these 1 days')
})

test('all codes are taken in parts of forty, the busiest first, with those that stood still', () => {
  const many = Array.from({ length: 95 }, (_, n) => candle('20260108', String(n), n))
  const parts = chooseAll([...many, candle('20260109', 'later', 900)], 1)
  expect(parts.map(({ codes }) => codes.length)).toEqual([40, 40, 15])
  expect(parts[0]?.codes.slice(0, 2)).toEqual(['94', '93'])
  expect(parts[2]?.codes.at(-1)).toBe('0')
  expect(parts.flatMap(({ candles }) => candles)).toHaveLength(95)
})
