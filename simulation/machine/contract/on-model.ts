import '../install.ts'
import { setSimulation, Simulation } from '../simulation.ts'
import type { Seen } from './scenarios.ts'

/** The scenarios in a simulation; prints what was seen. */
const { SCENARIOS } = await import('./scenarios.ts')
const seen: Record<string, Seen> = {}
for (const [name, scenario] of Object.entries(SCENARIOS)) {
  const simulation = new Simulation(1, Date.parse('2026-11-23T09:00:00+09:00'))
  setSimulation(simulation)
  const line = simulation.network.line('client', 'server')
  // Loopback neither splits nor waits.
  line.inParts = 0
  const [server, client, test] = ['server', 'client', 'test'].map((process) => simulation.start(process))
  if (server === undefined || client === undefined || test === undefined) throw new Error('unreachable')
  const place = {
    asServer: <T>(run: () => T): T => simulation.enter(server, run),
    asClient: <T>(run: () => T): T => simulation.enter(client, run),
  }
  let done = false
  const play = async (): Promise<void> => {
    seen[name] = await scenario(place, 8_080)
    done = true
  }
  simulation.at(0, test, () => void play().catch((error: unknown) => simulation.fail(error)))
  await simulation.run(60_000, () => done)
  await simulation.close()
  setSimulation(null)
}
process.stdout.write(JSON.stringify(seen), () => process.exit(0))
