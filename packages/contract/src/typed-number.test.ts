import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readNumber, readWon } from './typed-number.ts'

describe('a number as it is typed', () => {
  test.each([
    ['1,000,000', 1_000_000],
    [' 70 ', 70],
    ['１，０００', 1_000],
    ['−0.01', -0.01],
    ['＋1.2', 1.2],
    ['', null],
    ['　', null],
    ['7 0', undefined],
    ['1,00', undefined],
    ['칠만', undefined],
    ['7만', undefined],
    ['1.2.3', undefined],
    ['1e5', undefined],
    ['-', undefined],
  ])('%j is %j', (text, number) => expect(readNumber(text)).toBe(number))
})

describe('an amount in won as it is typed', () => {
  test.each([
    ['1,000만', 10_000_000],
    ['1000만원', 10_000_000],
    ['1억', 100_000_000],
    ['1억 2,000만', 120_000_000],
    ['1억2345', 100_002_345],
    ['1.5억', 150_000_000],
    ['1.1만', 11_000],
    ['1,000 만', undefined],
    ['1,000만 원', 10_000_000],
    ['7 0', undefined],
    ['７０，０００원', 70_000],
    ['-5', -5],
    ['', null],
    ['만', undefined],
    ['원', undefined],
    ['2만 1억', undefined],
    ['1만만', undefined],
    ['1,00만', undefined],
    ['칠만', undefined],
  ])('%j is %j', (text, won) => expect(readWon(text)).toBe(won))

  test('whatever is shown with separators is read back', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), (won) => {
        expect(readWon(won.toLocaleString('ko-KR'))).toBe(won === 0 ? 0 : won)
      }),
    )
  })
})
