import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { z } from 'zod'

/** What came of seeds that follow each other, run by one process. */
const Range = z.object({
  /** Of the program (version.ts). */
  version: z.string(),
  first: z.number(),
  last: z.number(),
  seeds: z.number(),
  failures: z.array(z.object({ seed: z.number(), message: z.string() })),
  simulatedMs: z.number(),
  cpuSeconds: z.number(),
  steps: z.number(),
  orders: z.number(),
  fills: z.number(),
  /** How often each kind struck. */
  faults: z.record(z.string(), z.number()),
  presses: z.record(z.string(), z.number()),
  peaks: z.object({ queue: z.number(), armedMs: z.number(), dueMs: z.number() }),
})
export type Range = z.output<typeof Range>

/** What a range takes from a run. */
export interface Ran {
  readonly plan: { readonly seed: number }
  readonly failure: { readonly message: string } | null
  readonly simulatedMs: number
  readonly steps: number
  readonly orders: number
  readonly fills: number
  readonly queuePeak: number
  readonly struck: readonly string[]
  readonly pressed: readonly string[]
  readonly life: { readonly armedMs: number; readonly dueMs: readonly number[] } | null
}

export function rangeOf(version: string, runs: readonly Ran[], cpuSeconds: number): Range {
  const seeds = runs.map(({ plan }) => plan.seed)
  const sum = (of: (run: Ran) => number): number => runs.reduce((total, run) => total + of(run), 0)
  return {
    version,
    first: Math.min(...seeds),
    last: Math.max(...seeds),
    seeds: seeds.length,
    failures: runs.flatMap(({ plan, failure }) =>
      failure === null ? [] : [{ seed: plan.seed, message: failure.message.slice(0, 500) }],
    ),
    simulatedMs: sum(({ simulatedMs }) => simulatedMs),
    cpuSeconds,
    steps: sum(({ steps }) => steps),
    orders: sum(({ orders }) => orders),
    fills: sum(({ fills }) => fills),
    faults: counted(runs.flatMap(({ struck }) => struck)),
    presses: counted(runs.flatMap(({ pressed }) => pressed)),
    peaks: {
      queue: Math.max(...runs.map(({ queuePeak }) => queuePeak)),
      armedMs: Math.max(0, ...runs.map(({ life }) => life?.armedMs ?? 0)),
      dueMs: Math.max(0, ...runs.flatMap(({ life }) => life?.dueMs ?? [])),
    },
  }
}

const counted = (names: readonly string[]): Record<string, number> =>
  Object.fromEntries([...Map.groupBy(names, (name) => name)].map(([name, each]) => [name, each.length]))

/** One write of one line: processes that share the file do not mix theirs. */
export const addRange = (file: string, range: Range): void => appendFileSync(file, `${JSON.stringify(range)}\n`)

/** Empty when there is no file yet. A line that was cut off by the end of its process is left out. */
export function readRanges(file: string): Range[] {
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines.filter((line) => line.endsWith('}')).map((line) => Range.parse(JSON.parse(line)))
}

/** The first seed from `first` on that a version of the program has not run. */
export function nextSeed(ranges: readonly Range[], version: string, first: number): number {
  const ofVersion = ranges.filter((range) => range.version === version)
  let next = first
  for (const range of ofVersion.toSorted((one, other) => one.first - other.first))
    if (range.first <= next && range.last >= next) next = range.last + 1
  return next
}

const HOUR_MS = 3_600_000

/** The sums of each version of the program, for people. `faults`: every kind there is. */
export function sumLines(ranges: readonly Range[], faults: readonly string[]): string[] {
  const versions = [...Map.groupBy(ranges, ({ version }) => version)]
  return versions.flatMap(([version, each]) => [`version ${version}`, ...sumOf(each, faults)])
}

function sumOf(ranges: readonly Range[], faults: readonly string[]): string[] {
  const sum = (of: (range: Range) => number): number => ranges.reduce((total, range) => total + of(range), 0)
  const peak = (of: (range: Range) => number): number => Math.round(Math.max(...ranges.map(of)))
  const struck = faults.map((name) => ({ name, count: sum((range) => range.faults[name] ?? 0) }))
  const idle = struck.filter(({ count }) => count === 0).map(({ name }) => name)
  const failures = ranges.flatMap((range) => range.failures)
  const cpu = sum((range) => range.cpuSeconds)
  const hours = sum((range) => range.simulatedMs) / HOUR_MS
  const twice = seedsTwice(ranges)
  return [
    `  ${sum((range) => range.seeds)} seeds in ${ranges.length} ranges${twice === 0 ? '' : `, ${twice} OF THEM TWICE`}`,
    `  ${hours.toFixed(1)} server-hours in ${(cpu / 3_600).toFixed(2)} CPU-hours: ${(hours / cpu).toFixed(3)} server-hours per CPU-second`,
    `  ${sum((range) => range.steps)} steps, ${sum((range) => range.orders)} orders, ${sum((range) => range.fills)} fills, ${sum((range) => total(range.presses))} presses`,
    `  peaks: queue ${peak(({ peaks }) => peaks.queue)}, armed after ${peak(({ peaks }) => peaks.armedMs)} ms, due orders out after ${peak(({ peaks }) => peaks.dueMs)} ms`,
    `  ${sum((range) => total(range.faults))} faults of ${faults.length - idle.length} kinds`,
    ...struck.map(({ name, count }) => `    ${name.padEnd(20)} ${String(count).padStart(7)}`),
    ...(idle.length === 0 ? [] : [`  NEVER STRUCK: ${idle.join(', ')}`]),
    ...failures.slice(0, 20).map(({ seed, message }) => `  FAILED seed ${seed}: ${message.split('\n')[0]}`),
    `  ${failures.length} failures`,
  ]
}

const total = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0)

/** Seeds of ranges that overlap. */
function seedsTwice(ranges: readonly Range[]): number {
  let twice = 0
  let until = Number.NEGATIVE_INFINITY
  for (const { first, last } of ranges.toSorted((one, other) => one.first - other.first)) {
    twice += Math.max(0, Math.min(until, last) - first + 1)
    until = Math.max(until, last)
  }
  return twice
}
