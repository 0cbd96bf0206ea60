import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { GUARDS, isFoundOnce } from './all.ts'
import type { Guard } from './guard.ts'

/**
 * Takes each guard of the rules away, one at a time, in a copy, and looks for a test that notices. With `--whole` known
 * faults are put back instead, and the simulation of the whole server looks for them; the other options are its own.
 */
const { values } = parseArgs({
  options: {
    /** Parts of names, with commas between them. */
    only: { type: 'string', default: '' },
    /** So many of them, other ones for each seed; 0: all. */
    sample: { type: 'string', default: '0' },
    seed: { type: 'string', default: '1' },
    whole: { type: 'boolean', default: false },
    starts: { type: 'string' },
    seeds: { type: 'string' },
    unchanged: { type: 'string' },
    processes: { type: 'string' },
    checks: { type: 'boolean' },
  },
})

const ROOT = resolve(import.meta.dirname, '../../../..')
const HOMES = ['core', 'prices', 'engine', 'database', 'kis'] as const
/** Outside core: those that need neither a database nor a socket. */
const TESTS = {
  engine: [
    'mailbox.test.ts',
    'mailbox-effects.test.ts',
    'mailbox-failures.test.ts',
    'commit-failures.test.ts',
    'last-look.test.ts',
    'stop-changes.test.ts',
    'steady-clock.test.ts',
    'unreadable-rows.test.ts',
    'odd-lists.test.ts',
    'effect-runner.test.ts',
  ],
  prices: [
    'src/prices.test.ts',
    'price-feed-day.test.ts',
    'price-feed-moves.test.ts',
    'src/base-move.test.ts',
    'issue-feed.test.ts',
    'timetable.test.ts',
  ],
  database: ['broken.test.ts'],
  kis: ['refusals.test.ts', 'executions.test.ts', 'list-refusals.test.ts', 'paging.test.ts', 'left-at.test.ts'],
} as const
/** A mutant that hangs is caught, too. */
const TIMEOUT_MS = 120_000

const print = (line: string): void => void process.stdout.write(`${line}\n`)
const guards = sampled(GUARDS.filter(({ name }) => values.only.split(',').some((part) => name.includes(part))))

const lost = values.whole ? [] : guards.filter((guard) => !isFoundOnce(guard))
for (const guard of lost) print(`NOT FOUND ONCE: ${guard.name}`)

function sampled(all: readonly Guard[]): readonly Guard[] {
  const place = ({ name }: Guard): string => createHash('sha256').update(`${values.seed} ${name}`).digest('hex')
  const count = Number(values.sample)
  return count === 0 ? all : all.toSorted((a, b) => (place(a) < place(b) ? -1 : 1)).slice(0, count)
}

function mutateWhole(): number {
  const args = process.argv.slice(2).filter((arg) => arg !== '--whole')
  return spawnSync(process.execPath, [join(ROOT, 'simulation/mutate.ts'), ...args], { stdio: 'inherit' }).status ?? 2
}

function mutate(): number {
  const copy = mkdtempSync(join(tmpdir(), 'digger-mutate-'))
  try {
    for (const home of HOMES) {
      for (const part of ['src', 'test'])
        cpSync(join(ROOT, 'packages', home, part), join(copy, home, part), { recursive: true })
      writeFileSync(join(copy, home, 'package.json'), '{ "type": "module" }')
    }
    symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
    const plain = HOMES.map((home) => failing(copy, home)).find((by) => by !== null) ?? null
    if (plain !== null) {
      print(`The tests fail without any change: ${plain}`)
      return 2
    }
    const survivors = guards.filter((guard) => !isCaught(copy, guard))
    print(`${guards.length - survivors.length} of ${guards.length} guards are missed when they are gone`)
    for (const guard of survivors) print(`SURVIVED: ${guard.name}`)
    return survivors.length === 0 ? 0 : 1
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

function isCaught(copy: string, guard: Guard): boolean {
  const path = join(copy, guard.home, 'src', guard.file)
  const before = readFileSync(path, 'utf8')
  writeFileSync(
    path,
    before.replace(guard.from, () => guard.to),
  )
  const by = failing(copy, guard.home)
  writeFileSync(path, before)
  print(`${by === null ? 'SURVIVED' : 'caught  '} ${guard.name.padEnd(60)} ${by ?? ''}`)
  return by !== null
}

/** The first test that fails; null when all pass. The simulations run only if the tables pass. */
function failing(copy: string, home: Guard['home']): string | null {
  if (home !== 'core') return failingIn(join(copy, home), TESTS[home])
  const tables = ['--exclude', '**/evolve.test.ts', 'src/account', 'src/ladder', 'src/krx']
  const core = join(copy, home)
  return failingIn(core, tables) ?? failingIn(core, ['src/account/evolve.test.ts', 'test/simulate.test.ts'])
}

const Report = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      message: z.string().optional(),
      assertionResults: z.array(z.object({ status: z.string(), fullName: z.string() })),
    }),
  ),
})

function failingIn(copy: string, where: readonly string[]): string | null {
  const report = join(copy, 'report.json')
  rmSync(report, { force: true })
  const flags = ['--bail=1', '--no-isolate', '--maxWorkers=1', '--testTimeout=60000', '--reporter=json']
  const args = ['run', '--root', copy, ...flags, `--outputFile=${report}`, ...where]
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs')
  const run = spawnSync(process.execPath, [vitest, ...args], { timeout: TIMEOUT_MS })
  if (run.status === 0) return null
  if (!existsSync(report)) return run.error === undefined ? 'the run itself fails' : 'the run never ends'
  for (const { name, message, assertionResults } of Report.parse(JSON.parse(readFileSync(report, 'utf8')))
    .testResults) {
    const test = assertionResults.find((one) => one.status === 'failed')
    if (test !== undefined) return `${basename(name)} > ${test.fullName}`
    if (message !== undefined && message !== '') return `${basename(name)}: ${message.slice(0, 60)}`
  }
  return 'the run itself fails'
}

process.exitCode = values.whole ? mutateWhole() : lost.length > 0 ? 2 : mutate()
