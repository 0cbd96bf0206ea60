/** The pool has no error of its own kind for these, only texts (pg-pool 3, index.js). */
const NO_CONNECTION = new Set([
  'Connection terminated due to connection timeout',
  'timeout exceeded when trying to connect',
])

/** Refused by the machine, by a server that starts or stops (57P03), or by one that has no room for more (53300). */
const NOT_LET_IN = new Set(['ECONNREFUSED', '57P03', '53300'])

/** Whether no connection to the database was to be had: the statement never left. One that was cut in use is not meant. */
export const isNotConnected = (error: unknown): boolean =>
  error instanceof Error &&
  (NO_CONNECTION.has(error.message) || ('code' in error && NOT_LET_IN.has(String(error.code))))
