import { expect, test } from 'vitest'
import { isOldKey, keyDays } from './keyAge.ts'
import { withHyphen } from './kisKeys.ts'

const NOW = Date.parse('2026-11-20T13:30:00+09:00')

test.each([
  ['2026-11-20T13:30:00+09:00', 0, false],
  ['2026-11-19T13:30:01+09:00', 0, false],
  ['2025-12-21T13:30:00+09:00', 334, false],
  ['2025-12-20T13:30:00+09:00', 335, true],
  // The clock of this device may be behind the server's.
  ['2026-11-20T13:31:00+09:00', 0, false],
])('keys of %s are %i days old, and old enough to be replaced: %s', (storedAt, days, isOld) => {
  expect([keyDays(storedAt, NOW), isOldKey(keyDays(storedAt, NOW))]).toEqual([days, isOld])
})

test.each([
  ['12345678', '12345678'],
  ['123456780', '12345678-0'],
  ['1234567801', '12345678-01'],
  ['12345678-01', '12345678-01'],
  ['12345678-', '12345678-'],
  ['12345678012', '12345678012'],
  ['１２３', '１２３'],
])('%s typed as an account number shows %s', (text, shown) => expect(withHyphen(text)).toBe(shown))
