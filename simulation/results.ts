import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { z } from 'zod'

const LookCount = z.object({ looked: z.number(), skipped: z.number() })
export type LookCounts = Readonly<Record<string, z.output<typeof LookCount>>>

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
  /** Of each check (looks.ts). */
  looks: z.record(z.string(), LookCount).default({}),
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
  readonly looks: LookCounts
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
    looks: addLooks(runs.map(({ looks }) => looks)),
    peaks: {
      queue: Math.max(...runs.map(({ queuePeak }) => queuePeak)),
      armedMs: Math.max(0, ...runs.map(({ life }) => life?.armedMs ?? 0)),
      dueMs: Math.max(0, ...runs.flatMap(({ life }) => life?.dueMs ?? [])),
    },
  }
}

const counted = (names: readonly string[]): Record<string, number> =>
  Object.fromEntries([...Map.groupBy(names, (name) => name)].map(([name, each]) => [name, each.length]))

/** Of several runs together. */
export function addLooks(each: readonly LookCounts[]): LookCounts {
  const sum: Record<string, { looked: number; skipped: number }> = {}
  for (const counts of each)
    for (const [name, { looked, skipped }] of Object.entries(counts)) {
      const before = sum[name] ?? { looked: 0, skipped: 0 }
      sum[name] = { looked: before.looked + looked, skipped: before.skipped + skipped }
    }
  return sum
}

/** A line for each check: what it let pass, because of a fault or because nobody could look, is seen at once. */
export const lookLines = (counts: LookCounts): string[] =>
  Object.entries(counts).map(
    ([name, { looked, skipped }]) =>
      `check ${name.padEnd(20)} ${String(looked).padStart(8)} looks, ${String(skipped).padStart(7)} let pass`,
  )

/**
 * One write of one line: processes that share the file do not mix theirs. It begins with the line's end of what is before,
 * for that may be cut off by the end of its process.
 */
export const addLine = (file: string, line: object): void => appendFileSync(file, `\n${JSON.stringify(line)}`)

export const addRange = (file: string, range: Range): void => addLine(file, range)

/** Empty when there is no file yet. A line that was cut off is left out. */
export function linesOf(file: string): unknown[] {
  if (!existsSync(file)) return []
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => {
      try {
        return [JSON.parse(line)]
      } catch {
        return []
      }
    })
}

export const rangesOf = (lines: readonly unknown[]): Range[] =>
  lines.flatMap((line) => Range.safeParse(line).data ?? [])

export const readRanges = (file: string): Range[] => rangesOf(linesOf(file))
