import { expect, test } from 'vitest'
import { isSecond } from './secondPress.ts'

const first = { x: 200, y: 400, at: 1_000 }

test.each([
  ['the same place a moment later', { x: 200, y: 400, at: 1_120 }, true],
  ['a finger that moved a little', { x: 210, y: 410, at: 1_300 }, true],
  ['elsewhere', { x: 200, y: 460, at: 1_120 }, false],
  ['later, on purpose', { x: 200, y: 400, at: 1_500 }, false],
])('%s', (_name, press, second) => {
  expect(isSecond(first, press)).toBe(second)
})
