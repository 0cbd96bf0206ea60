import { expect, test } from 'vitest'
import { retryAfterMs, secondsToWaitMs } from '../src/channels/retry-after.ts'

const NOW = Date.parse('2026-03-02T09:00:00Z')
const DAY_MS = 86_400_000

test.each([
  ['seconds', '120', 120_000],
  ['none', '0', 0],
  ['a fraction, as Discord has it', '0.25', 250],
  ['more than a day', '99999999', DAY_MS],
  ['more digits than a number has', '9'.repeat(400), DAY_MS],
  ['a date', 'Mon, 02 Mar 2026 09:00:30 GMT', 30_000],
  ['a date of the old form', 'Monday, 02-Mar-26 09:01:00 GMT', 60_000],
  ['a date of the C language', 'Mon Mar  2 09:00:10 2026 GMT', 10_000],
  ['a date that is over', 'Mon, 02 Mar 2026 08:00:00 GMT', 0],
  ['a date next year', 'Tue, 02 Mar 2027 09:00:00 GMT', DAY_MS],
  ['less than nothing', '-5', null],
  ['a word', 'soon', null],
  ['a word that might be a month', 'march', null],
  ['no date', 'Mon, 99 Foo 2026 09:00:30 GMT', null],
  ['nothing', '', null],
  ['no header', null, null],
])('%s: %s', (_name, header, expected) => expect(retryAfterMs(header, NOW)).toBe(expected))

test.each([
  [3, 3_000],
  [1e9, DAY_MS],
  [-1, null],
  [Number.NaN, null],
])('%d seconds are %d ms', (seconds, expected) => expect(secondsToWaitMs(seconds)).toBe(expected))
