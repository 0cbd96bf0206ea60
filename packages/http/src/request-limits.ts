export interface Rate {
  /** So many at once after a pause. */
  readonly burst: number
  readonly perSecond: number
}

/** How much anybody may ask of the server. */
export interface RequestLimits {
  /** Requests of an address (IPv6: its /64) without a session; it may be a whole office. A first visit is some 30 requests. */
  readonly stranger: Rate
  /** Requests of a user over all their browsers. */
  readonly person: Rate
  /** Changes by a user, each of which is rows in journal and log. Bulk calls and imports are one each. */
  readonly change: Rate
  /** Requests by one API token; what makes the account stop is counted apart. */
  readonly token: Rate
  /** Connections of one address at a time, unless it is a proxy that is believed. */
  readonly connections: number
  /** So long a refusal waits, ms: whoever asks without pause gets one in this time and connection. */
  readonly holdMs: number
}

export const REQUEST_LIMITS: RequestLimits = {
  stranger: { burst: 300, perSecond: 10 },
  person: { burst: 1_000, perSecond: 100 },
  change: { burst: 60, perSecond: 10 },
  token: { burst: 30, perSecond: 1 },
  connections: 512,
  holdMs: 2_000,
}

const NO_LIMIT: Rate = { burst: Infinity, perSecond: Infinity }
/** Where time stands still or the software is measured. */
export const NO_LIMITS: RequestLimits = {
  stranger: NO_LIMIT,
  person: NO_LIMIT,
  change: NO_LIMIT,
  token: NO_LIMIT,
  connections: Infinity,
  holdMs: 0,
}
