import { dayBegins, dayEnds, isLive, knownTimetable, kstInstant } from '@digger/core'
import type { ShadowState } from '@digger/shadow'
import type { Sim, Lockstep } from '@digger/kis-sim'

export interface ReplayRun {
  readonly sim: Sim
  readonly lockstep: Lockstep
  readonly account: string
  readonly codes: readonly string[]
  /** Of what is only rehearsed. */
  readonly rehearsed?: () => ShadowState | null
  /** Times of the morning (HHMMSS) with a timer event of their own. */
  readonly mornings?: readonly string[]
  /** Looks at the account ten minutes after the open, when all that the open brought has been answered. */
  readonly look?: (day: string) => Promise<void>
}

/**
 * Between two timer events of the server while the market is open, ms. In life it is a second; here nothing waits for
 * one but the readings of last resort, and fills have an event of their own.
 */
const TIMER_MS = 5 * 60_000
/** The morning's quotes are asked for three at a time. */
const QUOTES_PER_TICK = 3
/** After a fill was read the list may not be read again for a second. */
const READ_AGAIN_MS = 1_100

const MINUTE_MS = 60_000
const LOOK_AFTER_MS = 10 * MINUTE_MS

const KRX = knownTimetable('krx')
/** Ten minutes after the close, which some days have later. */
const endOf = (day: string): number => dayEnds(day, KRX).regular + 10 * MINUTE_MS

/** One recorded day, from before the opening auction until every order of the day has ended. */
export async function tradeDay(run: ReplayRun, day: string): Promise<void> {
  const { sim, lockstep, account } = run
  const end = endOf(day)
  let due = false
  const tickAt = (at: number): void => {
    sim.clock.after(at - sim.clock.now(), () => {
      due = true
    })
  }
  const mornings = (run.mornings ?? []).map((time) => kstInstant(day, time))
  for (const at of [...mornings, ...timesOf(day, run.codes.length)]) if (at > sim.clock.now()) tickAt(at)
  let seen = sim.trueEvents(account).length
  let again = 0
  let looked = false
  while (sim.clock.now() < end) {
    await sim.clock.step()
    if (due) await lockstep.tick()
    else if (!(await lockstep.follow())) continue
    due = false
    await fillWaitingBuys(run)
    if (!looked && sim.clock.now() >= dayEnds(day, KRX).opens + LOOK_AFTER_MS) {
      looked = true
      await run.look?.(day)
    }
    const events = sim.trueEvents(account)
    const filled = events.slice(seen).some((event) => event.kind === 'filled')
    seen = events.length
    const now = sim.clock.now()
    if (!filled || again > now) continue
    again = now + READ_AGAIN_MS
    tickAt(again)
  }
}

/** The day's approval key, the morning's questions about limits, then timer events until the day's orders are over. */
function* timesOf(day: string, codes: number): Generator<number> {
  const { opens } = dayEnds(day, KRX)
  yield (dayBegins(day, KRX) ?? opens) - 2 * MINUTE_MS
  const morning = opens - 20 * MINUTE_MS
  const questions = codes / QUOTES_PER_TICK + 2
  for (let n = 0; n <= questions; n += 1) yield morning + n * 2_000
  // And those of the last minute, when the base of the day is surely there.
  for (let n = 0; n <= questions; n += 1) yield opens - MINUTE_MS + 1_000 + n * 1_000
  for (let at = opens; at <= endOf(day); at += TIMER_MS) yield at
}

/**
 * A recorded day has one trade where there were thousands. Where it makes the server buy, the market trades once more
 * at that price, as it would have, so that an order which waits at the bid is met.
 */
async function fillWaitingBuys({ sim, lockstep, account, rehearsed }: ReplayRun): Promise<void> {
  const now = sim.clock.now()
  const orders = [...(rehearsed?.()?.account.book.orders.values() ?? [])].filter(({ status }) => isLive(status))
  const unsent = orders.map(({ code, side, createdAt }) => ({ code, side, at: createdAt }))
  for (const { code, side, at } of [...sim.liveOrders(account), ...unsent]) {
    const issue = sim.broker.exchange.issue(code)
    if (side !== 'buy' || at !== now || !sim.broker.exchange.trading(issue, 'KRX')) continue
    sim.setPrice(code, sim.price(code), { count: issue.tapes.KRX.recent.at(-1)?.count ?? 1, aggressor: 'sell' })
    await lockstep.follow()
  }
}
