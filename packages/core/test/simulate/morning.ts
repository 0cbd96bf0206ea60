import { kstInstant } from '../../src/index.ts'
import { checkRest } from './resting.ts'
import type { Simulation } from './simulation.ts'
import { Violation } from './violation.ts'

/** A quiet next day on which nobody does anything: ten minutes after the opening everything rests, and nothing stands still. */
export function checkMorning(simulation: Simulation): void {
  const { agenda, shell, monitor } = simulation
  simulation.nextDay()
  simulation.beginDay()
  agenda.runUntil(kstInstant(simulation.day, 85_950))
  simulation.playSeconds(40)
  while (agenda.now < kstInstant(simulation.day, 91_000)) {
    agenda.runUntil(agenda.now + 10_000)
    simulation.playSeconds(1)
  }
  const { view, book } = shell.account
  if (!view.connection.armed) throw new Violation('life', 'not armed ten minutes after the opening')
  for (const { issue, blocked, frozen } of book.stocks.values())
    if (frozen !== null || (blocked !== null && !monitor.troubles.unexpected.has(issue.code)))
      throw new Violation('life', `${issue.code} stands still in the morning: ${blocked?.text ?? 'its base has moved'}`)
  checkRest(simulation)
}
