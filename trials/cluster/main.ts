/**
 * `npm run prove -- chaos [--seed N] [--runs N] [--faults N] [--short] [--alone | --outages | --promote | --rolling] [--kinds kill,freeze]
 * [--accounts N] [--stocks N] [--prepared DIR] [--results FILE [--resume]] [--sum] [--folder DIR]`: workers, PostgreSQL, NATS and the pretend exchange as
 * real processes on hosts of their own, struck by faults, and judged by the exchange's own list. At the end of each run all that
 * went over NATS, and a dump of the database, are searched for every secret that the trial knows.
 */
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { notRun } from '../../scripts/not-run.ts'
import { clusterMissing } from './cluster-missing.ts'
import { newFolder } from './new-folder.ts'
import { isFaultKind, type FaultKind } from './plan.ts'
import { addResult, isDone, readResults, type RunResult, sumOf } from './results.ts'
import { type Mode, nameOf, runChaos } from './run.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    /** So many seeds, each with a new cluster. */
    runs: { type: 'string', default: '1' },
    faults: { type: 'string', default: '30' },
    short: { type: 'boolean', default: false },
    /** One fault after the other, each when all has recovered: how long that takes. */
    alone: { type: 'boolean', default: false },
    /** The bus down for a minute, the database for half a minute. */
    outages: { type: 'boolean', default: false },
    /** The primary is lost and its synchronous standby promoted, `faults` times. */
    promote: { type: 'boolean', default: false },
    /** `faults` workers are replaced one after the other, as for a new version. */
    rolling: { type: 'boolean', default: false },
    kinds: { type: 'string', default: '' },
    accounts: { type: 'string', default: '30' },
    stocks: { type: 'string', default: '4' },
    gateways: { type: 'string', default: '1' },
    /** Each run adds a line to it. */
    results: { type: 'string' },
    /** Leaves out the seeds that the results have. */
    resume: { type: 'boolean', default: false },
    /** Only adds up what the results have. */
    sum: { type: 'boolean', default: false },
    folder: { type: 'string' },
    /** The accounts of an earlier run of this size; where it is not there yet this run keeps its own in it. */
    prepared: { type: 'string' },
  },
})
const print = (line: string): void => void process.stdout.write(`${line}\n`)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

const before = values.results === undefined ? [] : readResults(values.results)
if (values.sum) {
  sumOf(before).forEach(print)
  process.exit(before.some(({ problems }) => problems.length > 0) ? 1 : 0)
}
const missing = clusterMissing()
if (missing !== null) {
  notRun(missing)
  process.exit()
}
const results: RunResult[] = values.resume ? before : []
const root = values.folder ?? newFolder()
const { short } = values
const modes: readonly (readonly [boolean, Mode])[] = [
  [values.promote, 'promotions'],
  [values.outages, 'outages'],
  [values.alone, 'alone'],
  [values.rolling, 'rolling'],
]
const mode = modes.find(([isChosen]) => isChosen)?.[1] ?? 'overlapping'
const first = Number(values.seed)
for (let seed = first; seed < first + Number(values.runs); seed += 1) {
  const name = nameOf({ short, mode })
  if (isDone(results, seed, name)) continue
  print(`seed ${seed}, ${name}: ${root}/${seed}`)
  const result = await runChaos({
    seed,
    short,
    mode,
    faults: Number(values.faults),
    ...(values.kinds !== '' && { kinds: values.kinds.split(',').map(kindOf) }),
    size: {
      accounts: Number(values.accounts),
      stocks: Number(values.stocks),
      workers: 3,
      gateways: Number(values.gateways),
    },
    folder: join(root, String(seed)),
    prepared: values.prepared,
    print: (line) => print(`  ${line}`),
  })
  results.push(result)
  if (values.results !== undefined) addResult(values.results, result)
  for (const problem of result.problems) print(`  PROBLEM ${problem}`)
}
sumOf(results).forEach(print)
const problems = results.reduce((sum, result) => sum + result.problems.length, 0)
print(`${results.length} runs from seed ${first}, ${problems} problems`)
process.exit(results.some(({ problems }) => problems.length > 0) ? 1 : 0)

function kindOf(name: string): FaultKind {
  if (!isFaultKind(name)) throw new Error(`no fault is called ${name}`)
  return name
}
