import type { SocketStatus } from '@digger/engine'
import type { Person } from '../people/person.ts'
import type { Stage } from '../stage.ts'

/** Whether prices of a stock, and notices, reach the server that people are sent to: its socket to the broker is up. */
export function isFed(stage: Stage, person: Person, code: string): boolean {
  const status = statusOf(stage, person)
  return status?.connected === true && status.stocks.some((stock) => stock.code === code)
}

/** Whether the account's own socket to the broker is up. */
export const isConnected = (stage: Stage, person: Person): boolean => statusOf(stage, person)?.connected === true

function statusOf(stage: Stage, { userId }: Person): SocketStatus | null {
  const running = stage.running(stage.active)
  if (running === undefined || running.server === null) return null
  const { engine } = running.server
  return stage.simulation.enter(running.process, () => (engine.has(userId) ? engine.socket(userId) : null))
}
