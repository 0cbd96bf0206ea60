/** The pretend KIS inside the trial's machine: its exchange is open in its own hours, by the clock of the process, and what it knows outlives the machine's power. */
import { demoCredentials, startSim } from '@digger/kis-sim'
import { PAPER_CUSTOMER } from './person.ts'

const sim = await startSim({
  port: 18_443,
  hours: 'krx',
  // What the first versions asked for; the broker has refused it since.
  assumptions: { balanceByIssue: 'answered' },
  stateDir: process.argv[2] ?? '',
  accounts: [{ credentials: demoCredentials(PAPER_CUSTOMER), env: 'paper' }],
})
process.on('SIGTERM', () => void sim.close().then(() => process.exit(0)))
