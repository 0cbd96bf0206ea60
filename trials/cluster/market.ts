/**
 * The pretend exchange on a host of its own, reached at the host's address as a broker is, and by a local socket for those who
 * judge. Stocks swing, each by itself, so that something is due to be bought or sold all the time. Arguments: address,
 * socket, accounts, stocks, and how long a swing takes, ms. Receives `swing` or `still`, or `at` with a share of each stock's base.
 */
import { floorToTick } from '@digger/core'
import { demoCredentials, startSim } from '@digger/kis-sim'
import { madeUpStocks } from '../stampede/made-up-stocks.ts'
import { openAddress, openDoor } from './doors.ts'
import { CASH_WON, EXCHANGE_PORT, type MarketMessage, swingingOf } from './market-message.ts'

const [address = '', door = '', accounts = '1', stocks = '1', swingMs = '24000'] = process.argv.slice(2)
/** Of each stock, ms; longer where so many accounts watch so many that all of them together would receive more. */
const TRADE_INTERVAL_MS = 500
const MAX_TRADES_A_SECOND = 4_000
/** Up and down by so much of the base. */
const SWING = 0.02
/** Above what accounts pay at most. */
const TOO_DEAR = 0.015

const listings = madeUpStocks(Number(stocks), (n) => 20_000 + n * 1_000)
const sim = await startSim({
  port: 0,
  seed: 1,
  hours: 'always',
  clock: { mode: 'real' },
  universe: listings,
  walk: 'off',
  accounts: Array.from({ length: Number(accounts) }, (_, n) => ({ credentials: demoCredentials(n), cash: CASH_WON })),
  // Whoever is killed before it has stored its token asks for another one: a minute's wait would prove nothing.
  assumptions: { tokenPauseMs: 0 },
})
await openAddress(address, EXCHANGE_PORT, sim.port)
await openDoor(door, sim.port)

let wanted: MarketMessage = { kind: 'still' }
const began = Date.now()
const swinging = swingingOf({ accounts: Number(accounts), stocks: listings.length })
const subscriptions = Number(accounts) * listings.length
const intervalMs = Math.max(TRADE_INTERVAL_MS, (subscriptions / MAX_TRADES_A_SECOND) * 1_000)
for (const [n, { code, base }] of listings.entries()) {
  const trade = (): void => {
    if (wanted.kind === 'still') return
    const turn = (Date.now() - began) / Number(swingMs) + n / swinging
    const swing = n < swinging ? SWING * Math.sin(2 * Math.PI * turn) : TOO_DEAR
    const share = wanted.kind === 'at' ? wanted.share : swing
    sim.setPrice(code, floorToTick(Math.round(base * (1 + share)), 'stock'))
  }
  setTimeout(() => setInterval(trade, intervalMs), (intervalMs * n) / listings.length)
}

process.on('message', (message: MarketMessage) => (wanted = message))
// Nobody is there any more who wants a market.
process.on('disconnect', () => process.exit(0))
process.send?.({ kind: 'ready', codes: listings.map(({ code }) => code) })
