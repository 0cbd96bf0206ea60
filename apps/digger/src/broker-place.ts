import { atSpeed, DEFAULT_LIMITS, KIS_HOSTS } from '@digger/kis'
import type { Sim } from '@digger/kis-sim'
import type { Config } from '@digger/config'

/** Where the broker is and which time it keeps. `market`: the pretend one in this process, where there is one. */
export function brokerPlace({ KIS_ENV, KIS_REST_URL, KIS_WS_URL, SIM_HOURS, SIM_SPEED }: Config, market: Sim | null) {
  if (market !== null) {
    // The server and the broker live in the pretend exchange's time, which may run faster.
    const broker = { env: 'real', restUrl: market.url, wsUrl: market.wsUrl } as const
    const rateLimits = atSpeed(DEFAULT_LIMITS.real, SIM_SPEED)
    return { broker, hours: SIM_HOURS, clock: market.clock, rateLimits }
  }
  // A pretend broker speaks the wire of the real one; one that runs by itself keeps the time of day.
  const env = KIS_ENV === 'paper' ? 'paper' : 'real'
  const { rest, ws } = KIS_HOSTS[env]
  return {
    broker: { env, restUrl: KIS_REST_URL ?? rest, wsUrl: KIS_WS_URL ?? ws },
    hours: KIS_ENV === 'sim' ? SIM_HOURS : 'krx',
  } as const
}
