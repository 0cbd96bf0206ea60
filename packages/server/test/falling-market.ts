import { setTimeout as delay } from 'node:timers/promises'
import { SETTINGS } from '@digger/engine/testing'
import { expect, vi } from 'vitest'
import type { ClusterFixture } from './several-workers-fixture.ts'

export const CODES = [
  '005930',
  '000660',
  '035720',
  '005380',
  '069500',
  '247540',
  '035420',
  '000270',
  '068270',
  '051910',
]

/** Orders that reached the broker, of everybody. */
export const reached = ({ people, sim }: ClusterFixture): number =>
  people.reduce((sum, { account }) => sum + sim.orders(account).length, 0)

/** Every account watches ten stocks and would buy each one percent below its price. */
export async function everybodyWaits(cluster: ClusterFixture): Promise<void> {
  for (const n of cluster.people.keys())
    for (const code of CODES) {
      const price = cluster.sim.price(code)
      const settings = { ...SETTINGS, maxBuyPrice: price * 2, buyUnitPrice: 1, lastBuyPrice: price, autoSell: false }
      const saved = await cluster.call(n, 'POST', `/api/user/stock/${code}`, settings)
      if (saved.statusCode !== 200) throw new Error(saved.payload)
    }
}

/** The market stands where it stood, twice: the first price after a gap decides nothing. */
async function trade({ sim }: ClusterFixture): Promise<void> {
  for (const code of CODES) sim.setPrice(code, sim.price(code))
  await delay(300)
}

/** The whole market falls: every account wants ten orders now, one after the other. */
export async function fall(cluster: ClusterFixture): Promise<void> {
  await trade(cluster)
  await trade(cluster)
  const before = reached(cluster)
  for (const code of CODES) cluster.sim.setPrice(code, Math.floor(cluster.sim.price(code) * 0.97))
  await vi.waitFor(() => expect(reached(cluster)).toBeGreaterThan(before + 2), { timeout: 10_000, interval: 5 })
}
