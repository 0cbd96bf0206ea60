import './machine/install.ts'
import { createHash } from 'node:crypto'
import { parseArgs } from 'node:util'
import { real } from './machine/real.ts'

const { DatabaseModel } = await import('./database/model.ts')
const { makePlan } = await import('./plan.ts')
const { simulate } = await import('./run.ts')
const { makeTemplate } = await import('./make-template.ts')

const { values } = parseArgs({
  options: {
    whole: { type: 'boolean', default: false },
    first: { type: 'string', default: '1' },
    seeds: { type: 'string', default: '10' },
    'until-failure': { type: 'boolean', default: false },
    story: { type: 'boolean', default: false },
  },
})

const hashOf = (lines: readonly string[]): string =>
  createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, 12)
const print = (line: string): void => void process.stdout.write(`${line}\n`)
const database = await DatabaseModel.create()
await makeTemplate(database)
const first = Number(values.first)
let failed = 0
const began = process.cpuUsage()
let simulated = 0
for (let seed = first; seed < first + Number(values.seeds); seed++) {
  const from = real.performanceNow()
  const outcome = await simulate(makePlan(seed), database)
  simulated += outcome.simulatedMs
  if (values.story) for (const line of outcome.story) print(line)
  const ms = Math.round(real.performanceNow() - from)
  print(
    `seed ${seed}: ${outcome.failure?.message ?? 'passed'} (${ms} ms, ${outcome.steps} steps, ${outcome.orders} orders, ${outcome.fills} fills, queue ${outcome.queuePeak}, ${hashOf(outcome.story)})`,
  )
  if (outcome.failure === null) continue
  failed += 1
  if (values['until-failure']) {
    print(`FAILED seed ${seed}: ${outcome.failure.message.split('\n')[0]}`)
    process.exit(1)
  }
}
const { user, system } = process.cpuUsage(began)
print(
  `${(simulated / 3_600_000).toFixed(2)} server-hours, ${(simulated / 3_600_000 / ((user + system) / 1e6)).toFixed(3)} per CPU-second`,
)
print(failed === 0 ? `all ${values.seeds} seeds passed` : `${failed} of ${values.seeds} seeds failed`)
process.exit(failed === 0 ? 0 : 1)
