/** `npm run prove -- hardship [--only NAME] [--all] [--seed N] [--folder DIR]`: fault injection, the real server and what happens to machines. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { notRun } from '../../scripts/not-run.ts'
import { Stage } from '../crash/stage.ts'
import type { FaultInjection, FaultContext } from './fault-injection.ts'
import { FAULT_INJECTIONS } from './faults.ts'

const { values } = parseArgs({
  options: {
    /** Any part of a name chooses a fault. */
    only: { type: 'string', default: '' },
    /** Also what takes long. */
    all: { type: 'boolean', default: false },
    seed: { type: 'string', default: '1' },
    folder: { type: 'string' },
  },
})
const root = values.folder ?? mkdtempSync(join(tmpdir(), 'digger-hardships-'))
const print = (line: string): void => void process.stdout.write(`${line}\n`)

/** Returns the problems found. */
async function runFault({ name, run }: FaultInjection, folder: string): Promise<readonly string[]> {
  mkdirSync(folder, { recursive: true })
  const stages: Stage[] = []
  const seed = Number(values.seed)
  const open: FaultContext['open'] = async (env = {}, more = {}) => {
    const stage = await Stage.open({ ...more, seed, folder, print: (line) => print(`  ${line}`), env })
    stages.push(stage)
    return stage
  }
  const problems: string[] = []
  try {
    for (const line of await run({ folder, seed, all: values.all, print, open })) print(`  ${line}`)
  } catch (error) {
    problems.push(error instanceof Error ? (error.stack ?? error.message) : String(error))
  }
  for (const stage of stages) {
    const taken = await stage.ordersTaken().catch(() => [])
    const acknowledged = stage.people.reduce((sum, person) => sum + person.acknowledged, 0)
    print(`  ${taken.length} orders, ${acknowledged} requests confirmed`)
    if (taken.length === 0) problems.push('nothing was traded: this proves nothing')
    problems.push(...stage.problems)
    await stage.close()
  }
  for (const problem of problems) print(`  PROBLEM ${problem}`)
  if (problems.length === 0) print(`  ${name}: nothing lost, nothing twice; book, broker and journal agree`)
  return problems
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
const chosen = FAULT_INJECTIONS.filter(({ name }) => name.includes(values.only))
if (chosen.length === 0) {
  print(`no fault is called so; there are: ${FAULT_INJECTIONS.map(({ name }) => name).join(', ')}`)
  process.exit(1)
}
let problems = 0
let skipped = 0
for (const [n, fault] of chosen.entries()) {
  const missing = fault.missing()
  print(`${fault.name}${missing === null ? '' : `: SKIPPED, ${missing}`}`)
  if (missing !== null) {
    skipped += 1
    continue
  }
  const began = performance.now()
  problems += (await runFault(fault, join(root, String(n)))).length
  print(`  took ${((performance.now() - began) / 1_000).toFixed(0)} s`)
}
print(
  problems === 0
    ? `${chosen.length - skipped} faults survived, ${skipped} skipped`
    : `${problems} problems (data and logs in ${root})`,
)
if (problems > 0) process.exitCode = 1
else {
  if (values.folder === undefined) rmSync(root, { recursive: true, force: true })
  if (skipped === chosen.length) notRun('each fault needs what this machine lacks')
}
