import { kstInstant } from '@digger/core'
import { expect, test } from 'vitest'
import { isQuiet } from './quiet.ts'

test.each([
  ['000000', true],
  ['072959', true],
  ['073000', false],
  // NXT trades.
  ['080000', false],
  ['082959', false],
  ['120000', false],
  ['195959', false],
  ['200000', true],
  ['235959', true],
])('speed is measured at %s: %s', (clock, isMeasured) => {
  expect(isQuiet(kstInstant('20261116', clock))).toBe(isMeasured)
})
