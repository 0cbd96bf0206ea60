import '../machine/install.ts'
import { parseArgs } from 'node:util'

// Loaded after the machine has taken Node's place.
const { DatabaseModel } = await import('../database/model.ts')
const { makeTemplate } = await import('../make-template.ts')
const { simulateWorkers } = await import('./run.ts')

const { values } = parseArgs({
  options: {
    workers: { type: 'string', default: '3' },
    seed: { type: 'string' },
    first: { type: 'string', default: '1' },
    seeds: { type: 'string', default: '10' },
    story: { type: 'boolean', default: false },
  },
})
const first = Number(values.seed ?? values.first)
const last = values.seed === undefined ? first + Number(values.seeds) - 1 : first
const print = (line: string): void => void process.stdout.write(`${line}\n`)

const database = await DatabaseModel.create()
await makeTemplate(database)
let failed = 0
for (let seed = first; seed <= last; seed += 1) {
  const { failure, steps, sent, claims, story } = await simulateWorkers(seed, database, Number(values.workers))
  if (values.story) for (const line of story) print(line)
  print(`seed ${seed}: ${failure?.message ?? 'passed'} (${steps} steps, ${claims} claims, ${sent} orders)`)
  if (failure !== null) failed += 1
}
print(failed === 0 ? `all ${last - first + 1} seeds passed` : `${failed} seeds failed`)
await new Promise((resolve) => process.stdout.write('', resolve))
process.exit(failed === 0 ? 0 : 1)
