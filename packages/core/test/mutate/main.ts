import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { ACTING } from './acting.ts'
import { BOOKING } from './booking.ts'
import { DECIDING } from './deciding.ts'
import type { Guard } from './guard.ts'

/** Takes each guard of the rules away, one at a time, in a copy, and looks for a test that notices. */
const { values } = parseArgs({
  options: { only: { type: 'string', default: '' }, check: { type: 'boolean', default: false } },
})

const CORE = resolve(import.meta.dirname, '../..')
const ROOT = resolve(CORE, '../..')
/** A mutant that hangs is caught, too. */
const PATIENCE_MS = 120_000

const print = (line: string): void => void process.stdout.write(`${line}\n`)
const guards = [...DECIDING, ...BOOKING, ...ACTING].filter((guard) => guard.name.includes(values.only))

const lost = guards.filter(
  (guard) => readFileSync(join(CORE, 'src', guard.file), 'utf8').split(guard.from).length !== 2,
)
for (const guard of lost) print(`NOT FOUND ONCE: ${guard.name}`)

function mutate(): number {
  const copy = mkdtempSync(join(tmpdir(), 'digger-mutate-'))
  try {
    cpSync(join(CORE, 'src'), join(copy, 'src'), { recursive: true })
    cpSync(join(CORE, 'test'), join(copy, 'test'), { recursive: true })
    symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
    writeFileSync(join(copy, 'package.json'), '{ "type": "module" }')
    const plain = failing(copy)
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
  const path = join(copy, 'src', guard.file)
  const before = readFileSync(path, 'utf8')
  writeFileSync(
    path,
    before.replace(guard.from, () => guard.to),
  )
  const by = failing(copy)
  writeFileSync(path, before)
  print(`${by === null ? 'SURVIVED' : 'caught  '} ${guard.name.padEnd(60)} ${by ?? ''}`)
  return by !== null
}

/** The first test that fails; null when all pass. The simulations run only if the tables pass. */
function failing(copy: string): string | null {
  const tables = ['--exclude', '**/evolve.test.ts', 'src/account', 'src/ladder']
  return failingIn(copy, tables) ?? failingIn(copy, ['src/account/evolve.test.ts', 'test/simulate.test.ts'])
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
  const run = spawnSync(join(ROOT, 'node_modules/.bin/vitest'), args, { timeout: PATIENCE_MS })
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

process.exitCode = lost.length > 0 ? 2 : values.check ? 0 : mutate()
