/** `npm run answers`: the same days under every answer of the broker, as a table. Fails where an answer costs a trade. */
import { ANSWERS, BEFALLEN, PLEASANT, TOGETHER } from './answers.ts'
import { PLAN } from './market.ts'
import { faultsOf, rowOf, tableOf, type Row } from './row.ts'

async function main(): Promise<void> {
  const pleasant = await rowOf(PLEASANT, PLAN)
  const rows: Row[] = [pleasant]
  for (const answer of [...ANSWERS, ...TOGETHER, ...BEFALLEN]) {
    process.stderr.write(`  ${answer.name}\n`)
    rows.push(await rowOf(answer, PLAN))
  }
  process.stdout.write(`${tableOf(rows, pleasant)}\n`)
  const bad = rows.filter((row) => faultsOf(row, pleasant).length > 0)
  process.stdout.write(`\n${rows.length} runs, ${bad.length} worse than under pleasant answers\n`)
  if (bad.length > 0) process.exitCode = 1
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
  process.exitCode = 1
})
