/** `npm run replay -- FILE.csv[.gz] [--codes a,b] [--days N] [--seed N] [--steps N] [--settings buy=-2,…]` */
import { parseArgs } from 'node:util'
import { readCandles } from '@digger/kis-sim'
import { choose } from './choice.ts'
import { replay } from './replay.ts'
import { report } from './report.ts'
import { DEFAULT_SETTINGS, readSettings } from './settings.ts'

const CASH_WON = 10_000_000_000
const USAGE = `usage: npm run replay -- FILE.csv[.gz] [--codes 005930,000660] [--days N] [--seed N] [--steps N] [--settings ${Object.entries(
  DEFAULT_SETTINGS,
)
  .map(([name, value]) => `${name}=${value === false ? 'no' : value}`)
  .join(',')}]`

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      codes: { type: 'string' },
      days: { type: 'string' },
      seed: { type: 'string', default: '1' },
      steps: { type: 'string', default: '120' },
      settings: { type: 'string', default: '' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return print(USAGE)
  const [file] = positionals
  if (file === undefined) throw new Error(USAGE)
  const settings = readSettings(values.settings)
  const maxDays = values.days === undefined ? Infinity : count('--days', values.days)
  const { codes, days, candles } = choose(readCandles(file, null), maxDays, values.codes?.split(',') ?? null)
  print(`${file}: ${codes.length} stocks, ${days.length} days, seed ${values.seed}`)
  print(
    `every stock: first buy at once, then ${settings.buy} % below the last one; sell ${settings.average ? 'all at the average' : 'each'} +${settings.sell} %; ` +
      `${settings.unit} won a buy, at most ${settings.cap} won, never above ${settings.ceiling} % of its first price\n`,
  )
  const result = await replay({
    candles,
    settings,
    seed: count('--seed', values.seed),
    steps: count('--steps', values.steps),
    cash: CASH_WON,
    onDay: (day, ticks) => process.stderr.write(`  ${day}  ${ticks} prices\n`),
  })
  print(report(result))
  if (result.problems.length > 0) process.exitCode = 1
}

const print = (line: string): void => void process.stdout.write(`${line}\n`)

function count(name: string, text: string): number {
  const number = Number(text)
  if (!Number.isInteger(number) || number < 1) throw new Error(`${name} ${text}: a whole number from 1 on`)
  return number
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
})
