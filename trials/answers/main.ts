/**
 * `npm run prove -- answers [--only TEXT] [--some N [--seed N] | --lines]`: the same days under every answer of the broker, as a
 * table. Fails where an answer costs a trade. `--some` takes so many of them by chance, `--lines` only those in time that runs.
 */
import { parseArgs } from 'node:util'
import { dice } from '../replay/generated.ts'
import { ANSWERS, type Answer, BEFALLEN, CLOCKS, PLEASANT, TOGETHER } from './answers.ts'
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

function drawn(answers: readonly Answer[], count: number, seed: number): Answer[] {
  const roll = dice(seed)
  const inChance = answers.map((answer) => ({ answer, at: roll() })).toSorted((one, other) => one.at - other.at)
  return inChance.slice(0, count).map(({ answer }) => answer)
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      only: { type: 'string', default: '' },
      some: { type: 'string' },
      seed: { type: 'string', default: '1' },
      lines: { type: 'boolean', default: false },
    },
  })
  const { only, some } = values
  const named = [...TOGETHER, ...BEFALLEN, ...CLOCKS, ...ANSWERS].filter(({ name }) => name.includes(only))
  const wanted = values.lines ? [] : some === undefined ? named : drawn(named, Number(some), Number(values.seed))
  const runs = new Runs()
  for (const answer of wanted.length === 0 ? [] : [...PLEASANT, ...wanted]) {
    const row = await runs.run(answer)
    const faults = faultsOf(row, runs.pleasantOf(row)).map((fault) => `    ${fault}\n`)
    process.stderr.write(`  ${answer.name}\n${faults.join('')}`)
  }
  process.stdout.write(`${tableOf(runs.rows, runs.pleasantOf)}\n\n${elsewhere()}\n`)
  const lines = some === undefined ? await lineRows(only) : []
  if (wanted.length + lines.length === 0) throw new Error(`no answer has "${only}" in its name`)
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
