import { testPlace } from '@digger/database/testing'
import { UNLIMITED } from '@digger/kis'
import { demoCredentials, startSim, type Sim, Lockstep, OneByOne } from '@digger/kis-sim'
import { readConfig } from '@digger/config'
import { type DiggerServer, createLogger, createServer } from '@digger/server'
import { type WorkDone, problemsOfIdleRun, workDone, NEVER_MS, NO_IDLE_TIMEOUT, signUp } from '@digger/app'
import type { Book, Truth } from '../agreement/agreement.ts'
import { compared } from './compared.ts'
import { tradeDay } from './day.ts'
import { missingSells, stoppedStocks } from './life.ts'
import { clockOf, codesOf, daysOf, marketOf, openTwice, tickCounter } from './market.ts'
import { closeLists, night } from './night.ts'
import type { Desk, ReplayPlan } from './plan.ts'
import { bothOf, rehearsalOf, type Rehearsal } from './rehearsal.ts'
import { ladderOf } from './settings.ts'

export interface ReplayResult {
  readonly book: Book
  readonly names: ReadonlyMap<string, string>
  readonly days: number
  readonly ticks: number
  /** How long the trading alone took, real ms. */
  readonly ms: number
  /** Empty when book, broker and journal agree and the server logged no warning. */
  readonly problems: readonly string[]
  readonly work: WorkDone
  /** Stocks that stand still at the end, with the reason: `code: reason`. */
  readonly stopped: readonly string[]
  /** Shares that no resting order would sell ten minutes after an open, though their target lay inside the day's limits. */
  readonly missing: readonly string[]
  /** What really happened at the broker and the exchange. */
  readonly truth: Truth
  /** What would have been done, in its order; empty where everything was. */
  readonly rehearsal: Rehearsal
  /** How often an assumption about the broker decided what the server saw, by its name. */
  readonly decided: (assumption: string) => number
}

/** What a server says at its start of a PostgreSQL that lives as long as the run. */
const NO_STANDBY = /PostgreSQL에 복제 서버가 없습니다/

/**
 * The whole product over recorded days: pretend exchange and broker on real sockets, client, engine, database. Time is
 * moved by hand, so it runs as fast as the machine goes and the same plan always ends the same.
 */
export async function replay(plan: ReplayPlan): Promise<ReplayResult> {
  await using place = await testPlace()
  const troubles: string[] = []
  const days = daysOf(plan)
  const calls = new OneByOne((call) => plan.onCall?.(sim, call))
  const sim = await startSim(marketOf(plan, calls))
  openTwice(sim, plan)
  const line = await plan.line?.(sim.url)
  try {
    const server = await createServer({
      config: readConfig({ ...place.config, LOG_LEVEL: 'error', SHADOW: plan.shadow === undefined ? '0' : '1' }),
      ...(plan.shadow === undefined ? {} : { shadowRule: plan.shadow }),
      log: createLogger('warn', { write: (line) => void (NO_STANDBY.test(line) || troubles.push(line.trim())) }),
      broker: { env: 'real', restUrl: line?.url ?? sim.url, wsUrl: line?.wsUrl ?? sim.wsUrl },
      hours: 'krx',
      clock: clockOf(sim, plan),
      rateLimits: UNLIMITED,
      socketTimes: NO_IDLE_TIMEOUT,
      timerMs: NEVER_MS,
    })
    try {
      const result = await run({ sim, server, calls, days }, plan)
      return { ...result, problems: [...result.problems, ...troubles] }
    } finally {
      calls.end()
      await server.close()
    }
  } finally {
    await line?.close()
    await sim.close()
  }
}

interface Running {
  readonly sim: Sim
  readonly server: DiggerServer
  readonly calls: OneByOne
  readonly days: readonly string[]
}

async function run({ sim, server, calls, days }: Running, plan: ReplayPlan): Promise<ReplayResult> {
  const codes = codesOf(plan.candles)
  const credentials = demoCredentials(0)
  const user = await signUp(server, {
    email: 'replay@example.com',
    password: 'digger-replay',
    credentials,
    admin: true,
  })
  if (plan.onNxt !== undefined)
    await user.call('POST', '/api/user/venues', { sor: true, preMarket: true, afterMarket: true })
  const lockstep = new Lockstep(sim, plan.shadow === undefined ? server.engine.activity : bothOf(server), [user], calls)
  for (const code of codes) {
    const payload = ladderOf(plan.settings, sim.price(code))
    await user.call('POST', `/api/user/stock/${code}`, payload)
  }
  await lockstep.watching([codes.length])
  const missing: string[] = []
  const account = credentials.accountNumber
  const desk: Desk = {
    sim,
    account,
    book: () => server.engine.book(user.userId),
    rehearsed: () => server.shadows.state(user.userId),
    call: (...asked) => lockstep.during(user.call(...asked)),
  }
  const look = async (day: string): Promise<void> => {
    missing.push(...missingSells(sim, account, desk.book(), day))
    await plan.owner?.(desk, day)
  }
  const ticks = tickCounter(sim, plan)
  const before = performance.now()
  for (const day of days) {
    closeLists(sim, plan, day, days)
    await tradeDay(
      { sim, lockstep, account, codes, look, rehearsed: desk.rehearsed, mornings: plan.mornings ?? [] },
      day,
    )
    await night({ sim, lockstep }, plan, day, days)
    plan.onDay?.(day, ticks())
  }
  const ms = performance.now() - before
  const stopped = stoppedStocks(desk.book())
  const names = new Map(plan.candles.map(({ code, name }) => [code, name]))
  const { truth, ...found } = await compared(server, user.userId, { sim, account, cash: plan.cash })
  const problems = [...found.problems, ...problemsOfIdleRun(sim, server.engine, 1)]
  const rehearsal = await rehearsalOf(server, user.userId)
  const seen = { rehearsal, stopped, missing, truth, decided: sim.broker.assumed.times }
  return { book: found.book, names, days: days.length, ticks: ticks(), ms, problems, work: workDone(sim), ...seen }
}
