import type { Person } from '../people/person.ts'
import type { Stage } from '../stage.ts'

/** Whether prices of a stock, and notices, reach the server that people are sent to: its socket to the broker is up. */
export function isFed(stage: Stage, { userId }: Person, code: string): boolean {
  const running = stage.running(stage.active)
  if (running === undefined || running.server === null) return false
  const { engine } = running.server
  return stage.simulation.enter(running.process, () => {
    if (!engine.has(userId)) return false
    const { connected, stocks } = engine.socket(userId)
    return connected && stocks.some((stock) => stock.code === code)
  })
}
