import type { Config } from '@digger/server'
import type { FastifyBaseLogger } from 'fastify'

/** What a role is started with. */
export interface Start {
  readonly config: Config
  readonly log: FastifyBaseLogger
  /** For the person who runs it. */
  readonly print: (line: string) => void
  /** What is to be closed at the end, the last one first; filled while it starts, so that a start that is cut short closes too. */
  readonly ends: (() => Promise<void>)[]
}

/** A process that has begun. */
export interface Started {
  /** Where people open it; null for one that serves nobody. */
  readonly address: string | null
  /** Resolves when it has lost its database for good; null for one that waits until it is back. */
  readonly databaseLost: Promise<Error> | null
}

/** How long the orderly end of a role takes at most, ms: orders on the wire have their reply or their time-out by then. */
export const END_MS: Readonly<Record<Config['DIGGER_ROLE'], number>> = { all: 20_000, worker: 28_000, gateway: 10_000 }

/** Only what the role needs is loaded. */
export async function startRole(start: Start): Promise<Started> {
  switch (start.config.DIGGER_ROLE) {
    case 'all':
      return (await import('./role-all.ts')).startAll(start)
    case 'worker':
      return (await import('./role-worker.ts')).startWorker(start)
    case 'gateway':
      return (await import('./role-gateway.ts')).startGateway(start)
  }
}
