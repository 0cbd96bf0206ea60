import { afterEach, expect, test } from 'vitest'
import type { StoredToken } from '@digger/kis'
import type { Sim } from '@digger/kis-sim'
import { examineToken, type Finding } from '../src/index.ts'
import { brokerOf, clientOf, examinerOf, type Assumptions } from './fixture.ts'

let sim: Sim
afterEach(() => sim.close())

const HOUR = 3_600_000

/** A token is had at first, and another one is asked for so many hours later. */
async function examined(assumptions: Assumptions, hours: number): Promise<Finding[]> {
  sim = await brokerOf({ assumptions })
  const tokens = new Map<string, StoredToken>()
  const older = clientOf(sim, sim.url, tokens)
  await older.rest.quote('005930')
  const [first] = [...tokens.values()]
  await sim.clock.advance(hours * HOUR)
  const other = new Map<string, StoredToken>()
  const newer = clientOf(sim, sim.url, other)
  const findings = await examineToken(
    examinerOf(sim, older.rest),
    examinerOf(sim, newer.rest),
    async () => [...other.values()][0]?.token === first?.token,
  )
  await Promise.all([older.close(), newer.close()])
  return findings
}

test.each([
  ['as believed the older one dies', {}, 7, 'ok', '옛 토큰은 끊깁니다'],
  ['olderTokenDies false: it lives', { olderTokenDies: false }, 7, 'note', '옛 토큰이 살아 있습니다'],
  ['within six hours the same one comes', {}, 1, 'ok', '같은 토큰을 줍니다'],
] as const)('%s', async (_name, assumptions, hours, level, text) => {
  const findings = await examined(assumptions, hours)
  expect(findings.map((one) => one.level)).toEqual([level])
  expect(findings[0]?.text).toContain(text)
})
