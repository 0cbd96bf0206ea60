/**
 * `KIS_PAPER=1 npm run prove -- paper`: what the client relies on, asked of the broker's own paper account; with `--pretend` of the
 * pretend one, with an order.
 */
import { notRun } from '../../../../scripts/not-run.ts'
import { run, tradingBroker } from './fixture.ts'
import { runPaper } from './run.ts'

const write = (line: string): void => void process.stdout.write(`${line}\n`)

async function pretended() {
  const sim = await tradingBroker()
  const { outcomes } = await run(sim, { orders: true, after: write })
  await sim.close()
  return outcomes
}

const isPretended = process.argv.includes('--pretend')
const outcomes = await (isPretended ? pretended() : runPaper({ env: process.env, write }))
if (outcomes === null) notRun('no keys of a paper account')
else if ([...outcomes.values()].some((one) => one === 'failed' || (isPretended && one === 'left out')))
  process.exitCode = 1
