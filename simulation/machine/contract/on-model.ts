import '../install.ts'
import { setWorld, World } from '../world.ts'
import type { Seen } from './scenarios.ts'

/** The scenarios in a world; prints what was seen. */
const { SCENARIOS } = await import('./scenarios.ts')
const seen: Record<string, Seen> = {}
for (const [name, scenario] of Object.entries(SCENARIOS)) {
  const world = new World(1, Date.parse('2026-11-23T09:00:00+09:00'))
  setWorld(world)
  const line = world.network.line('client', 'server')
  // Loopback neither splits nor waits.
  line.inParts = 0
  const [server, client, test] = ['server', 'client', 'test'].map((process) => world.start(process))
  if (server === undefined || client === undefined || test === undefined) throw new Error('unreachable')
  const place = {
    asServer: <T>(run: () => T): T => world.enter(server, run),
    asClient: <T>(run: () => T): T => world.enter(client, run),
  }
  let done = false
  const play = async (): Promise<void> => {
    seen[name] = await scenario(place, 8_080)
    done = true
  }
  world.at(0, test, () => void play().catch((error: unknown) => world.fail(error)))
  await world.run(60_000, () => done)
  world.close()
  setWorld(null)
}
process.stdout.write(JSON.stringify(seen), () => process.exit(0))
