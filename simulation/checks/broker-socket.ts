import type { SocketStatus } from '@digger/engine'
import type { Person } from '../people/person.ts'
import type { Stage } from '../stage.ts'
import { ACCOUNTS } from '../template.ts'

/**
 * Whether prices of a stock, and notices, reach the server that people are sent to: its socket to the broker is up at both
 * ends. A server needs a minute and a half to see that the other end of one has frozen.
 */
export function isFed(stage: Stage, person: Person, code: string): boolean {
  const status = statusOf(stage, person)
  const isWatched = status?.connected === true && status.stocks.some((stock) => stock.code === code)
  return isWatched && servedOf(stage, person).some((registration) => registration.endsWith(` ${code}`))
}

/** Whether the account's own socket to the broker is up, and serves it. */
export const isConnected = (stage: Stage, person: Person): boolean =>
  statusOf(stage, person)?.connected === true && servedOf(stage, person).length > 0

/** Whether the broker refuses a line of the account because it still has another one, perhaps of a process that is gone. */
export function isLineHeld({ sim }: Stage, { index }: Person): boolean {
  const account = ACCOUNTS[index]
  return account !== undefined && sim.isKeyHeld(account.credentials.appKey)
}

const servedOf = ({ sim }: Stage, { index }: Person): readonly string[] => {
  const account = ACCOUNTS[index]
  return account === undefined ? [] : sim.registered(account.credentials.appKey)
}

function statusOf(stage: Stage, { userId }: Person): SocketStatus | null {
  const running = stage.running(stage.active)
  if (running === undefined || running.server === null) return null
  const { engine } = running.server
  return stage.simulation.enter(running.process, () => (engine.has(userId) ? engine.socket(userId) : null))
}
