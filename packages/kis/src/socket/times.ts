/** All in ms. */
export interface SocketTimes {
  /** For the connection itself. */
  readonly openMs: number
  /** For the answer to a registration. */
  readonly ackMs: number
  /** No frame of any kind for this long: the line is dead although nobody closed it. */
  readonly silenceMs: number
  /** Pause before the first reconnect; doubles up to `backOffMaxMs`. */
  readonly backOffMs: number
  readonly backOffMaxMs: number
  /** A connection that lasted this long starts the pauses over. */
  readonly stableMs: number
  readonly attemptsPerHour: number
  /** Another session holds the app key (OPSP8996), often our own that the broker has not let go yet. */
  readonly inUseWaitMs: number
}

/**
 * KIS announced to block addresses and keys that reconnect endlessly, so pauses start at 5 s and attempts are counted.
 * The broker drops a client after about 100 s without an answer; its PINGPONG comes every few seconds when idle.
 */
export const DEFAULT_SOCKET_TIMES: SocketTimes = {
  openMs: 10_000,
  ackMs: 10_000,
  silenceMs: 90_000,
  backOffMs: 5_000,
  backOffMaxMs: 300_000,
  stableMs: 60_000,
  attemptsPerHour: 30,
  inUseWaitMs: 30_000,
}
