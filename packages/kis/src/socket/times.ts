/** All times are in ms. */
export interface SocketTimes {
  /** How long opening a connection may take. */
  readonly openMs: number
  /** How long the reply to a registration may take. */
  readonly ackMs: number
  /** Without a readable frame for this long the connection is taken for dead, although nobody closed it. */
  readonly idleTimeoutMs: number
  /** Pause before the first reconnect; doubles up to `backOffMaxMs`. */
  readonly backOffMs: number
  readonly backOffMaxMs: number
  /** A connection that lasted this long starts the pauses over. */
  readonly stableMs: number
  readonly attemptsPerHour: number
  /** How long to wait when another connection holds the app key (OPSP8996): often it is our own, which the broker has not let go yet. */
  readonly inUseWaitMs: number
  /** For how long the broker may hold the key for a connection of ours that is gone. */
  readonly releaseMs: number
  /** How long to wait after a wrong HTS ID or app key: somebody may set it right at the broker, where nothing tells us so. */
  readonly refusedWaitMs: number
}

/**
 * KIS announced to block addresses and keys that reconnect endlessly, so pauses start at 5 s and attempts are counted.
 * The broker drops a client after about 100 s without an answer; its PINGPONG comes every few seconds when idle.
 */
export const DEFAULT_SOCKET_TIMES: SocketTimes = {
  openMs: 10_000,
  ackMs: 10_000,
  idleTimeoutMs: 90_000,
  backOffMs: 5_000,
  backOffMaxMs: 300_000,
  stableMs: 60_000,
  attemptsPerHour: 30,
  inUseWaitMs: 30_000,
  // Those 100 s, and as much again for two tries that fall badly.
  releaseMs: 200_000,
  refusedWaitMs: 600_000,
}
