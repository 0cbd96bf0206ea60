import { startSim } from '@digger/kis-sim'
import { expect, test } from 'vitest'
import { type Alteration, alteringProxy } from './altering.ts'
import { KEYS, ME, not } from './fixture.ts'
import { MARKET_CHECKS } from './market-checks.ts'
import { runPaper } from './run.ts'

test('at the pace that paper wants: one call a second is enforced, and none is refused', async () => {
  const sim = await startSim({ port: 0, hours: 'always', accounts: [{ credentials: ME, env: 'paper' }] })
  let refused = 0
  const alter: Alteration = (_address, { msg_cd: code }) => void (refused += code === 'EGW00201' ? 1 : 0)
  await using proxy = await alteringProxy(sim.url, alter)
  const began = performance.now()
  const env = { ...KEYS, KIS_PAPER: '1', KIS_REST_URL: proxy.url, KIS_WS_URL: sim.wsUrl }
  const lines: string[] = []
  const outcomes = await runPaper({ env, write: (line) => void lines.push(line) }, MARKET_CHECKS.slice(0, 3))
  expect(not(outcomes ?? new Map(), 'passed')).toEqual([])
  expect(refused).toBe(0)
  // Four quotes.
  expect(performance.now() - began).toBeGreaterThan(3 * 1_100)
  await sim.close()
})
