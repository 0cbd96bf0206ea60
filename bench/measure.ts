/** So many rounds count, or fewer where a quick look is asked for (`npm run prove -- bench --rounds 1`). */
export const roundsOf = (rounds: number): number => Math.min(rounds, Number(process.env['BENCH_ROUNDS'] ?? rounds))

/** One more goes before them to warm up. */
const ROUNDS = roundsOf(7)

export type Cells = Readonly<Record<string, () => number | Promise<number>>>
export type Times = Readonly<Record<string, readonly number[]>>

/** CPU time of this thread so far, µs: what other processes do meanwhile hardly shows in it. */
export function cpuSpent(): number {
  const { user, system } = process.threadCpuUsage()
  return user + system
}

/** CPU time of the whole process so far, all its threads, s. */
export function cpuOfProcess(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000_000
}

/** Runs every cell once per round, so that whatever slows the machine down slows all of them down. */
export async function interleaved(cells: Cells, rounds = ROUNDS): Promise<Times> {
  const times: Record<string, number[]> = {}
  for (let round = -1; round < rounds; round += 1) {
    for (const [name, cell] of Object.entries(cells)) {
      const took = await cell()
      if (round >= 0) (times[name] ??= []).push(took)
    }
  }
  return times
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.NaN
}

/** Divides `part` by `whole`, round by round. */
export const ratios = (part: readonly number[] = [], whole: readonly number[] = []): number[] =>
  part.map((value, round) => value / (whole[round] ?? Number.NaN))

/** Prints one line of the report. `goal` as `≥ 0.9`; without one the figure is for information. */
export function printFigure(label: string, values: readonly number[], goal = 'none'): void {
  const [low, high] = [Math.min(...values), Math.max(...values)]
  console.log(`${label.padEnd(66)} ${shown(median(values)).padStart(7)} [${shown(low)}–${shown(high)}]   goal ${goal}`)
}

const shown = (value: number): string => (value >= 1_000 ? value.toFixed(0) : value.toPrecision(3))
