import type { Config } from '@digger/config'
import type { Passwords } from '@digger/identity'
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
  /** Weekdays that a demonstration begins with, where not as many as people get. */
  readonly days?: number | undefined
  /** What a guess at a password costs, where not what it costs people. */
  readonly passwords?: Passwords | undefined
}

/** A process that has begun. */
export interface Started {
  /** Where people open it; null for one that serves nobody. */
  readonly address: string | null
  /** Resolves when it has lost its database for good; null for one that waits until it is back. */
  readonly databaseLost: Promise<Error> | null
}
