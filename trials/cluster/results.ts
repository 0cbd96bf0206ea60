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
  /** How long each account could begin nothing while workers were replaced, ms. */
  pauseMs: z.array(z.number()).default([]),
  /** How often people's calls were answered how, by call and code. */
  answers: z.record(z.string(), z.number()).default({}),
  /** Messages of the bus and rows of the database that were searched for secrets. */
  messages: z.number().default(0),
  rows: z.number().default(0),
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
    ...pausesOf(results.flatMap(({ pauseMs }) => pauseMs)),
    ...codesOf(results),
    `${sum(({ messages }) => messages)} messages of the bus and ${sum(({ rows }) => rows)} rows of the database searched for secrets`,
    ...kinds.map((kind) => `armed after ${kind}: ${spread(results.flatMap(({ armedMs }) => armedMs[kind] ?? []))}`),
    ...problems.map((text) => `PROBLEM ${text}`),
  ]
}

const pausesOf = (pauses: readonly number[]): string[] =>
  pauses.length === 0 ? [] : [`pauses of an account: ${spread(pauses)}`]

/** All calls together. */
function codesOf(results: readonly RunResult[]): string[] {
  const counts = new Map<string, number>()
  for (const { answers } of results)
    for (const [name, count] of Object.entries(answers)) {
      const code = name.split(': ')[1] ?? name
      counts.set(code, (counts.get(code) ?? 0) + count)
    }
  const texts = [...counts].toSorted(([, a], [, b]) => b - a).map(([code, count]) => `${count} ${code}`)
  return texts.length === 0 ? [] : [`answers to people: ${texts.join(', ')}`]
}

export function spread(values: readonly number[]): string {
  const [median, p99, longest] = [0.5, 0.99, 1].map((share) => seconds(rankOf(values, share)))
  return `${values.length} ×, median ${median} s, p99 ${p99} s, longest ${longest} s`
}

/** Nearest rank; 0 of none. */
export function rankOf(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0
}

const seconds = (ms: number): string => (ms / 1_000).toFixed(1)
