import { describe, expect, test } from 'vitest'
import {
  aboveText,
  againstHolding,
  cellText,
  closingText,
  downText,
  endsText,
  figuresOf,
  returnText,
  upText,
} from './figures.ts'
import type { Run, Way } from './protocol.ts'
import { firstDay, pastRangeOf, unitOf } from './whatIfRanges.ts'

const way: Way = {
  buys: 10,
  sells: 9,
  mostIn: 1_000_000,
  worstLoss: -50_000,
  worstDay: '20260318',
  longestWait: 12,
  gross: 30_000,
  net: 25_000,
  fees: 2_000,
  tax: 3_000,
  lots: 1,
  shares: 3,
  cost: 210_000,
  openGain: -5_000,
  total: 20_000,
  holding: 100_000,
  closing: 400,
}
const run = (kind: Partial<Way> = {}, unkind: Partial<Way> = {}, above = 0): Run => ({
  both: { kind: { ...way, ...kind }, unkind: { ...way, ...unkind } },
  above,
})
const named = (of: Run, name: string) => figuresOf(of).find((figure) => figure.name.startsWith(name))

describe('what a run is told by', () => {
  test.each([
    ['합계', { total: 30_000 }, { total: 20_000 }, '+20,000원 ~ +30,000원'],
    ['합계', { total: 10_000 }, { total: 20_000 }, '+10,000원 ~ +20,000원'],
    ['합계', {}, {}, '+20,000원'],
    ['남은 매매', {}, { lots: 4 }, '1건 ~ 4건'],
    ['남은 주식', {}, { shares: 5 }, '3주 ~ 5주'],
    ['산 횟수', { buys: 1_234 }, { buys: 1_234 }, '1,234번'],
    ['가장 많이 들어간 돈', {}, {}, '1,000,000원'],
    ['거래 없던', {}, { longestWait: 200 }, '12거래일 ~ 200거래일'],
    ['가장 큰 평가 손실', { worstLoss: 0 }, {}, '−50,000원 ~ 0원'],
  ])('%s: one number where both ways agree, else from the lower to the higher (%#)', (name, kind, unkind, text) => {
    const figure = named(run(kind, unkind), name)
    expect(figure && endsText(figure.ends, figure.unit)).toBe(text)
  })
  test('the day of the worst loss is that of the worse way', () => {
    const of = run({ worstLoss: -90_000, worstDay: '20250102' }, {})
    expect(named(of, '가장 큰 평가 손실')?.note).toBe('2025-01-02')
    expect(named(run({ worstLoss: 0, worstDay: null }, { worstLoss: 0, worstDay: null }), '가장 큰')?.note).toBe('')
  })
  test.each([
    [run({ total: 400_000 }, { total: 300_000 }), /들고 있은 것보다 199,600원 더 벌었습니다/],
    [run({ total: 300_000 }, { total: 400_000 }), /들고 있은 것보다 199,600원 더 벌었습니다/],
    [run(), /들고 있었다면 80,400원 더 벌었습니다/],
    // Holding is sold at the end and pays for it: what is left of the ladder is, too.
    [run({ total: 100_400 }, { total: 100_400 }), /것과 같습니다/],
    [run({ total: 100_100 }, { total: 100_100 }), /들고 있었다면 300원 더 벌었습니다/],
  ])('against holding (%#)', (of, says) => {
    expect(againstHolding(of)).toMatch(says)
  })
  test('what was never bought is compared with nothing', () => {
    const none = run({}, { mostIn: 0, shares: 0 })
    expect([againstHolding(none), returnText(none), closingText(none)]).toEqual([null, null, null])
  })
  test('of the most money in, and what is still to be paid', () => {
    expect(returnText(run())).toBe('불리한 쪽의 합계는 가장 많이 들어간 돈의 +2.0%입니다.')
    expect(closingText(run())).toContain('수수료와 세금 400원')
  })
  test('where the unkind way gained more, the other is told of as the worse', () => {
    const turned = run({ total: -10_000, mostIn: 500_000, closing: 90 }, { total: 20_000 })
    expect(returnText(turned)).toBe('불리한 쪽의 합계는 가장 많이 들어간 돈의 −2.0%입니다.')
    expect(closingText(turned)).toContain('수수료와 세금 90원')
    expect(closingText(run({ total: -1, shares: 0 }))).toBeNull()
  })
  test('a ladder that waited says for how much of the time', () => {
    expect(aboveText(run({}, {}, 63.4))).toContain('63%')
    expect(aboveText(run({}, {}, 0.4))).toBeNull()
  })
  test('steps and cells', () => {
    expect([downText(1.2), upText(0.05)]).toEqual(['−1.2%', '+0.05%'])
    const cell = { buyPercent: -1, sellPercent: 2, total: [-5, 7], mostIn: [100, 100] } as const
    expect(cellText(cell)).toBe('매수 −1%, 매도 +2%: 합계 −5원 ~ +7원, 가장 많이 들어간 돈 100원')
  })
})

describe('ranges', () => {
  test.each([
    ['quarter', '20260828'],
    ['year', '20251127'],
    ['three', '20231128'],
    ['ten', '20161127'],
    ['minute', ''],
  ] as const)('%s ends with the last day there is', (range, first) => {
    expect(firstDay(range, '20261127')).toBe(first)
  })
  test('an unknown text of the address is three years of days', () => {
    expect(['', 'year', '<b>', 'minute'].map(pastRangeOf)).toEqual(['three', 'year', 'three', 'minute'])
    expect([unitOf('ten'), unitOf('minute')]).toEqual(['day', 'minute'])
  })
})
