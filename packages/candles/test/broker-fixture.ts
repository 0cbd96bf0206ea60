import { knownTimetable } from '@digger/core'
import type { Db } from '@digger/database'
import { realClock } from '@digger/database'
import type { BrokerQueries } from '@digger/engine'
import { createKis, UNLIMITED } from '@digger/kis'
import { demoCredentials, type Sim, type SimOptions, startSim } from '@digger/kis-sim'
import { CandleKeeper, type KeeperParts } from '../src/keeper.ts'
import { ME, OTHER } from './fixture.ts'

export const at = (time: string, day = '2026-11-20'): number => Date.parse(`${day}T${time}+09:00`)

/** A pretend broker whose time is moved by hand; it begins on a Friday after all trading. */
export function startBroker(options: SimOptions = {}, env: 'real' | 'paper' = 'real'): Promise<Sim> {
  const accounts = [0, 1].map((n) => ({ credentials: demoCredentials(n), env }))
  const clock = { mode: 'manual', start: at('20:30:00') } as const
  return startSim({ port: 0, hours: 'krx', clock, limits: 'off', accounts, ...options })
}

/** The client of one of the two keys. */
export function clientOf(sim: Pick<Sim, 'url' | 'wsUrl'>, now: () => number, n = 0, env: 'real' | 'paper' = 'real') {
  const tokens = { load: async () => null, save: async () => undefined }
  const retries = { attempts: 1 }
  const { url: restUrl, wsUrl } = sim
  return createKis({ env, restUrl, wsUrl, credentials: demoCredentials(n), tokens, now, limits: UNLIMITED, retries })
    .rest
}

/** Accounts of which only the keys are of interest. */
export function keysOf(given: Readonly<Record<string, BrokerQueries>>): KeeperParts['accounts'] {
  return {
    has: (userId) => userId in given,
    unlocked: (userId) => userId in given,
    kis(userId) {
      const kis = given[userId]
      if (kis === undefined) throw new Error(`no key of ${userId}`)
      return kis
    },
  }
}

export const TIMETABLE = knownTimetable('krx')
/** As fast as it goes. */
export const NO_PACE = { open: 1e9, closed: 1e9 }

export interface Reading {
  readonly keeper: CandleKeeper
  readonly problems: unknown[]
}

/** A keeper with the first key, whose time is the broker's. */
export function keeperOf(db: Db, sim: Sim, more: Partial<KeeperParts> = {}): Reading {
  const problems: unknown[] = []
  const clock = { ...realClock, now: () => sim.clock.now() }
  const keeper = new CandleKeeper({
    db,
    clock,
    wall: realClock,
    timetable: () => TIMETABLE,
    accounts: keysOf({ [ME]: clientOf(sim, clock.now) }),
    isAlone: true,
    callsPerMinute: NO_PACE,
    problem: (error) => problems.push(error),
    ...more,
  })
  return { keeper, problems }
}

/** Calls for charts that the broker has admitted. */
export const chartCalls = (sim: Sim) => ({
  days: sim.broker.calls.get('dayChart') ?? 0,
  minutes: sim.broker.calls.get('minuteChartPast') ?? 0,
})

export const USERS = [ME, OTHER]
