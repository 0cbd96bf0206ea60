import { z } from 'zod'
import { instant, userId } from './entities.ts'

/** What can be done for all users at once. */
export const BulkKind = z.enum(['login', 'cancel', 'sell', 'check', 'fix'])
export type BulkKind = z.infer<typeof BulkKind>

/** `dayClose`: what the server does for everybody each evening. `stopAll`: one account, by its secret link or by Telegram. */
export const JobKind = z.enum([...BulkKind.options, 'dayClose', 'stopAll'])
export type JobKind = z.infer<typeof JobKind>

export const JobItemState = z.enum(['waiting', 'running', 'done', 'failed', 'cancelled'])
export type JobItemState = z.infer<typeof JobItemState>

const count = z.int().min(0)

export const Job = z.object({
  id: z.int(),
  kind: JobKind,
  /** As people call it. */
  name: z.string(),
  /** E-mail of who asked for it. Null: the server itself. */
  by: z.string().nullable(),
  at: instant,
  /** Since when nothing more of it begins. */
  cancelledAt: instant.nullable(),
  /** Null while something of it waits or runs. */
  finishedAt: instant.nullable(),
  total: count,
  counts: z.object({ waiting: count, running: count, done: count, failed: count, cancelled: count }),
})
export type Job = z.infer<typeof Job>

export const JobItem = z.object({
  userId,
  email: z.string(),
  state: JobItemState,
  /** What came of it; null while it waits or runs. */
  message: z.string().nullable(),
})
export type JobItem = z.infer<typeof JobItem>

/** Items of a job, failures first, then what goes on. */
export const JobPage = Job.extend({ items: z.array(JobItem), offset: count })
export type JobPage = z.infer<typeof JobPage>

export const JobPreview = z.object({
  kind: BulkKind,
  name: z.string(),
  /** What would happen, for people. */
  what: z.string(),
  users: count,
  /** How many of them have an open key; null while a worker that has some of the accounts does not answer. */
  withKey: count.nullable(),
  /** How many of them it would change anything for, and how much: open orders, stocks held. Null where it is the same for all. */
  touched: z.object({ users: count, amount: count, unit: z.string() }).nullable(),
  /** Without an open key nothing can be done for them: the first of them. */
  withoutKey: z.array(z.object({ userId, email: z.string() })),
  /** The same that is not over yet: another one does not begin before. */
  running: z.int().nullable(),
})
export type JobPreview = z.infer<typeof JobPreview>
