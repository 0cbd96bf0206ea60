/** A pretend broker in a process of its own, livelier than any real day. Prints its addresses as one line of JSON. */
import { startSim } from '@digger/kis-sim'

const sim = await startSim({
  port: 0,
  seed: Number(process.argv[2] ?? 1),
  hours: 'always',
  clock: { mode: 'real' },
  walk: { volatility: 0.6, ticksPerSecond: 10 },
  // A server that is killed before it has stored its token asks for another one: a minute's wait would prove nothing.
  assumptions: { tokenPauseMs: 0 },
})
process.stdout.write(`${JSON.stringify({ url: sim.url, wsUrl: sim.wsUrl })}\n`)
process.once('SIGTERM', () => void sim.close())
