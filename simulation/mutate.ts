import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { MUTANTS, type Mutant } from './mutants.ts'
import { MutatedCopy } from './mutated-copy.ts'
import { resultOf, type RunResult } from './run-result.ts'

/** Puts each known fault back, one at a time, in a copy, and lets the simulation of the whole server look for it. */
const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    starts: { type: 'string', default: '5' },
    seeds: { type: 'string', default: '1000' },
    /** Seeds of the unchanged sources that must pass first. */
    unchanged: { type: 'string', default: '3' },
  },
})

const ROOT = resolve(import.meta.dirname, '..')
/** Between the first seeds of two starts: no seed is tried in both. */
const SEEDS_BETWEEN_STARTS = 1_000_000
/** A simulation that hangs for this long has found nothing, ms. */
const RUN_TIMEOUT_MS = 3 * 3_600_000
/** Clock ticks a second in which Linux counts CPU time. */
const TICKS_PER_SECOND = 100

const starts = Number(values.starts)
const seeds = Number(values.seeds)
const print = (line: string): void => void process.stdout.write(`${line}\n`)

/** CPU seconds of all children that have ended; NaN elsewhere than on Linux. */
function childSeconds(): number {
  try {
    const fields = readFileSync('/proc/self/stat', 'latin1')
      .replace(/^.*\) /s, '')
      .split(' ')
    return (Number(fields[13]) + Number(fields[14])) / TICKS_PER_SECOND
  } catch {
    return Number.NaN
  }
}

function simulate(copy: MutatedCopy, first: number, count: number): RunResult & { readonly cpuSeconds: number } {
  const before = childSeconds()
  const args = ['simulation/main.ts', '--first', String(first), '--seeds', String(count), '--until-failure']
  const run = spawnSync(process.execPath, args, {
    cwd: copy.folder,
    encoding: 'utf8',
    timeout: RUN_TIMEOUT_MS,
    maxBuffer: Number.POSITIVE_INFINITY,
  })
  return { ...resultOf(run), cpuSeconds: childSeconds() - before }
}

/** How many starts found the mutant. */
function search(copy: MutatedCopy, mutant: Mutant): number {
  print(`${mutant.name}: without "${mutant.proves}"`)
  let found = 0
  for (let start = 1; start <= starts; start += 1) {
    const first = start * SEEDS_BETWEEN_STARTS
    const result = copy.with(mutant.edits, () => simulate(copy, first, seeds))
    const cpu = `${result.cpuSeconds.toFixed(1)} CPU s`
    if (result.kind === 'failed') {
      // A seed that fails anyway has found something else.
      const isFound = simulate(copy, result.seed, 1).kind === 'passed'
      if (isFound) found += 1
      const note = isFound ? '' : ', BUT IT FAILS WITHOUT THE FAULT TOO'
      print(`  start ${start}: seed ${result.seed} after ${result.seed - first + 1} (${cpu})${note}: ${result.message}`)
    } else if (result.kind === 'passed') print(`  start ${start}: NOT FOUND within ${seeds} seeds (${cpu})`)
    else print(`  start ${start}: THE RUN BROKE (${cpu}): ${result.message}`)
  }
  return found
}

function main(): number {
  const mutants = MUTANTS.filter(({ name }) => name.includes(values.only))
  if (mutants.length === 0) {
    print(`no mutant has "${values.only}" in its name: ${MUTANTS.map(({ name }) => name).join(', ')}`)
    return 2
  }
  const copy = new MutatedCopy(ROOT)
  try {
    const plain = simulate(copy, SEEDS_BETWEEN_STARTS, Number(values.unchanged))
    if (plain.kind !== 'passed') {
      print(`The simulation fails without any change: ${plain.message}`)
      return 2
    }
    const missed = mutants.filter((mutant) => search(copy, mutant) < starts)
    print(`${mutants.length - missed.length} of ${mutants.length} known faults are found in each of ${starts} starts`)
    for (const { name } of missed) print(`MISSED: ${name}`)
    return missed.length === 0 ? 0 : 1
  } finally {
    copy.remove()
  }
}

process.exitCode = main()
