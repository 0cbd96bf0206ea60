import './machine/install.ts'
import { resolve } from 'node:path'
import { claimSeeds, hasSeeds, type Seeds } from './claims.ts'
import { optionsOf, type Options } from './options.ts'
import { cpuSeconds } from './cpu-seconds.ts'
import { addRange, lookLines, rangeOf, readRanges, type LookCounts } from './results.ts'
import { sumOf } from './sum.ts'
import { versionOf } from './version.ts'

// Loaded after the machine has taken Node's place.
const { Campaign } = await import('./campaign.ts')
const { kindLines, FAULT_NAMES } = await import('./kinds.ts')

/** Seeds that a process takes at once, and whose results are added to the file at once. */
const SEEDS_OF_A_RANGE = 20
const ROOT = resolve(import.meta.dirname, '..')

const print = (line: string): void => void process.stdout.write(`${line}\n`)

async function main(): Promise<number> {
  const options = optionsOf(process.argv.slice(2))
  if (options.kinds) return say(kindLines(options.first, options.seeds))
  if (options.sum !== null) return sum(options.sum)
  return simulateAll(options)
}

/** Until there are no seeds left, the time is over, or one fails that is to end it. */
async function simulateAll(options: Options): Promise<number> {
  const { first, results, untilFailure } = options
  const wanted = { first, last: first + options.seeds - 1 }
  const version = results === null ? '' : versionOf(ROOT)
  if (results !== null && !options.resume && hasSeeds(results, version, wanted))
    throw new Error(`${results} has some of these seeds already, or they are under way: --resume leaves them out`)
  const campaign = await Campaign.open(options, print)
  const blocks = results === null ? [wanted] : claimed(results, version, wanted)
  const isOver = (): boolean => cpuSeconds() >= options.cpuSeconds || (untilFailure && campaign.failed.length > 0)
  let seeds = 0
  let cpuBefore = 0
  for (const block of blocks) {
    for (let seed = block.first; seed <= block.last && !isOver(); seed++, seeds++) await campaign.run(seed)
    const runs = campaign.takeRuns()
    const cpu = cpuSeconds()
    if (results !== null && runs.length > 0) addRange(results, rangeOf(version, runs, cpu - cpuBefore))
    cpuBefore = cpu
    if (isOver()) break
  }
  return verdict(campaign, seeds, untilFailure)
}

/** Seeds of this process alone, a block after the other. */
function* claimed(file: string, version: string, wanted: Seeds): Generator<Seeds> {
  for (;;) {
    const block = claimSeeds(file, version, wanted, SEEDS_OF_A_RANGE)
    if (block === null) return
    yield block
  }
}

function sum(file: string): number {
  const { lines, problems } = sumOf(readRanges(file), FAULT_NAMES)
  say([...lines, ...problems.map((problem) => `NOT SHOWN: ${problem}`)])
  return problems.length === 0 ? 0 : 1
}

function say(lines: readonly string[]): number {
  for (const line of lines) print(line)
  return 0
}

interface Told {
  readonly failed: readonly { readonly seed: number; readonly message: string }[]
  readonly simulatedMs: number
  readonly looks: LookCounts
}

/** The last line is what `run-result.ts` reads. */
function verdict({ failed, simulatedMs, looks }: Told, seeds: number, isUntilFailure: boolean): number {
  say(lookLines(looks))
  const hours = simulatedMs / 3_600_000
  print(`${hours.toFixed(2)} server-hours, ${(hours / cpuSeconds()).toFixed(3)} per CPU-second`)
  const [one] = failed
  if (one === undefined) print(`all ${seeds} seeds passed`)
  else if (isUntilFailure) print(`FAILED seed ${one.seed}: ${one.message.split('\n')[0]}`)
  else print(`${failed.length} of ${seeds} seeds failed: ${failed.map(({ seed }) => seed).join(', ')}`)
  return one === undefined ? 0 : 1
}

const code = await main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  return 2
})
// A reader that is slower than the run gets the end, too: what still waits for a pipe would be lost.
await new Promise((resolve) => process.stdout.write('', resolve))
process.exit(code)
