import { z } from 'zod'

/** News of one user, from whoever has the account. */
export const liveSubject = (userId: string): string => `digger.live.${userId}`
/** Asked by gateways while somebody watches. */
export const watchSubject = (worker: string): string => `digger.watch.${worker}`

/** A gateway asks this often; a worker that was not asked for longer sends no more, ms. */
export const WATCH_INTERVAL_MS = 10_000
export const UNWATCHED_MS = 25_000

/** Head of a frame: the number that follows the one before, in a stream that begins anew with each owner. */
export const FrameHead = z.object({ stream: z.string(), number: z.number() })
/** What a worker answers: the number of its next frame. Null: the account is not here. */
export const Watching = z.object({ stream: z.string(), next: z.number() }).nullable()
