/** `npm run prove -- backup-rounds [--rounds 20] [--postgres] [--seed N] [--only fresh|old|alive] [--folder DIR]`: a machine is lost, its backup is not. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ownPostgres, postgresMissing } from '../hardships/database-operator.ts'
import { writeMasterKey } from '../hardships/fault-injection.ts'
import { type Age, backupRound, type RoundResult } from './round.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '20' },
    postgres: { type: 'boolean', default: false },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
    folder: { type: 'string' },
  },
})
const AGES: readonly Age[] = ['fresh', 'old', 'fresh', 'alive']
const root = values.folder ?? mkdtempSync(join(tmpdir(), 'digger-backup-rounds-'))
const print = (line: string): void => void process.stdout.write(`${line}\n`)
const chosen = AGES.filter((age) => values.only === undefined || age === values.only)

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
const missing = values.postgres ? postgresMissing() : null
if (missing !== null || chosen.length === 0) {
  print(missing ?? 'a copy is fresh, old or alive')
  process.exit(1)
}
const postgres = values.postgres ? await ownPostgres() : null
mkdirSync(root, { recursive: true })
const masterKeyFile = writeMasterKey(root)
const results: RoundResult[] = []
for (let n = 0; n < Number(values.rounds); n += 1) {
  const age = chosen[n % chosen.length] ?? 'fresh'
  const databases = postgres === null ? null : ([await postgres.newDatabase(), await postgres.newDatabase()] as const)
  const plan = { seed: Number(values.seed) + n, age, databases, masterKeyFile, folder: join(root, String(n)) }
  const began = performance.now()
  const result = await backupRound({ ...plan, print: (line) => print(`  ${line}`) }).catch((error: unknown) => {
    const problem = error instanceof Error ? (error.stack ?? error.message) : String(error)
    return { problems: [problem], before: 0, after: 0, corrected: 0 }
  })
  results.push(result)
  const { before, after, corrected } = result
  const seconds = ((performance.now() - began) / 1_000).toFixed(0)
  print(
    `${n + 1}/${values.rounds} ${age}: ${before} orders before, ${after} after, ${corrected} stocks corrected, ${seconds} s`,
  )
  for (const problem of result.problems) print(`  PROBLEM ${problem}`)
  if (result.problems.length === 0) rmSync(plan.folder, { recursive: true, force: true })
}
await postgres?.[Symbol.asyncDispose]()
const problems = results.flatMap((result) => result.problems)
if (problems.length === 0) {
  print(
    `${results.length} rounds: nothing sent before people agreed, nothing in stocks that differ, nothing twice, every journal right`,
  )
  rmSync(root, { recursive: true, force: true })
} else {
  print(`${problems.length} problems (data and logs in ${root})`)
  process.exitCode = 1
}
