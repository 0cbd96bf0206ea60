import type { Stock } from '../../src/index.ts'
import type { Simulation } from './simulation.ts'
import { Violation } from './violation.ts'

/** Refusals in a row that stop a stock. */
const REJECTS = 3

/**
 * Long after the last fault, and before anybody has repaired anything: what stands still does so for something that only a
 * person can settle, and that is really there. All else must have passed by itself.
 */
export function checkCauses(simulation: Simulation): void {
  const { shell, faults, monitor } = simulation
  const { stocks, otherServer } = shell.account.book
  const mayBeTwin = monitor.outside || (faults.counts.get('keyHeld') ?? 0) > 0 || monitor.swaps > 0
  if (otherServer.suspected !== null && !mayBeTwin)
    throw new Violation('I14 cause', `another server is suspected: ${otherServer.suspected.text}`)
  for (const stock of stocks.values()) {
    const { code } = stock.issue
    if (stock.frozen !== null && !monitor.troubles.moved.has(code))
      throw new Violation('I14 cause', `${code} is frozen, and its base has not moved`)
    if (stock.blocked !== null && !isReal(simulation, stock, stock.blocked.code))
      throw new Violation('I14 cause', `${code} is stopped for nothing: ${stock.blocked.text}`)
  }
}

function isReal({ broker, monitor }: Simulation, stock: Stock, why: NonNullable<Stock['blocked']>['code']): boolean {
  const { code } = stock.issue
  switch (why) {
    case 'mismatch': {
      const booked = stock.lots.reduce((sum, lot) => sum + lot.count, 0)
      return booked + stock.kept !== (broker.held.get(code) ?? 0)
    }
    case 'rejects':
      return (broker.faulty.get(code) ?? 0) >= REJECTS
    case 'ambiguous':
      return monitor.troubles.lost.has(code)
  }
}
