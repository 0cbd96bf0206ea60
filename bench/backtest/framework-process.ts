/** @backtest/framework in a process of its own. The first message brings the bars, each further one is a run. */
import { createRequire, Module } from 'node:module'
import { join } from 'node:path'
import * as strategy from './framework-strategy.ts'

interface Columns {
  readonly open: readonly number[]
  readonly high: readonly number[]
  readonly low: readonly number[]
  readonly close: readonly number[]
}
interface Runner {
  run(params: object): Promise<unknown>
}

const MINUTE_MS = 60_000
const [folder = ''] = process.argv.slice(2)
const require = createRequire(join(folder, 'index.js'))
const helpers = join(folder, 'node_modules/@backtest/framework/dist/src/helpers')

let candles: readonly object[] = []

/** Candles come from memory in place of its database, which makes it faster. */
const source = require.resolve(join(helpers, 'prisma-historical-data.js'))
const memory = new Module(source)
memory.loaded = true
memory.exports = {
  getCandles: () => Promise.resolve({ candles, metaCandles: [{ name: 'bars', symbol: 'BARS', interval: '1m' }] }),
}
require.cache[source] = memory
const runner: Runner = require(join(helpers, 'run-strategy.js'))

const candlesOf = ({ open, high, low, close }: Columns): readonly object[] =>
  open.map((first, bar) => ({
    symbol: 'BARS',
    interval: '1m',
    openTime: bar * MINUTE_MS,
    closeTime: (bar + 1) * MINUTE_MS - 1,
    open: first,
    high: high[bar],
    low: low[bar],
    close: close[bar],
    volume: 1,
    assetVolume: 1,
    numberOfTrades: 1,
  }))

async function runOnce(): Promise<number> {
  const before = process.cpuUsage()
  strategy.begin()
  await runner.run({
    strategyName: 'framework-strategy',
    rootPath: import.meta.dirname,
    historicalData: ['bars'],
    supportHistoricalData: [],
    startingAmount: 100_000_000,
    startTime: 0,
    endTime: Number.MAX_SAFE_INTEGER,
    params: {},
    percentFee: 0.015,
    percentSlippage: 0,
  })
  const { user, system } = process.cpuUsage(before)
  return user + system
}

process.on('message', (bars: Columns | 'run') => {
  if (bars === 'run') void runOnce().then((cpu) => process.send?.({ cpu, trades: strategy.trades }))
  else {
    candles = candlesOf(bars)
    process.send?.({ cpu: 0, trades: [] })
  }
})
