import { setTimeout as delay } from 'node:timers/promises'
import type { Stage } from '../crash/stage.ts'
import { seconds } from './waiting.ts'
import { armedWithin, startTrading, finish, checkTradesAgain, type FaultInjection } from './fault-injection.ts'

const FROZEN_MS = 40_000
/** The silence after which the client gives a socket up, and a while to come back, ms. */
const SILENCE_MS = 130_000

/** The broker's process stands still with all its connections; then only its sockets do; then it restarts. */
export const frozenBroker: FaultInjection = {
  name: 'a frozen broker',
  missing: () => null,
  async run({ open }) {
    const stage = await open()
    const server = await startTrading(stage)
    const report: string[] = []
    const armedAfter = async (what: string, ms: number): Promise<void> => {
      const since = performance.now()
      if (!(await armedWithin(stage, server, ms)))
        stage.problems.push(`${what}: not armed again within ${ms / 1_000} s`)
      else report.push(`${what}: armed ${seconds(performance.now() - since)} later`)
    }

    stage.market.freeze()
    await Promise.all([stage.work(FROZEN_MS), delay(FROZEN_MS)])
    stage.market.thaw()
    await armedAfter(`stood still for ${FROZEN_MS / 1_000} s`, 90_000)
    await checkTradesAgain(stage, 'after the broker stood still')

    await stage.broker.sockets('freeze')
    // Prices of before the silence are five seconds old at most when the last automatic buy is made.
    const from = Date.now() + 8_000
    await delay(20_000)
    const buys = await buysBetween(stage, from, Date.now())
    if (buys > 0) stage.problems.push(`${buys} automatic buys with sockets that were silent`)
    await reconnected(stage, report)
    await armedAfter('sockets silent', 60_000)
    await checkTradesAgain(stage, 'after the sockets were silent')

    await stage.broker.restart()
    const restarted = performance.now()
    await checkTradesAgain(stage, 'restarted, every token forgotten')
    report.push(
      `restarted, every token forgotten: an order after ${((performance.now() - restarted) / 1_000).toFixed(0)} s`,
    )
    await finish(stage, server)
    return report
  },
}

async function buysBetween(stage: Stage, from: number, to: number): Promise<number> {
  const orders = await Promise.all(stage.people.map((person) => stage.ordersOf(person)))
  return orders.flat().filter(({ side, at }) => side === 'buy' && at >= from && at < to).length
}

/** Waits until silent sockets were noticed and replaced. */
async function reconnected(stage: Stage, report: string[]): Promise<void> {
  const since = performance.now()
  const connectedAt = async () => Promise.all(stage.people.map((person) => person.client.connectedAt()))
  const before = await connectedAt()
  while (performance.now() - since < SILENCE_MS) {
    const now = await connectedAt()
    if (now.every((at, i) => at !== null && at !== before[i])) {
      report.push(
        `silent sockets were noticed and replaced after ${((performance.now() - since) / 1_000 + 20).toFixed(0)} s`,
      )
      return
    }
    await delay(1_000)
  }
  stage.problems.push('a silent socket was never replaced')
}
