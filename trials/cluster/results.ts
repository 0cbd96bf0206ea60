import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { z } from 'zod'

/** One line of a results file for each run: what it was, and what came of it. */
export const RunResult = z.object({
  seed: z.number(),
  mode: z.string(),
  accounts: z.number(),
  stocks: z.number(),
  faults: z.number(),
  orders: z.number(),
  fills: z.number(),
  cancelled: z.number(),
  pending: z.number(),
  /** How long until every account was armed again, by kind of fault, ms; of faults that nothing overlapped. */
  armedMs: z.record(z.string(), z.array(z.number())),
  problems: z.array(z.string()),
})
export type RunResult = z.output<typeof RunResult>

/** What runs before have left; none where there is no file yet. Throws on a line that is none of ours. */
export function readResults(file: string): RunResult[] {
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
  return lines.map((line) => RunResult.parse(JSON.parse(line)))
}

export const addResult = (file: string, result: RunResult): void => appendFileSync(file, `${JSON.stringify(result)}\n`)

/** Whether a run of this kind had this seed already. */
export const isDone = (results: readonly RunResult[], seed: number, mode: string): boolean =>
  results.some((one) => one.seed === seed && one.mode === mode)

/** All runs together, as lines to print. */
export function sumOf(results: readonly RunResult[]): string[] {
  const sum = (of: (result: RunResult) => number): number => results.reduce((total, one) => total + of(one), 0)
  const kinds = [...new Set(results.flatMap(({ armedMs }) => Object.keys(armedMs)))].toSorted()
  const problems = results.flatMap(({ seed, mode, problems: found }) => found.map((text) => `${mode} ${seed}: ${text}`))
  return [
    `${results.length} runs, ${sum(({ faults }) => faults)} faults, ${sum(({ orders }) => orders)} orders, ` +
      `${sum(({ fills }) => fills)} fills, ${sum(({ cancelled }) => cancelled)} cancelled, ${problems.length} problems`,
    ...kinds.map((kind) => `armed after ${kind}: ${spread(results.flatMap(({ armedMs }) => armedMs[kind] ?? []))}`),
    ...problems.map((text) => `PROBLEM ${text}`),
  ]
}

/** Nearest rank. */
export function spread(values: readonly number[]): string {
  const sorted = values.toSorted((a, b) => a - b)
  const rank = (share: number): number => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0
  return `${values.length} ×, median ${seconds(rank(0.5))} s, p99 ${seconds(rank(0.99))} s, longest ${seconds(rank(1))} s`
}

const seconds = (ms: number): string => (ms / 1_000).toFixed(1)
