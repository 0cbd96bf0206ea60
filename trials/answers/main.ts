/** `npm run answers`: the same days under every answer of the broker, as a table. Fails where an answer costs a trade. */
import { parseArgs } from 'node:util'
import { ANSWERS, BEFALLEN, CLOCKS, PLEASANT, TOGETHER } from './answers.ts'
import { lineRows, lineTableOf } from './line.ts'
import { questions } from './questions.ts'
import { Runs } from './run.ts'
import { faultsOf, tableOf } from './table.ts'

/** Each assumption that Digger never asks, with the place where its answers are tried on the wire. */
const elsewhere = (): string =>
  questions('unasked')
    .map(([name, { answers, triedIn = '' }]) => {
      const all = answers.map((answer) => JSON.stringify(answer)).join(', ')
      return `${name}: ${all} – never asked, as looked at in every run; tried in ${triedIn}`
    })
    .join('\n')

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { only: { type: 'string' } } })
  const { only = '' } = values
  const wanted = [...TOGETHER, ...BEFALLEN, ...CLOCKS, ...ANSWERS].filter(({ name }) => name.includes(only))
  const runs = new Runs()
  for (const answer of [...PLEASANT, ...wanted]) {
    const row = await runs.run(answer)
    const faults = faultsOf(row, runs.pleasantOf(row)).map((fault) => `    ${fault}\n`)
    process.stderr.write(`  ${answer.name}\n${faults.join('')}`)
  }
  process.stdout.write(`${tableOf(runs.rows, runs.pleasantOf)}\n\n${elsewhere()}\n`)
  const lines = await lineRows(only)
  if (lines.length > 0) process.stdout.write(`\nin time that runs:\n${lineTableOf(lines)}\n`)
  const bad = [
    ...runs.rows.filter((row) => faultsOf(row, runs.pleasantOf(row)).length > 0),
    ...lines.filter(({ faults }) => faults.length > 0),
  ]
  process.stdout.write(`\n${runs.rows.length + lines.length} runs, ${bad.length} worse than under pleasant answers\n`)
  if (bad.length > 0) process.exitCode = 1
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
  process.exitCode = 1
})
