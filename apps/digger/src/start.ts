import type { Config } from '@digger/config'
import type { FastifyBaseLogger } from 'fastify'

/** What a role is started with. */
export interface Start {
  readonly config: Config
  readonly log: FastifyBaseLogger
  /** For the person who runs it. */
  readonly print: (line: string) => void
  /** What is to be closed at the end, the last one first; filled while it starts, so that a start that is cut short closes too. */
  readonly ends: (() => Promise<void>)[]
  /** How long it waits for a process before it to leave the pretend exchange's folder, ms. */
  readonly lockWaitMs?: number
}

/** A process that has begun. */
export interface Started {
  /** Where people open it; null for one that serves nobody. */
  readonly address: string | null
  /** Resolves when it has lost its database for good; null for one that waits until it is back. */
  readonly databaseLost: Promise<Error> | null
}
