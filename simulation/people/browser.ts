import type { Dispatcher, Pool } from 'undici'

/** A browser waits so long for an answer, ms. */
export const ANSWER_TIMEOUT_MS = 45_000

/**
 * As many requests at a time as one person presses buttons: what waited for its turn in the browser would be held against the
 * server.
 */
const CONNECTIONS = 32

/** `Connections`: undici's pool, as loaded where the browser runs. */
export const newBrowser = (Connections: typeof Pool, origin: string): Dispatcher =>
  new Connections(origin, { connections: CONNECTIONS, connect: { timeout: 10_000 } })
