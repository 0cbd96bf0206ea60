import { z } from 'zod'

/** News for the browsers at one gateway. */
export const liveSubject = (gateway: string): string => `digger.live.${gateway}`
/** Asked by gateways while somebody watches. */
export const watchSubject = (worker: string): string => `digger.watch.${worker}`

/** A gateway asks this often; a worker that was not asked for longer sends no more, ms. */
export const WATCH_INTERVAL_MS = 10_000
export const UNWATCHED_MS = 25_000

/** What a gateway asks: to be sent from now on what changes for these users. */
export const Watch = z.object({ gateway: z.string(), userIds: z.array(z.string()) })
/** What a worker answers: those of them whose accounts are not there. */
export const NotHere = z.array(z.string())

/**
 * One frame of one user's stream, which begins anew with each owner. The number follows the one before; the last is which of the
 * texts it is. Null: a mark, which each question is answered with in its place among the frames: the number is that of the next one.
 */
const Frame = z.tuple([z.string(), z.string(), z.number(), z.number().nullable()])
export type Frame = z.output<typeof Frame>
/** Frames of many users, in order. Who holds the same stocks is sent the same text: it is there once. */
export const LiveMessage = z.object({ texts: z.array(z.string()), frames: z.array(Frame) })

export const bytesOf = (message: object): Buffer => Buffer.from(JSON.stringify(message))

/** Null: it is of a version that is not understood. */
export function understood<T>(schema: z.ZodType<T>, data: Uint8Array): T | null {
  try {
    return schema.parse(JSON.parse(Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString()))
  } catch {
    return null
  }
}
