import { SCENARIOS, type Seen } from './scenarios.ts'

/** The scenarios on real sockets; prints what was seen. */
const place = { asServer: <T>(run: () => T): T => run(), asClient: <T>(run: () => T): T => run() }
const seen = await Promise.all(
  Object.entries(SCENARIOS).map(async ([name, scenario]): Promise<[string, Seen]> => [name, await scenario(place, 0)]),
)
process.stdout.write(JSON.stringify(Object.fromEntries(seen)))
