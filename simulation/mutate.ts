import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { CHECKED, type Checked } from './checked.ts'
import { MUTANTS, type Mutant } from './mutants.ts'
import { MutatedCopy } from './mutated-copy.ts'
import { runSimulation } from './run-simulation.ts'

/** Puts each known fault back, one at a time, in a copy, and lets the simulation of the whole server look for it. */
const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    starts: { type: 'string', default: '5' },
    seeds: { type: 'string', default: '1000' },
    /** Seeds of the unchanged sources that must pass first; a check tries its own. */
    unchanged: { type: 'string', default: '3' },
    /** Simulations at the same time. */
    processes: { type: 'string', default: '2' },
    /** Instead: breaks each promise of `checked.ts`, and looks whether its check notices. */
    checks: { type: 'boolean', default: false },
  },
})

const ROOT = resolve(import.meta.dirname, '..')
/** Between the first seeds of two starts: no seed is tried in both. */
const SEEDS_BETWEEN_STARTS = 1_000_000

interface Search {
  readonly start: number
  isFound: boolean
  /** Seeds tried, the one that found it included. */
  seeds: number
  cpuSeconds: number
  what: string
}

const starts = Number(values.starts)
const seeds = Number(values.seeds)
const print = (line: string): void => void process.stdout.write(`${line}\n`)

/** From one first seed on. Found by a seed that the unchanged sources pass; one they fail too is printed and passed over. */
async function search(changed: MutatedCopy, plain: MutatedCopy, start: number): Promise<Search> {
  const found: Search = { start, isFound: false, seeds: 0, cpuSeconds: 0, what: 'NOT FOUND' }
  const first = start * SEEDS_BETWEEN_STARTS
  while (found.seeds < seeds) {
    const run = await runSimulation(changed, first + found.seeds, seeds - found.seeds)
    found.cpuSeconds += run.cpuSeconds
    if (run.kind === 'broken') return { ...found, what: `THE RUN BROKE: ${run.message}` }
    if (run.kind === 'passed') return { ...found, seeds }
    found.seeds = run.seed - first + 1
    const unchanged = await runSimulation(plain, run.seed, 1)
    found.cpuSeconds += unchanged.cpuSeconds
    if (unchanged.kind === 'passed') return { ...found, isFound: true, what: run.message }
    print(`  seed ${run.seed} IS PASSED OVER, IT FAILS WITHOUT THE FAULT TOO: ${unchanged.message}`)
  }
  return found
}

/** Prints a line for each start as it ends. Resolves to how many starts found the mutant. */
async function searchAll(mutant: Mutant, changed: MutatedCopy, plain: MutatedCopy): Promise<Search[]> {
  print(`${mutant.name}: without "${mutant.proves}"`)
  const left = Array.from({ length: starts }, (_, index) => index + 1)
  const done: Search[] = []
  const work = async (): Promise<void> => {
    for (let start = left.shift(); start !== undefined; start = left.shift()) {
      const one = await search(changed, plain, start)
      done.push(one)
      print(`  start ${start}: ${one.seeds} seeds, ${one.cpuSeconds.toFixed(0)} CPU s: ${one.what}`)
    }
  }
  await changed.with(mutant.edits, () => Promise.all(Array.from({ length: Number(values.processes) }, work)))
  return done.toSorted((one, other) => one.start - other.start)
}

function printTable(rows: readonly { readonly name: string; readonly searches: readonly Search[] }[]): void {
  print(`\nseeds until it was found, by start; CPU seconds of all starts; promises that were broken`)
  for (const { name, searches } of rows) {
    const needed = searches.map((one) => (one.isFound ? String(one.seeds) : '—').padStart(5)).join('')
    const cpu = searches.reduce((sum, one) => sum + one.cpuSeconds, 0)
    const promises = new Set(searches.filter(({ isFound }) => isFound).map(({ what }) => promiseOf(what)))
    print(`${name.padEnd(14)}${needed}${cpu.toFixed(0).padStart(8)}  ${[...promises].join(', ')}`)
  }
}

const promiseOf = (message: string): string => message.split(':')[0] ?? ''

async function main(): Promise<number> {
  const mutants = MUTANTS.filter(({ name }) => name.includes(values.only))
  if (mutants.length === 0) {
    print(`no mutant has "${values.only}" in its name: ${MUTANTS.map(({ name }) => name).join(', ')}`)
    return 2
  }
  const plain = new MutatedCopy(ROOT)
  const changed = new MutatedCopy(ROOT)
  try {
    const run = await runSimulation(plain, SEEDS_BETWEEN_STARTS, Number(values.unchanged))
    if (run.kind !== 'passed') {
      print(`The simulation fails without any change: ${run.message}`)
      return 2
    }
    const rows = []
    for (const mutant of mutants) rows.push({ name: mutant.name, searches: await searchAll(mutant, changed, plain) })
    printTable(rows)
    const missed = rows.filter(({ searches }) => searches.some(({ isFound }) => !isFound))
    print(`${rows.length - missed.length} of ${rows.length} known faults are found in each of ${starts} starts`)
    for (const { name } of missed) print(`MISSED: ${name}`)
    return missed.length === 0 ? 0 : 1
  } finally {
    plain.remove()
    changed.remove()
  }
}

/** Runs of some minutes without faults: what is changed shows by itself. */
const runOf = (calmAt: number): readonly string[] => [
  '--faults',
  'none',
  '--calm-at',
  String(calmAt),
  '--end-at',
  String(calmAt + 140_000),
]
const SHORT = runOf(120_000)
const PRESSED = runOf(600_000)
const SEEDS_OF_A_CHECK = 5

/** The first seed that breaks the very promise, and does not without the change; one that breaks another promise is passed over. */
async function notice(
  changed: MutatedCopy,
  plain: MutatedCopy,
  { promise, isPressed }: Checked,
): Promise<{ isFound: boolean; what: string }> {
  const part = isPressed ? PRESSED : SHORT
  const others: string[] = []
  for (let seed = 1; seed <= SEEDS_OF_A_CHECK; seed++) {
    const run = await runSimulation(changed, seed, SEEDS_OF_A_CHECK + 1 - seed, part)
    if (run.kind === 'broken') return { isFound: false, what: `THE RUN BROKE: ${run.message}` }
    if (run.kind === 'passed') break
    seed = run.seed
    const what = `seed ${seed}: ${run.message}`
    const isIt = promiseOf(run.message) === promise
    if (isIt && (await runSimulation(plain, seed, 1, part)).kind === 'passed') return { isFound: true, what }
    others.push(isIt ? `${what}, as without the change` : what)
  }
  return { isFound: false, what: `NOT FOUND${others.length === 0 ? '' : ` but ${others.join(' / ')}`}` }
}

async function mainOfChecks(): Promise<number> {
  const plain = new MutatedCopy(ROOT)
  const changed = new MutatedCopy(ROOT)
  try {
    let missed = 0
    for (const checked of CHECKED.filter(({ promise }) => promise.includes(values.only))) {
      const { isFound, what } = await changed.with(checked.edits, () => notice(changed, plain, checked))
      if (!isFound) missed += 1
      print(`${checked.promise} ← ${checked.breaks} ${what.slice(0, 300)}`)
    }
    print(missed === 0 ? 'every check fails when its promise is broken' : `MISSED: ${missed}`)
    return missed === 0 ? 0 : 1
  } finally {
    plain.remove()
    changed.remove()
  }
}

process.exitCode = await (values.checks ? mainOfChecks() : main())
