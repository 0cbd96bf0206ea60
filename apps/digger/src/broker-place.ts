import { atSpeed, DEFAULT_LIMITS, KIS_HOSTS } from '@digger/kis'
import type { Sim } from '@digger/kis-sim'
import type { Config } from '@digger/config'

/**
 * Calls a minute for candles of the past. A real key has some 1,000, one on paper 60, and while anything is traded they are for what
 * trades; the pretend broker keeps to the same limits as the real one, and nobody waits long for a demonstration.
 */
const CANDLES = {
  sim: { callsPerMinute: { open: 300, closed: 300 } },
  paper: { callsPerMinute: { open: 6, closed: 30 } },
  real: { callsPerMinute: { open: 20, closed: 120 } },
} as const

/** Where the broker is and which time it keeps. `market`: the pretend one in this process, where there is one. */
export function brokerPlace({ KIS_ENV, KIS_REST_URL, KIS_WS_URL, SIM_HOURS, SIM_SPEED }: Config, market: Sim | null) {
  if (market !== null) {
    // The server and the broker live in the pretend exchange's time, which may run faster.
    const broker = { env: 'real', restUrl: market.url, wsUrl: market.wsUrl } as const
    const rateLimits = atSpeed(DEFAULT_LIMITS.real, SIM_SPEED)
    return { broker, hours: SIM_HOURS, clock: market.clock, rateLimits, candles: CANDLES.sim }
  }
  // A pretend broker speaks the wire of the real one; one that runs by itself keeps the time of day.
  const env = KIS_ENV === 'paper' ? 'paper' : 'real'
  const { rest, ws } = KIS_HOSTS[env]
  return {
    broker: { env, restUrl: KIS_REST_URL ?? rest, wsUrl: KIS_WS_URL ?? ws },
    hours: KIS_ENV === 'sim' ? SIM_HOURS : 'krx',
    candles: CANDLES[KIS_ENV],
  } as const
}
