import { expect, test } from 'vitest'
import { grouped, won } from './text.ts'

test.each([
  [0, '0'],
  [999, '999'],
  [1_000, '1,000'],
  [70_100, '70,100'],
  [1_234_567, '1,234,567'],
  [-1_000, '-1,000'],
  [-100, '-100'],
])('%i is written %s', (n, text) => {
  expect(grouped(n)).toBe(text)
  expect(won(n)).toBe(`${text}원`)
})
