import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { parseIncident, playIncident } from '../../src/index.ts'
import { FAULTS, isFault, type Fault } from './faults.ts'
import { incidentBegins } from './beginning.ts'
import { attack, DAYS_PER_RUN, IDLE_SHARE, simulate, type Outcome } from './run.ts'

const { values } = parseArgs({
  options: {
    days: { type: 'string' },
    seed: { type: 'string' },
    first: { type: 'string', default: '1' },
    trace: { type: 'boolean', default: false },
    /** A file of `npm run explain -- --incident`: played first, then its end is where every run begins. */
    incident: { type: 'string' },
  },
})

/** Account-days without `--days`; an incident has more stocks, and so takes longer. */
const DAYS = { new: 10_000, incident: 300 }

const print = (line: string): void => void process.stdout.write(`${line}\n`)

type Run = (seed: number, trace?: boolean) => Outcome

process.exitCode = values.incident === undefined ? play(simulate, DAYS.new) : fromIncident(values.incident)

function play(run: Run, days: number): number {
  return values.seed === undefined
    ? many(run, Number(values.days ?? days), Number(values.first))
    : one(run, Number(values.seed))
}

/** Takes every decision of the incident again, and attacks the state it left behind. */
function fromIncident(path: string): number {
  const incident = parseIncident(readFileSync(path, 'utf8'))
  const played = playIncident(incident)
  const { length } = incident.steps
  print(
    `incident of ${incident.day} by version ${incident.program}: ${length} steps, ${played.decided} with their inputs`,
  )
  const { divergence } = played
  if (divergence === null) print(`  ${played.decided} decisions made again: every fact the same`)
  else {
    print(`  DIFFERS first at journal row ${divergence.step.seq} (${divergence.step.input?.event.kind ?? ''})`)
    for (const fact of divergence.step.facts) print(`    then ${JSON.stringify(fact)}`)
    for (const fact of divergence.now) print(`    now  ${JSON.stringify(fact)}`)
  }
  const begins = incidentBegins(incident, played)
  const failed = play((seed, trace) => attack(begins, seed, trace), DAYS.incident)
  return divergence === null ? failed : 1
}

/** Replays one seed exactly. */
function one(run: Run, seed: number): number {
  const outcome = run(seed, values.trace)
  for (const line of outcome.trace) print(line)
  print(`seed ${seed}: ${outcome.failure === null ? 'all promises kept' : outcome.failure.message}`)
  return outcome.failure === null ? 0 : 1
}

function many(run: Run, days: number, first: number): number {
  const runs = Math.ceil(days / DAYS_PER_RUN)
  print(`${runs * DAYS_PER_RUN} account-days, seeds ${first}…${first + runs - 1}`)
  const started = performance.now()
  const outcomes: Outcome[] = []
  for (let seed = first; seed < first + runs; seed++) outcomes.push(run(seed))
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
  const nothingDue = outcomes.filter(({ due, failure }) => due === 0 && failure === null).length
  print(`  automatic orders after the last fault ${sum((o) => o.due)}, runs in which none was due ${nothingDue}`)
  const isIdle = nothingDue > runs * IDLE_SHARE
  if (isIdle) print('  IDLE: too many runs in which nothing was due')
  // One account's incident has not every fault in it.
  const isMissing = idle.length > 0 && values.incident === undefined
  if (isMissing) print(`  IDLE: ${idle.join(', ')}`)
  const good = failed.length === 0 && !isIdle && !isMissing
  print(good ? 'every promise kept' : `${failed.length} of ${runs} runs failed`)
  return good ? 0 : 1
}
