import { parseArgs } from 'node:util'
import { FAULTS, isFault, type Fault } from './faults.ts'
import { DAYS_PER_RUN, simulate, type Outcome } from './run.ts'

const { values } = parseArgs({
  options: {
    days: { type: 'string', default: '10000' },
    seed: { type: 'string' },
    first: { type: 'string', default: '1' },
    trace: { type: 'boolean', default: false },
  },
})

const print = (line: string): void => void process.stdout.write(`${line}\n`)

process.exitCode =
  values.seed === undefined ? many(Number(values.days), Number(values.first)) : one(Number(values.seed))

/** Replays one seed exactly. */
function one(seed: number): number {
  const outcome = simulate(seed, values.trace)
  for (const line of outcome.trace) print(line)
  print(`seed ${seed}: ${outcome.failure === null ? 'all promises kept' : outcome.failure.message}`)
  return outcome.failure === null ? 0 : 1
}

function many(days: number, first: number): number {
  const runs = Math.ceil(days / DAYS_PER_RUN)
  print(`${runs * DAYS_PER_RUN} account-days, seeds ${first}…${first + runs - 1}`)
  const started = performance.now()
  const outcomes: Outcome[] = []
  for (let seed = first; seed < first + runs; seed++) outcomes.push(simulate(seed))
  const seconds = (performance.now() - started) / 1_000
  const sum = (of: (outcome: Outcome) => number) => outcomes.reduce((total, outcome) => total + of(outcome), 0)
  const idle: Fault[] = []
  for (const fault of Object.keys(FAULTS).filter(isFault)) {
    const count = sum((outcome) => outcome.counts.get(fault) ?? 0)
    if (count === 0) idle.push(fault)
    print(`  ${fault.padEnd(28)} ${String(count).padStart(9)}`)
  }
  print(
    `  orders ${sum((o) => o.orders)}, with fills ${sum((o) => o.fills)}, facts ${sum((o) => o.facts)}, swaps ${sum((o) => o.swaps)}`,
  )
  print(`  ${((runs * DAYS_PER_RUN) / seconds).toFixed(1)} account-days/s`)
  const failed = outcomes.filter((outcome) => outcome.failure !== null)
  for (const { seed, failure } of failed.slice(0, 20)) print(`  FAILED seed ${seed}: ${failure?.message}`)
  if (idle.length > 0) print(`  IDLE: ${idle.join(', ')}`)
  print(failed.length === 0 && idle.length === 0 ? 'every promise kept' : `${failed.length} of ${runs} runs failed`)
  return failed.length === 0 && idle.length === 0 ? 0 : 1
}
