/**
 * P9: the rules driven through the whole account, order by order, make the trades of the back-test. And what a price that triggers
 * nothing costs on its way through `step`.
 */
import { deepStrictEqual, strictEqual } from 'node:assert/strict'
import { addDays, backtest, barsOf, step } from '@digger/core'
import { CODE, LiveAccount, SETTINGS, Trades } from './live-account.ts'
import { interleaved, median, ratios, cpuSpent, printFigure } from './measure.ts'

const MINUTES_A_DAY = 300
const ISSUE = { kind: 'stock', market: 'KOSPI' } as const
/** Through the account every trade is an order with its acceptance and its reading: fewer bars show as much. */
const LIVE_BARS = 3_000
const QUIET_TICKS = 2_000_000

/** Makes a seeded walk on the grid, drawn back to 70,000 won. */
function walk(bars: number): Int32Array {
  const prices = new Int32Array(bars)
  let state = 20_261_116
  let price = 70_000
  for (let bar = 0; bar < bars; bar += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    const drift = price > 74_000 ? -1 : price < 62_000 ? 1 : 0
    price += (Math.floor((state / 4_294_967_296) * 5) - 2 + drift) * 100
    prices[bar] = price
  }
  return prices
}

/** The back-test over prices one after the other, without auctions. */
function tested(prices: Int32Array): Trades {
  const trades = new Trades()
  const column = [...prices]
  const days = column.map((_, bar) => addDays('20160104', Math.floor(bar / MINUTES_A_DAY)))
  const times = column.map((_, bar) => clock(bar % MINUTES_A_DAY))
  const bars = barsOf({ days, times, open: column, high: column, low: column, close: column }, ISSUE)
  backtest({ ...bars, flags: new Uint8Array(bars.length) }, SETTINGS, 'unkind', {
    trades: {
      bought: (bar, price, count) => trades.add(bar, 1, price, count),
      sold: (bar, price, count) => trades.add(bar, 2, price, count),
    },
  })
  return trades
}

const clock = (minute: number): string =>
  `${String(9 + Math.floor(minute / 60)).padStart(2, '0')}${String(minute % 60).padStart(2, '0')}00`

const short = walk(LIVE_BARS)
const live = new LiveAccount()
short.forEach((price, bar) => live.bar(bar, price))
const same = tested(short)
strictEqual(live.trades.count, same.count)
printFigure('P9 live and back-test make the same trades (1 = equal)', [live.trades.hash === same.hash ? 1 : 0], '≥ 1')

/** Far above every trigger. */
const quiet = new LiveAccount()
quiet.bar(0, 70_000)
const wanted = new Map([[CODE, quiet.account.book.stocks.get(CODE)?.nextBuyPrice ?? 0]])
let loud = 0
const before = quiet.account
const timed = (run: () => void, per: number) => () => {
  const start = cpuSpent()
  run()
  return ((cpuSpent() - start) / per) * 1_000
}
const context = quiet.context()
const times = await interleaved({
  bare: timed(() => {
    for (let tick = 0; tick < QUIET_TICKS; tick += 1) {
      const next = wanted.get(CODE) ?? 0
      if ((71_000 + (tick % 50) - next) * 100 <= next) loud += 1
    }
  }, QUIET_TICKS),
  step: timed(() => {
    quiet.tick(71_000)
    for (let tick = 0; tick < QUIET_TICKS; tick += 1) {
      if (step(quiet.account, { kind: 'price', code: CODE }, context).account !== before) loud += 1
    }
  }, QUIET_TICKS),
})
deepStrictEqual([quiet.account === before, loud], [true, 0])
printFigure('   a price that triggers nothing, step / a look-up and a comparison', ratios(times['step'], times['bare']))
console.log(`    million a second: quiet prices through step ${(1_000 / median(times['step'] ?? [])).toFixed(1)}`)
