import './machine/install.ts'
import { resolve } from 'node:path'
import { optionsOf } from './options.ts'
import { addRange, nextSeed, rangeOf, readRanges, sumLines } from './results.ts'
import { versionOf } from './version.ts'

// Loaded after the machine has taken Node's place.
const { Campaign } = await import('./campaign.ts')
const { kindLines, FAULT_NAMES } = await import('./kinds.ts')

/** Seeds whose results are added to the file at once. */
const SEEDS_OF_A_RANGE = 20
const ROOT = resolve(import.meta.dirname, '..')

const print = (line: string): void => void process.stdout.write(`${line}\n`)

async function main(): Promise<number> {
  const options = optionsOf(process.argv.slice(2))
  if (options.kinds) return say(kindLines(options.first, options.seeds))
  if (options.sum !== null) return say(sumLines(readRanges(options.sum), FAULT_NAMES))
  const { results, seeds } = options
  const version = results === null ? '' : versionOf(ROOT)
  const first = options.resume ? nextSeed(readRanges(results ?? ''), version, options.first) : options.first
  const end = options.first + seeds
  const campaign = await Campaign.open(options, print)
  let cpuBefore = 0
  const keep = (): void => {
    const runs = campaign.takeRuns()
    const cpu = cpuSeconds()
    if (results !== null && runs.length > 0) addRange(results, rangeOf(version, runs, cpu - cpuBefore))
    cpuBefore = cpu
  }
  let seed = first
  for (; seed < end && cpuSeconds() < options.cpuSeconds; seed++) {
    const passed = await campaign.run(seed)
    if (campaign.runs.length >= SEEDS_OF_A_RANGE) keep()
    if (!passed && options.untilFailure) break
  }
  keep()
  return verdict(campaign, seed - first, options.untilFailure)
}

function say(lines: readonly string[]): number {
  for (const line of lines) print(line)
  return 0
}

interface Told {
  readonly failed: readonly { readonly seed: number; readonly message: string }[]
  readonly simulatedMs: number
}

/** The last line is what `run-result.ts` reads. */
function verdict({ failed, simulatedMs }: Told, seeds: number, isUntilFailure: boolean): number {
  const hours = simulatedMs / 3_600_000
  print(`${hours.toFixed(2)} server-hours, ${(hours / cpuSeconds()).toFixed(3)} per CPU-second`)
  const [one] = failed
  if (one === undefined) print(`all ${seeds} seeds passed`)
  else if (isUntilFailure) print(`FAILED seed ${one.seed}: ${one.message.split('\n')[0]}`)
  else print(`${failed.length} of ${seeds} seeds failed: ${failed.map(({ seed }) => seed).join(', ')}`)
  return one === undefined ? 0 : 1
}

/** Of this process since its start, threads included. */
function cpuSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

process.exit(
  await main().catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    return 2
  }),
)
