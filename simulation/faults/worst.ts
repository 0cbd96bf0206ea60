import { z } from 'zod'
import type { Process } from '../machine/process.ts'
import type { Stage } from '../stage.ts'
import { all, onOrders } from './broker.ts'
import type { Fault } from './fault.ts'
import { fall } from './market.ts'
import { takeOver } from './process.ts'

/** For so long at most a server that stood still does not reach the database: it cannot look who has it now, ms. */
const AWAY_MS = 8_000
/** A cut lasts longer than this: the kernel tries again 25.4 s after a write, and then 51 s after it, ms. */
const PAST_EARLY_TRY_MS = 26_500

/**
 * Faults that wait for the worst moment: an order is being written. The market falls first, so that there are orders, and
 * people press (plan.ts). Every run has two of these.
 */
export const WORST_FAULTS = {
  /** The line is cut with an order's bytes in the kernel, and back before the kernel's next try. */
  cutWithOrderOut: {
    weight: 1,
    lasts: [75_000, 90_000],
    strike(stage, draw) {
      fall(stage, draw)
      return cutWithOrder(stage, draw, () => undefined)
    },
  },
  /** The same, and the process is killed: no reset, its kernel goes on. */
  killWithOrderOut: {
    weight: 1,
    lasts: [75_000, 90_000],
    excuses: ['late', 'noAnswer', 'internal'],
    strike(stage, draw) {
      fall(stage, draw)
      return cutWithOrder(stage, draw, (process) =>
        stage.simulation.after(draw * 2_000, null, () =>
          stage.simulation.end(process, { how: 'killed', why: 'kill -9' }),
        ),
      )
    },
  },
  /** Another server takes over from one that stands still with a sale waiting behind an order: for less than its age limit, or for long. */
  takeoverWithOrdersOut: {
    weight: 2,
    lasts: [60_000, 75_000],
    excuses: ['late', 'noAnswer', 'internal'],
    strike(stage, draw) {
      const ends = [slowOrders(stage, 2_000)]
      fall(stage, draw)
      const strike = (): void => {
        const line = stage.simulation.network.line(`server ${stage.active}`, stage.databaseProcess.name)
        const isBack = (): void => void (line.cut = false)
        stage.story.add('a sale waits behind this order')
        line.cut = true
        const wake = takeOver(stage)
        const pausedMs = draw < 0.7 ? 4_500 + draw * 3_000 : 11_000 + draw * 30_000
        stage.simulation.after(pausedMs, null, wake)
        stage.simulation.after(pausedMs + ((draw * 10) % 1) * AWAY_MS, null, isBack)
        ends.push(wake, isBack)
      }
      ends.push(whenSaleIsNext(stage, strike))
      return all(ends)
    },
  },
  /** Replies to orders take seconds while many of them wait. */
  slowOrdersInFall: {
    weight: 1,
    lasts: [30_000, 60_000],
    strike(stage, draw) {
      fall(stage, draw)
      return slowOrders(stage, 2_500 + draw * 4_000)
    },
  },
  /** Orders are taken and answered with a code that no list names. */
  oddCodesInFall: {
    weight: 1,
    lasts: [15_000, 40_000],
    strike(stage, draw) {
      fall(stage, draw)
      return onOrders(stage, { kind: 'code', code: 'ZZZZ0001', status: 200, carriedOut: true, probability: 0.3 })
    },
  },
  /** So many writes in a row are refused with an order on its way, while reads work. */
  refusedCommits: {
    weight: 1,
    lasts: [30_000, 60_000],
    excuses: ['late', 'internal'],
    strike(stage, draw) {
      const { faults } = stage.database
      const over = (): void => void (faults.writes = null)
      fall(stage, draw)
      const stops: (() => void)[] = []
      const refuse = (): void => {
        faults.writes = '53100'
        stops.push(stage.writeRefused.nth(3 + Math.floor(draw * 12), over))
      }
      stops.push(stage.orderWritten.once(refuse), over)
      return all(stops)
    },
  },
} as const satisfies Readonly<Record<string, Fault>>

const slowOrders = (stage: Stage, ms: number): (() => void) =>
  onOrders(stage, { kind: 'delay', ms: Math.round(ms), probability: 1 })

/**
 * The step in which an order is written and the next of its account is a sale. Of those that wait, only the next one can
 * leave in the turn in which a server that stood still runs again, and an automatic buy would be too old by then.
 */
function whenSaleIsNext(stage: Stage, run: () => void): () => void {
  const ends: (() => void)[] = []
  // What fails here is no failure of the server that writes.
  const look = (): void =>
    stage.simulation.check(() => {
      if (isSaleNext(stage)) run()
      else ends.push(stage.orderWritten.once(look))
    })
  ends.push(stage.orderWritten.once(look))
  return all(ends)
}

/** Whether, of an account's orders that are committed and have no reply, the second one is a sale. */
function isSaleNext(stage: Stage): boolean {
  if (stage.database.inTransaction) return false
  const found = stage.database.query(
    `select string_agg(side, ',' order by id) as sides from account_order where status = 'intended' and live group by user_id`,
  )
  return z
    .array(z.object({ sides: z.string() }))
    .parse(found)
    .some(({ sides }) => sides.split(',')[1] === 'sell')
}

/** Cuts the line to the broker in the step in which an order is written to it. */
function cutWithOrder(stage: Stage, draw: number, also: (process: Process) => void): () => void {
  const ends: (() => void)[] = []
  const stop = stage.orderWritten.once(({ process }) => {
    const line = stage.simulation.network.line(process.name, stage.brokerProcess.name)
    const end = (): void => void (line.cut = false)
    line.cut = true
    ends.push(end)
    stage.story.add('the line to the broker is cut with this order on it')
    stage.simulation.after(PAST_EARLY_TRY_MS + draw * 8_000, null, end)
    also(process)
  })
  ends.push(stop)
  return all(ends)
}
