import { addLooks, lookLines, type Range } from './results.ts'

const HOUR_MS = 3_600_000
/** So many failures are listed. */
const FAILURES_SHOWN = 20

export interface Sum {
  readonly lines: readonly string[]
  /** Why the ranges do not show that the program keeps its promises; empty: they do. */
  readonly problems: readonly string[]
}

/** The sum of the newest version's ranges, for people. `faults`: every kind there is. */
export function sumOf(all: readonly Range[], faults: readonly string[]): Sum {
  const newest = all.at(-1)
  if (newest === undefined) return { lines: [], problems: ['there are no ranges'] }
  const ranges = all.filter(({ version }) => version === newest.version)
  const sum = (of: (range: Range) => number): number => ranges.reduce((total, range) => total + of(range), 0)
  const peak = (of: (range: Range) => number): number => Math.round(Math.max(...ranges.map(of)))
  const struck = faults.map((name) => ({ name, count: sum((range) => range.faults[name] ?? 0) }))
  const failures = ranges.flatMap((range) => range.failures)
  const cpu = sum((range) => range.cpuSeconds)
  const hours = sum((range) => range.simulatedMs) / HOUR_MS
  const looks = addLooks(ranges.map((range) => range.looks))
  const lines = [
    `version ${newest.version}`,
    `  ${sum((range) => range.seeds)} seeds in ${ranges.length} ranges`,
    `  ${hours.toFixed(1)} server-hours in ${(cpu / 3_600).toFixed(2)} CPU-hours: ${(hours / cpu).toFixed(3)} server-hours per CPU-second`,
    `  ${sum((range) => range.steps)} steps, ${sum((range) => range.orders)} orders, ${sum((range) => range.fills)} fills, ${sum((range) => total(range.presses))} presses`,
    `  peaks: queue ${peak(({ peaks }) => peaks.queue)}, armed after ${peak(({ peaks }) => peaks.armedMs)} ms, due orders out after ${peak(({ peaks }) => peaks.dueMs)} ms`,
    ...lookLines(looks).map((line) => `  ${line}`),
    `  ${sum((range) => total(range.faults))} faults of ${struck.filter(({ count }) => count > 0).length} kinds`,
    ...struck.map(({ name, count }) => `    ${name.padEnd(20)} ${String(count).padStart(7)}`),
    ...failures.slice(0, FAILURES_SHOWN).map(({ seed, message }) => `  FAILED seed ${seed}: ${message.split('\n')[0]}`),
    `  ${failures.length} failures`,
  ]
  const never = struck.filter(({ count }) => count === 0).map(({ name }) => name)
  const blind = Object.keys(looks).filter((name) => looks[name]?.looked === 0)
  const twice = seedsTwice(ranges)
  const problems = [
    ...(failures.length === 0 ? [] : [`${failures.length} seeds failed`]),
    ...(never.length === 0 ? [] : [`never struck: ${never.join(', ')}`]),
    ...(blind.length === 0 ? [] : [`never looked: ${blind.join(', ')}`]),
    ...(twice === 0 ? [] : [`${twice} seeds were run twice`]),
    ...leftOut(all.filter(({ version }) => version !== newest.version)),
  ]
  return { lines, problems }
}

/** Ranges of other versions say nothing of the newest one. */
const leftOut = (others: readonly Range[]): string[] =>
  [...Map.groupBy(others, ({ version }) => version)].map(
    ([version, each]) =>
      `left out: ${each.length} ranges with ${each.reduce((seeds, range) => seeds + range.seeds, 0)} seeds of version ${version}`,
  )

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
