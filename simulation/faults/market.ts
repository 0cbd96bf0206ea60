import { floorToTick } from '@digger/core'
import type { Stage } from '../stage.ts'
import { choose, NOTHING_TO_END, type Fault } from './fault.ts'

/** What the market itself does to a careful program. */
export const MARKET_FAULTS = {
  /** Most stocks fall through their next buy at once. */
  fall: { weight: 4, lasts: [1_000, 1_000], excuses: [], strike: (stage, draw) => move(stage, -0.5 - draw * 4) },
  rise: { weight: 2, lasts: [1_000, 1_000], excuses: [], strike: (stage, draw) => move(stage, 0.5 + draw * 3) },
  interruption: {
    weight: 1,
    lasts: [60_000, 120_000],
    excuses: [],
    strike(stage, draw, forMs) {
      const { stocks } = choose(stage.plan.accounts, draw)
      stage.simulation.enter(stage.brokerProcess, () => {
        for (const { code } of stocks.slice(0, 4)) stage.sim.interrupt(code, forMs)
      })
      return NOTHING_TO_END
    },
  },
} as const satisfies Readonly<Record<string, Fault>>

/** Moves the price of every stock by some percent, as far as the day's limits let it. */
export function move(stage: Stage, percent: number, codes: readonly string[] = allCodes(stage)): () => void {
  stage.simulation.enter(stage.brokerProcess, () => {
    for (const code of codes) setNear(stage, code, stage.sim.price(code) * (1 + percent / 100))
  })
  return NOTHING_TO_END
}

/** Most stocks come to their next buy. */
export const fall = (stage: Stage, draw: number): unknown => move(stage, -0.5 - draw * 2)

export const allCodes = (stage: Stage): readonly string[] => [
  ...new Set(stage.plan.accounts.flatMap(({ stocks }) => stocks.map(({ code }) => code))),
]

/** Trades at the nearest price the exchange takes; where nothing trades now, nothing happens. */
export function setNear(stage: Stage, code: string, price: number): boolean {
  try {
    const { kind } = stage.sim.broker.exchange.issue(code).listing
    stage.sim.setPrice(code, floorToTick(Math.round(price), kind))
    return true
  } catch {
    return false
  }
}
