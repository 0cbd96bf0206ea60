/** A pretend broker in a process of its own, for the test that kills it. */
import { demoAccounts, startSim } from '../src/index.ts'

const [, , stateDir = ''] = process.argv
const sim = await startSim({
  port: 0,
  hours: 'always',
  clock: { mode: 'manual', start: Date.parse('2026-11-20T10:00:00+09:00') },
  limits: 'off',
  accounts: demoAccounts(2),
  stateDir,
})
process.send?.({ url: sim.url })
