import type { Adjustment } from '@digger/contract'
import { describe, expect, test } from 'vitest'
import { changeText, outcomeTexts, priceChanges, ratioText, sharesOf } from './adjustment.ts'

const lot = (id: number, before: number, after: number) => ({
  id,
  buyDateTime: '2026-11-20T10:00:00.000+09:00',
  count: { before, after },
  buyPrice: { before: 70_000, after: after === 0 ? null : 14_000 },
})
/** A split of one into five that the broker shows already. */
const split: Adjustment = {
  move: { day: '20261120', close: 70_000, base: 14_000 },
  version: 1,
  maxBuyPrice: { before: 75_000, after: 15_000 },
  lastBuyPrice: { before: 69_300, after: 13_860 },
  minSellPrice: { before: null, after: null },
  lots: [lot(1, 2, 10), lot(2, 4, 20)],
  held: 30,
  kept: { before: 0, after: 0 },
  expected: null,
  announced: null,
}

test.each([
  [128_800, 42_950, '지난 종가의 33.35%'],
  [70_000, 14_000, '지난 종가의 20.00%'],
  [1_000, 10_000, '지난 종가의 1,000.00%'],
])('a base of %d after a close of %d is said as a part of it', (close, base, says) =>
  expect(ratioText({ day: '20261120', close, base })).toBe(says),
)

test('only prices that are set change, and the book is summed', () => {
  expect(priceChanges(split)).toEqual([
    { name: '최고 매수가', before: 75_000, after: 15_000 },
    { name: '마지막 매수가', before: 69_300, after: 13_860 },
  ])
  expect(sharesOf(split)).toEqual({ before: 6, after: 30 })
  expect(changeText(split)).toBe('보유 6주 → 30주, 최고 매수가 75,000원 → 15,000원, 마지막 매수가 69,300원 → 13,860원')
})

describe('what comes of it', () => {
  test('book and broker agree afterwards', () =>
    expect(outcomeTexts(split)).toEqual(['조정한 뒤 장부와 증권사가 30주로 같습니다.']))

  test('or they do not, and the person learns it before', () =>
    expect(outcomeTexts({ ...split, held: 28 })).toEqual([
      '조정한 뒤 장부는 30주, 증권사는 28주로 서로 다릅니다. 조정한 다음 잔고 확인이 필요합니다.',
    ]))

  test('bonus shares that come later are announced with their cost', () => {
    const bonus = { ...split, lots: [lot(1, 6, 6)], held: 6, expected: { count: 6, amount: 207_900 } }
    expect(outcomeTexts(bonus)).toEqual([
      '조정한 뒤 장부와 증권사가 6주로 같습니다.',
      '새 주식 6주는 나중에 들어옵니다. 그 값 207,900원을 따로 적어 두었다가, 들어오면 장부에 넣습니다.',
    ])
  })

  test('what the person keeps goes with it, now or later', () => {
    const kept = { ...split, held: 530, kept: { before: 100, after: 500 } }
    expect(outcomeTexts(kept)).toEqual([
      '조정한 뒤 장부와 증권사가 30주로 같습니다.',
      '직접 관리하는 주식은 100주에서 500주가 됩니다.',
    ])
    const coming = { ...split, lots: [lot(1, 6, 6)], held: 13, kept: { before: 7, after: 7 } }
    expect(outcomeTexts({ ...coming, expected: { count: 6, amount: 207_900, ofPerson: 7 } }).at(-1)).toContain(
      '직접 관리하는 주식에도 7주가 더해집니다.',
    )
    expect(outcomeTexts({ ...coming, held: 5 })[0]).toContain('증권사는 직접 관리하는 수량보다도 적어 서로 다릅니다.')
  })

  test('a lot of less than one new share ends', () =>
    expect(outcomeTexts({ ...split, lots: [lot(1, 12, 1), lot(2, 4, 0)], held: 1 })).toEqual([
      '조정한 뒤 장부와 증권사가 1주로 같습니다.',
      '새 주식 1주가 되지 못한 매매 1건은 돈으로 받은 것으로 보고 끝냅니다.',
    ]))

  test('without lots only the settings change', () => {
    const empty = { ...split, lots: [], held: 0 }
    expect(outcomeTexts(empty)).toEqual(['보유한 매매가 없어 설정의 가격만 바뀝니다.'])
    expect(changeText(empty)).not.toContain('주 →')
  })
})
