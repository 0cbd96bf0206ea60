import type { Pool } from 'pg'

/**
 * A cut connection is a failed query, never the end of the process. The pool listens to its idle clients; one that is
 * out (a transaction between two statements) has no listener of its own, and an error event without one is thrown.
 */
export function surviveCuts(pool: Pool): void {
  pool.on('error', ignoreError) // Idle: the pool replaces it.
  pool.on('connect', (client) => client.on('error', ignoreError)) // Out: its next query fails for whoever asks.
}

const ignoreError = (): void => undefined
