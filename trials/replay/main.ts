/** `npm run replay -- FILE.csv[.gz] [--codes a,b] [--days N] [--seed N] [--steps N] [--settings buy=-2,…]` */
import { parseArgs } from 'node:util'
import { readCandles, type Candle } from '@digger/kis-sim'
import { replay } from './replay.ts'
import { report } from './report.ts'
import { DEFAULT_SETTINGS, readSettings } from './settings.ts'

/** One socket carries the prices of forty stocks beside its notices. */
const MAX_CODES = 40
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
    },
  })
  const [file] = positionals
  if (file === undefined) throw new Error(USAGE)
  const settings = readSettings(values.settings)
  const whole = readCandles(file, null)
  const codes = values.codes?.split(',') ?? busiest(whole)
  if (codes.length > MAX_CODES) throw new Error(`at most ${MAX_CODES} codes`)
  const days = firstDays(whole, values.days === undefined ? Infinity : count('--days', values.days))
  const candles = whole.filter(({ code, day }) => codes.includes(code) && days.has(day))
  const missing = codes.filter((code) => candles.every((candle) => candle.code !== code))
  if (missing.length > 0) throw new Error(`${file} has no ${missing.join(', ')}`)
  print(`${file}: ${codes.length} stocks, ${days.size} days, seed ${values.seed}`)
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

/** The codes with the largest turnover of the record, close × volume. */
function busiest(candles: readonly Candle[]): string[] {
  const turnover = new Map<string, number>()
  for (const { code, close, volume } of candles) turnover.set(code, (turnover.get(code) ?? 0) + close * volume)
  return [...turnover]
    .sort(([, a], [, b]) => b - a)
    .slice(0, MAX_CODES)
    .map(([code]) => code)
}

const firstDays = (candles: readonly Candle[], most: number): Set<string> =>
  new Set([...new Set(candles.map(({ day }) => day))].sort().slice(0, most))

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
})
