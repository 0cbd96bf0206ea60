import { expect, test } from 'vitest'
import { DEFAULT_SETTINGS } from '../replay/settings.ts'
import { compare } from './compared.ts'
import { GAPS } from './gaps.ts'

// The whole product is driven over sockets and a database, the back-test is a loop: what they trade is the same, to the won.
test('live and back-test make the same trades, each lot at its target', { timeout: 120_000 }, async () => {
  const { live, tested, faults } = await compare(GAPS, DEFAULT_SETTINGS, 7)
  expect([faults, live.lines.length > 8]).toEqual([[], true])
  expect(tested).toEqual(live)
})
