import { type Config, warningsOf } from '@digger/config'
import { assertLasting, backupPlaceWarnings } from './lasting-place.ts'
import type { Start, Started } from './start.ts'

/** How long the orderly end of a role takes at most, ms: orders on the wire have their reply or their time-out by then. */
export const END_MS: Readonly<Record<Config['DIGGER_ROLE'], number>> = { all: 20_000, worker: 28_000, gateway: 10_000 }

/** Only what the role needs is loaded. */
export async function startRole(start: Start): Promise<Started> {
  const { config, print } = start
  assertLasting(config)
  ;[...warningsOf(config), ...backupPlaceWarnings(config)].forEach(print)
  switch (config.DIGGER_ROLE) {
    case 'all':
      return (await import('./role-all.ts')).startAll(start)
    case 'worker':
      return (await import('./role-worker.ts')).startWorker(start)
    case 'gateway':
      return (await import('./role-gateway.ts')).startGateway(start)
  }
}
