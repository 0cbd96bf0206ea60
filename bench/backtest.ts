/**
 * P6: a back-test of a million bars by the ladder's own functions, with report, costs and equity curve, against a tight loop written
 * for this one setting. P7: against @backtest/framework. P20: maps of settings. Equal trades are checked before a speed is printed.
 */
import { deepStrictEqual } from 'node:assert/strict'
import { backtest, backtestBothWays, type Bars, mapRow, percentsBetween, type Settings } from '@digger/core'
import { Framework } from './backtest/framework.ts'
import { generatedBars } from './backtest/generated-bars.ts'
import { tightLoop } from './backtest/tight-loop.ts'
import { SETTINGS, Trades } from './live-account.ts'
import { cpuSpent, interleaved, median, printFigure, ratios } from './measure.ts'

const BARS = 1_000_000
const FRAMEWORK_BARS = 100_000
const MINUTES_60_DAYS = 60 * 390
const MINUTES_A_YEAR = 250 * 390
const DAYS_3_YEARS = 735
const DAYS_10_YEARS = 2_450

/** Minutes one after the other, as the tight loop has them: without auctions. */
const minutes = (count: number): Bars => ({ ...generatedBars(count, 'minute', 100), flags: new Uint8Array(count) })

/** One for all rounds: the memory of a fresh one costs the kernel more on some machines than all that is written into it. */
const curve = new Float64Array(BARS)

function ours(bars: Bars): Trades {
  const trades = new Trades()
  const equity = curve.subarray(0, bars.length)
  const result = backtest(bars, SETTINGS, 'unkind', {
    equity,
    trades: {
      bought: (bar, price, count) => trades.add(bar, 1, price, count),
      sold: (bar, price, count) => trades.add(bar, 2, price, count),
    },
  })
  // The report is of the run whose trades are compared.
  deepStrictEqual([result.buys + result.sells, result.total], [trades.count, equity.at(-1)])
  return trades
}

function tight(bars: Bars): Trades {
  const trades = new Trades()
  tightLoop(bars, trades)
  return trades
}

const spent = (run: () => unknown) => () => {
  const start = cpuSpent()
  run()
  return (cpuSpent() - start) / 1_000
}

const million = minutes(BARS)
const [expected, found] = [tight(million), ours(million)]
deepStrictEqual([found.hash, found.count], [expected.hash, expected.count])
const times = await interleaved({ tight: spent(() => tight(million)), ours: spent(() => ours(million)) })
printFigure(
  `P6 back-test of 1 M bars with report, ours / tight loop, ${found.count} trades`,
  ratios(times['ours'], times['tight']),
  '≤ 8',
)
const rates = (times['ours'] ?? []).map((ms) => BARS / ms / 1_000)
printFigure('P6 bars per CPU-second, ours, with report and equity curve, M', rates, '≥ 20')
console.log(`    the tight loop: ${(BARS / median(times['tight'] ?? []) / 1_000).toFixed(0)} M`)

const hundred = minutes(FRAMEWORK_BARS)
const rival = await Framework.start(hundred)
if (rival === null) console.log('    P7 not run: @backtest/framework could not be installed')
else {
  const theirs = new Trades()
  for (const trade of (await rival.run()).trades) theirs.add(...trade)
  const own = ours(hundred)
  deepStrictEqual([own.hash, own.count], [theirs.hash, theirs.count])
  const both = await interleaved({
    rival: async () => (await rival.run()).cpu / 1_000,
    ours: spent(() => ours(hundred)),
  })
  rival.end()
  const label = `P7 back-test, @backtest/framework / ours, ${own.count} equal trades`
  printFigure(label, ratios(both['rival'], both['ours']), '≥ 30')
}

const STEPS_DOWN = percentsBetween(-5, -0.25, 20)
const STEPS_UP = percentsBetween(0.25, 5, 20)
const WIDE: Settings = { ...SETTINGS, maxBuyPrice: 80_000 }
const map = (bars: Bars) => () => STEPS_DOWN.map((down) => mapRow(bars, WIDE, down, STEPS_UP))
const days3 = generatedBars(DAYS_3_YEARS, 'day', 300)
const days10 = Array.from({ length: 40 }, (_, seed) => generatedBars(DAYS_10_YEARS, 'day', 300, seed + 1))
const minutes60 = generatedBars(MINUTES_60_DAYS, 'minute', 100)
const year = generatedBars(MINUTES_A_YEAR, 'minute', 100)
const thousand = Array.from({ length: 1_000 }, (_, n): Settings => ({
  ...WIDE,
  buyPercent: STEPS_DOWN[n % 20] ?? -1,
  sellPercent: (STEPS_UP[Math.floor(n / 20) % 20] ?? 1) + Math.floor(n / 400) / 100,
}))
const maps = await interleaved(
  {
    days: spent(map(days3)),
    stocks: spent(() => days10.map((bars) => backtest(bars, WIDE, 'unkind'))),
    bothWays: spent(() => days10.map((bars) => backtestBothWays(bars, WIDE))),
    minutes: spent(map(minutes60)),
    year: spent(() => thousand.map((settings) => backtest(year, settings, 'unkind'))),
  },
  3,
)
printFigure('P20 map 20 × 20, both ways, 3 years of days, ms', maps['days'] ?? [], '≤ 40')
printFigure('P20 map 20 × 20, both ways, 60 days of minutes, ms', maps['minutes'] ?? [], '≤ 1000')
printFigure('P20 1,000 settings over a stock-year of minutes, ms', maps['year'] ?? [], '≤ 5000')
printFigure('P20 ten years of days of 40 stocks, ms', maps['stocks'] ?? [], '≤ 20')
printFigure('P20 the same both ways, ms', maps['bothWays'] ?? [], 'no goal')
