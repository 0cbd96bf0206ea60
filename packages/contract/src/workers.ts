import { z } from 'zod'
import { instant, Stop } from './entities.ts'

const count = z.int().min(0)

/** One of the processes that share the accounts. */
export const WorkerState = z.object({
  id: z.string(),
  version: z.string(),
  host: z.string(),
  /** When it began. */
  since: instant,
  /** Since it last said that it is there, seconds by the clock of the database. */
  leaseAge: z.number(),
  /** It was asked to let all its shards go, and takes none. */
  draining: z.boolean(),
  /** False: it was found dead, or has not said for too long that it is there. */
  alive: z.boolean(),
  shards: count,
})
export type WorkerState = z.infer<typeof WorkerState>

/** Shards that one worker took from another; `from` null: nobody had them. */
export const ShardMove = z.object({
  at: instant,
  shards: count,
  from: z.string().nullable(),
  to: z.string(),
  /** For people. */
  why: z.string(),
})
export type ShardMove = z.infer<typeof ShardMove>

/** The processes that run Digger, as the tables have them. */
export const ServerState = z.object({
  /** Of the process that answers; `all`: it is the only one. */
  role: z.enum(['all', 'worker', 'gateway']),
  /** The process that answers; `worker`: which of them it is. */
  self: z.object({ worker: z.string().nullable(), version: z.string(), host: z.string(), since: instant }),
  workers: z.array(WorkerState),
  /** Groups of accounts that no living worker has. */
  unowned: count,
  /** The last, newest first. */
  moves: z.array(ShardMove),
  /** Of the whole server; `why`: where no person stopped it. */
  stop: z.object({ is: Stop, why: z.string().nullable() }),
})
export type ServerState = z.infer<typeof ServerState>
