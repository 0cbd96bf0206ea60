import { setTimeout as delay } from 'node:timers/promises'
import { floorToTick, type Settings } from '@digger/core'
import { demoCredentials } from '@digger/kis-sim'
import { SETTINGS } from '@digger/engine/testing'
import type { DiggerServer } from '@digger/server'
import { type LoggedIn, signUp } from '@digger/app'
import type { MarketAddress } from './market-process.ts'

export interface Trader extends LoggedIn {
  /** The account's number at the broker. */
  readonly account: string
}

type Listings = MarketAddress['listings']

const ARM_TIMEOUT_MS = 180_000
/** Between two changes of a person, ms: a little more than the server's limit asks for. */
const CHANGE_INTERVAL_MS = 120
/** One socket carries the prices of so many stocks. */
const MAX_WATCHED = 40

/** Every ladder buys one share at each percent down, from half a percent under where the market stands. */
export function ladderFor(listings: Listings, code: string): Settings {
  const base = listings.find((one) => one.code === code)?.base ?? 0
  const maxBuyPrice = floorToTick(Math.round(base * 0.995), 'stock')
  return { ...SETTINGS, maxBuyPrice, maxBuyAmount: 100_000_000, buyUnitPrice: 1, lastBuyPrice: null, buyPercent: -1 }
}

/** Signs up so many people, and gives each of them every stock. */
export async function signUpTraders(server: DiggerServer, users: number, listings: Listings): Promise<Trader[]> {
  const joined: LoggedIn[] = []
  for (let n = 0; n < users; n += 1) {
    const who = { email: `fall${n}@example.com`, password: `stampede-of-${n}`, credentials: demoCredentials(n) }
    joined.push(await signUp(server, who))
  }
  return Promise.all(
    joined.map(async (person, n) => {
      for (const { code } of listings) {
        await person.call('POST', `/api/user/stock/${code}`, ladderFor(listings, code))
        await delay(CHANGE_INTERVAL_MS)
      }
      return { ...person, account: demoCredentials(n).accountNumber }
    }),
  )
}

/** Waits until every account may trade and receives the prices of its stocks. */
export async function waitUntilReady(
  { engine }: DiggerServer,
  traders: readonly Trader[],
  stocks: number,
): Promise<void> {
  const watching = (): boolean =>
    traders.every(({ userId }) => engine.socket(userId).stocks.length >= Math.min(MAX_WATCHED, stocks))
  const since = performance.now()
  while (engine.health.vitals().armed < traders.length || !watching()) {
    if (performance.now() - since > ARM_TIMEOUT_MS) throw new Error('not everybody was armed and watching in time')
    await delay(500)
  }
}
