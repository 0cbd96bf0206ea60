/** `npm run backtest -- FILE.csv[.gz]|made-up [--codes a,b|all] [--days N] [--seed N] [--settings buy=-2,…] [--same]` */
import { parseArgs } from 'node:util'
import { StockUpdate } from '@digger/contract'
import { backtestBothWays, holdingGain, rangeOf, type BacktestResult } from '@digger/core'
import type { Candle } from '@digger/kis-sim'
import { choose, chooseAll } from '../replay/choice.ts'
import { recordOf } from '../replay/generated.ts'
import { DEFAULT_SETTINGS, ladderOf, readSettings, type ReplaySettings } from '../replay/settings.ts'
import { compare } from './compared.ts'
import { barsInOrder } from './recorded-bars.ts'

const USAGE = `usage: npm run backtest -- FILE.csv[.gz]|made-up [--codes 005930,000660 | --codes all] [--days N] [--seed N] [--same] [--settings ${Object.entries(
  DEFAULT_SETTINGS,
)
  .map(([name, value]) => `${name}=${value === false ? 'no' : value}`)
  .join(',')}]
  --same  also trades each stock through the whole server on the pretend exchange: both must make the same trades`

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      codes: { type: 'string' },
      days: { type: 'string', default: 'Infinity' },
      settings: { type: 'string', default: '' },
      seed: { type: 'string', default: '1' },
      same: { type: 'boolean', default: false },
    },
  })
  const [file] = positionals
  if (file === undefined) throw new Error(USAGE)
  const settings = readSettings(values.settings)
  const seed = Number(values.seed)
  const record = recordOf(file, seed)
  const parts =
    values.codes === 'all'
      ? chooseAll(record, Number(values.days))
      : [choose(record, Number(values.days), values.codes?.split(',') ?? null)]
  const stocks = Map.groupBy(
    parts.flatMap(({ candles }) => candles),
    ({ code }) => code,
  )
  const before = process.cpuUsage()
  const rows = [...stocks.values()].map((candles) => ({ candles, line: lineOf(candles, settings, seed) }))
  const { user } = process.cpuUsage(before)
  print(HEAD.join('\t'))
  for (const { line } of rows) print(line)
  print(`\n${rows.length} stocks both ways in ${(user / 1_000).toFixed(0)} ms of CPU`)
  if (!values.same) return
  let different = 0
  for (const { candles } of rows) if (!(await isSame(candles, settings, seed))) different += 1
  print(`${rows.length} stocks through the whole server, ${different} with other trades`)
  if (different > 0) process.exitCode = 1
}

const HEAD = [
  'code',
  'name',
  'buys',
  'sells',
  'most in',
  'worst open',
  'idle days',
  'gross',
  'net',
  'open',
  'total',
  'lots left',
  'held',
]

/** Each figure as the range of both ways the days may have gone, won. */
function lineOf(candles: readonly Candle[], settings: ReplaySettings, seed: number): string {
  const [first] = candles
  const { prepared } = barsInOrder(candles.toSorted(byDay), seed)
  const both = backtestBothWays(prepared, StockUpdate.parse(ladderOf(settings, first?.open ?? 0)))
  const figure = (of: (result: BacktestResult) => number): string => {
    const [low, high] = rangeOf(both, of)
    return low === high ? String(low) : `${low}…${high}`
  }
  const most = rangeOf(both, ({ mostIn }) => mostIn)[1]
  return [
    first?.code,
    first?.name,
    figure(({ buys }) => buys),
    figure(({ sells }) => sells),
    figure(({ mostIn }) => mostIn),
    figure(({ worstLoss }) => worstLoss),
    figure(({ longestWait }) => longestWait),
    figure(({ gross }) => gross),
    figure(({ net }) => net),
    figure(({ openGain }) => openGain),
    figure(({ total }) => total),
    figure(({ lots }) => lots),
    holdingGain(prepared, most),
  ].join('\t')
}

async function isSame(candles: readonly Candle[], settings: ReplaySettings, seed: number): Promise<boolean> {
  const { live, tested, faults } = await compare(candles, settings, seed)
  const same = live.hash === tested.hash && live.net === tested.net && faults.length === 0
  const { length } = live.lines
  print(
    `${candles[0]?.code}: live ${live.hash}, back-test ${tested.hash}, ${length} fills, net ${live.net} and ${tested.net} won`,
  )
  for (const line of without(live.lines, tested.lines)) print(`  live only: ${line}`)
  for (const line of without(tested.lines, live.lines)) print(`  back-test only: ${line}`)
  for (const fault of faults) print(`  ${fault}`)
  if (length === 0) print('  nothing was traded: this proves nothing')
  return same && length > 0
}

/** What is in `lines` more often than in `others`. */
function without(lines: readonly string[], others: readonly string[]): string[] {
  const left = [...others]
  return lines.filter((line) => {
    const at = left.indexOf(line)
    if (at !== -1) left.splice(at, 1)
    return at === -1
  })
}

const byDay = (a: Candle, b: Candle): number => (a.day < b.day ? -1 : 1)
const print = (line: string): void => void process.stdout.write(`${line}\n`)

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
})
