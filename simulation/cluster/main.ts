import '../machine/install.ts'
import { parseArgs } from 'node:util'
import { loadMutants } from './mutated.ts'
import { CLUSTER_MUTANTS, isClusterMutant, KNOWN_SEEDS } from './mutants.ts'

// Loaded after the machine has taken Node's place.
const { DatabaseModel } = await import('../database/model.ts')
const { runSeeds } = await import('./seeds.ts')
const { makeTables } = await import('./template.ts')

const { values } = parseArgs({
  options: {
    workers: { type: 'string', default: '3' },
    seed: { type: 'string' },
    first: { type: 'string', default: '1' },
    seeds: { type: 'string', default: '10' },
    story: { type: 'boolean', default: false },
    /** With one promise of the product left out (mutants.ts); ends with the first seed that fails. */
    mutant: { type: 'string' },
    /** Only seeds whose worst fault is this one. */
    fault: { type: 'string' },
    /** Each mutant with the seed that is known to find it. */
    known: { type: 'boolean', default: false },
  },
})
const print = (line: string): void => void process.stdout.write(`${line}\n`)

const mutant = values.mutant ?? null
if (mutant !== null && !isClusterMutant(mutant))
  throw new Error(`the mutants are ${Object.keys(CLUSTER_MUTANTS).join(', ')}`)

const first = Number(values.seed ?? values.first)
const count = values.seed === undefined ? Number(values.seeds) : 1
const { story, fault = null } = values
const plan = { first, count, workers: Number(values.workers), mutant, fault, story, untilFailure: mutant !== null }

loadMutants()
const database = await DatabaseModel.create()
await makeTables(database)
const failed = await runSeeds(database, plan)
let missed = 0
if (values.known)
  for (const known of KNOWN_SEEDS) {
    const found = await runSeeds(database, { ...plan, ...known, count: 1 })
    if (found.length === 0) missed += 1
    print(`${known.mutant}: ${found.length > 0 ? 'found' : 'NOT FOUND'}`)
  }
print(failed.length === 0 ? `all ${count} seeds passed` : `FAILED seeds: ${failed.join(', ')}`)
if (values.known) print(`${KNOWN_SEEDS.length - missed} of ${KNOWN_SEEDS.length} known faults found`)
await new Promise((resolve) => process.stdout.write('', resolve))
process.exit(failed.length + missed === 0 ? 0 : 1)
