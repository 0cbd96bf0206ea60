/**
 * A pretend broker in a process of its own whose market falls on command: one line of JSON with its addresses, then for
 * `fall` on its input three percent in a minute; for anything else, when prices fell and how many
 * calls were let in and refused. Arguments: users, stocks, calls a second.
 */
import { createInterface } from 'node:readline'
import { floorToTick } from '@digger/core'
import { demoCredentials, MEASURED_LATENCY, startSim } from '@digger/kis-sim'
import { madeUpStocks } from './made-up-stocks.ts'

const [users = 1, stocks = 1, callsPerSecond = 18] = process.argv.slice(2).map(Number)
const FALL = 0.03
/** Until a new order shows in lists, ms: always the same, so that it can be separated from how late we read them. */
const LISTING_MS = 2_000
const FALL_MS = 60_000
const TRADE_INTERVAL_MS = 500
const CASH_WON = 10_000_000_000

const listings = madeUpStocks(stocks, (n) => 20_000 + n * 1_000)
const sim = await startSim({
  port: 0,
  seed: 1,
  hours: 'always',
  clock: { mode: 'real' },
  universe: listings,
  walk: 'off',
  latency: { ...MEASURED_LATENCY, listing: [LISTING_MS, LISTING_MS] },
  accounts: Array.from({ length: users }, (_, n) => ({ credentials: demoCredentials(n), cash: CASH_WON })),
  assumptions: { tokenPauseMs: 0, callsPerSecond: { real: callsPerSecond, paper: 1 }, ledgerCallsPerSecond: 1 },
})

/** When which stock first traded at a lower price than before, epoch ms. */
const path: { readonly at: number; readonly code: string; readonly price: number }[] = []

/** Every stock trades twice a second, each a little after the other, down to three percent below where it began. */
function fall(): void {
  const began = Date.now()
  const timer = setInterval(() => {
    const part = Math.min(1, (Date.now() - began) / FALL_MS)
    for (const { code, base } of listings) {
      const price = floorToTick(Math.round(base * (1 - FALL * part)), 'stock')
      if (price < sim.price(code)) path.push({ at: Date.now(), code, price })
      sim.setPrice(code, price)
    }
  }, TRADE_INTERVAL_MS)
  process.once('SIGTERM', () => clearInterval(timer))
}

createInterface({ input: process.stdin }).on('line', (line) => {
  if (line === 'fall') fall()
  else process.stdout.write(`${JSON.stringify({ path, traffic: sim.traffic })}\n`)
})
const address = {
  url: sim.url,
  wsUrl: sim.wsUrl,
  listingMs: LISTING_MS,
  listings: listings.map(({ code, base }) => ({ code, base })),
}
process.stdout.write(`${JSON.stringify(address)}\n`)
process.once('SIGTERM', () => void sim.close().then(() => process.exit(0)))
