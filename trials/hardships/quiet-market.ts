/** A pretend broker whose prices move only on command. Prints its addresses as one line of JSON. */
import { startSim } from '@digger/kis-sim'

const sim = await startSim({
  port: 0,
  seed: Number(process.argv[2] ?? 1),
  hours: 'always',
  clock: { mode: 'real' },
  walk: 'off',
  // As in the livelier one: servers here end before they have stored their token.
  assumptions: { tokenPauseMs: 0 },
})
process.stdout.write(`${JSON.stringify({ url: sim.url, wsUrl: sim.wsUrl })}\n`)
process.once('SIGTERM', () => void sim.close())
