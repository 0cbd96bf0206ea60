/** The tight loop's rule for the framework, which asks once per candle. It keeps no lots: those are the strategy's own. */
interface Asked {
  readonly currentCandle: { readonly open: number; readonly high: number; readonly low: number; readonly close: number }
  buy(order: { price: number; baseAmount: number }): Promise<void>
  sell(order: { price: number; baseAmount: number }): Promise<void>
}

/** Side 1 buys, 2 sells. */
export type FrameworkTrade = readonly [bar: number, side: 1 | 2, price: number, count: number]

export let trades: FrameworkTrade[] = []
let bar = -1
let lots: { readonly price: number; readonly count: number }[] = []
let next = 75_000
let target = Infinity

export function begin(): void {
  trades = []
  lots = []
  bar = -1
  next = 75_000
  target = Infinity
}

const below = (price: number): number =>
  Math.floor(Math.min(75_000, Math.floor((price * 99) / 100), price - 100) / 100) * 100
const above = (price: number): number => Math.ceil(Math.ceil((price * 1_012) / 1_000) / 100) * 100

export async function runStrategy(bth: Asked): Promise<void> {
  bar += 1
  const { open, high, low, close } = bth.currentCandle
  if (high < target && low > next) return
  await rise(bth, open, false)
  if (open <= next) await buy(bth, open)
  await rise(bth, high, true)
  await fall(bth, high, low)
  await rise(bth, close, true)
}

async function fall(bth: Asked, from: number, to: number): Promise<void> {
  for (;;) {
    if (next < to || to >= from) return
    await buy(bth, next)
  }
}

async function buy(bth: Asked, price: number): Promise<void> {
  const count = Math.floor(200_000 / price)
  await bth.buy({ price, baseAmount: count })
  trades.push([bar, 1, price, count])
  lots.push({ price, count })
  next = below(price)
  target = above(price)
}

async function rise(bth: Asked, to: number, buysToo: boolean): Promise<void> {
  while (target <= to) {
    const price = target
    const count = lots.pop()?.count ?? 0
    await bth.sell({ price, baseAmount: count })
    trades.push([bar, 2, price, count])
    const last = lots.at(-1)
    next = below(last?.price ?? price)
    target = last === undefined ? Infinity : above(last.price)
    if (buysToo && price <= next) await buy(bth, price)
  }
}
