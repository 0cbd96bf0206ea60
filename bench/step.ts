/**
 * P6: a back-test of a million bars by the rules of the ladder behind ready trigger prices, against a tight loop written
 * for this one setting. P9: the same rules driven through the whole account, order by order, make the same trades.
 * And what a price that triggers nothing costs on its way through `step`.
 */
import { deepStrictEqual, strictEqual } from 'node:assert/strict'
import {
  type Lot,
  lowestBuyPrice,
  lotTarget,
  nextBuyPrice,
  planBuy,
  referenceAfterBuy,
  referenceAfterSale,
  remainAmount,
  step,
} from '@digger/core'
import { CODE, LiveAccount, SETTINGS, Trades } from './live-account.ts'
import { interleaved, median, ratios, cpuSpent, printFigure } from './measure.ts'

const BARS = 1_000_000
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

/** Trades in a tight loop: lots are a falling stack, and nothing is general. Prices stay between 50,000 and 200,000: tick 100. */
function tight(prices: Int32Array): Trades {
  const trades = new Trades()
  const bought = new Int32Array(1_000)
  const counts = new Int32Array(1_000)
  let held = 0
  let spentWon = 0
  let next = 75_000
  let target = Infinity
  for (let bar = 0; bar < prices.length; bar += 1) {
    const price = prices[bar] ?? 0
    for (; target <= price;) {
      held -= 1
      const [cost = 0, count = 0] = [bought[held], counts[held]]
      trades.add(bar, 2, target, count)
      spentWon -= cost * count
      const reference = held === 0 ? target : (bought[held - 1] ?? 0)
      next = below(reference)
      target = held === 0 ? Infinity : above(bought[held - 1] ?? 0)
    }
    if (price > next) continue
    const count = Math.min(Math.floor(200_000 / price), Math.floor((20_000_000 - spentWon) / price))
    if (count <= 0) continue
    trades.add(bar, 1, price, count)
    bought[held] = price
    counts[held] = count
    held += 1
    spentWon += price * count
    next = below(price)
    target = above(price)
  }
  return trades
}

const below = (price: number): number =>
  Math.floor(Math.min(75_000, Math.floor((price * 99) / 100), price - 100) / 100) * 100
const above = (price: number): number => Math.ceil(Math.ceil((price * 1_012) / 1_000) / 100) * 100

/** One account's lots under the rules themselves, which are asked only when a price crosses one of the two triggers. */
class RuledLots {
  readonly trades = new Trades()
  readonly #lots: { lot: Lot; target: number }[] = []
  #held: Lot[] = []
  #settings = SETTINGS
  nextBuy = nextBuyPrice(SETTINGS, 'stock') ?? 0

  /** The lowest target of all lots. */
  get target(): number {
    return this.#lots.at(-1)?.target ?? Infinity
  }

  sell(bar: number): void {
    const sold = this.#lots.pop()
    if (sold === undefined) return
    this.trades.add(bar, 2, sold.target, sold.lot.count)
    this.#held = this.#lots.map(({ lot }) => lot)
    this.#refer(
      referenceAfterSale(lowestBuyPrice(this.#held), this.#settings, this.#settings.lastBuyPrice, sold.target),
    )
  }

  buy(bar: number, price: number): void {
    const plan = planBuy({
      settings: this.#settings,
      kind: 'stock',
      heldAmount: remainAmount(this.#held),
      liveBuyAmount: 0,
      price,
      buyableCount: null,
      band: null,
    })
    if (plan.kind !== 'buy') return
    const { count } = plan
    this.trades.add(bar, 1, plan.price, count)
    const lot = { id: bar, count, buyPrice: plan.price, buyAmount: plan.price * count, boughtAt: bar }
    // Lowest target last: the next to sell is at hand.
    this.#lots.push({ lot, target: lotTarget(lot.buyPrice, this.#settings, 'stock') })
    this.#lots.sort((a, b) => b.target - a.target)
    this.#refer(referenceAfterBuy(lot.buyAmount, lot.count))
  }

  #refer(lastBuyPrice: number | null): void {
    this.#held = this.#lots.map(({ lot }) => lot)
    this.#settings = { ...this.#settings, lastBuyPrice }
    this.nextBuy = nextBuyPrice(this.#settings, 'stock') ?? 0
  }
}

function ruled(prices: Int32Array): Trades {
  const lots = new RuledLots()
  let { target } = lots
  for (let bar = 0; bar < prices.length; bar += 1) {
    const price = prices[bar] ?? 0
    while (target <= price) {
      lots.sell(bar)
      ;({ target } = lots)
    }
    if (price > lots.nextBuy) continue
    lots.buy(bar, price)
    ;({ target } = lots)
  }
  return lots.trades
}

const prices = walk(BARS)
const [expected, ours] = [tight(prices), ruled(prices)]
deepStrictEqual([ours.hash, ours.count], [expected.hash, expected.count])

const short = prices.subarray(0, LIVE_BARS)
const live = new LiveAccount()
short.forEach((price, bar) => live.bar(bar, price))
const same = ruled(short)
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
  tight: timed(() => void tight(prices), BARS),
  ruled: timed(() => void ruled(prices), BARS),
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
printFigure(
  `P6 back-test of ${BARS / 1_000_000} M bars, ours / tight loop, ${ours.count} trades`,
  ratios(times['ruled'], times['tight']),
  '≤ 8',
)
printFigure('   a price that triggers nothing, step / a look-up and a comparison', ratios(times['step'], times['bare']))
const rate = (name: string): string => (1_000 / median(times[name] ?? [])).toFixed(1)
console.log(
  `    million a second: bars tight ${rate('tight')}, ours ${rate('ruled')}; quiet prices through step ${rate('step')}`,
)
