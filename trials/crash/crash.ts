import { setTimeout as delay } from 'node:timers/promises'
import type { Audit } from './audit.ts'
import type { BrokerControl } from './broker-control.ts'
import { Stage } from './stage.ts'

export interface CrashPlan {
  readonly kills: number
  /** Graceful ends after the kills. */
  readonly terms: number
  readonly seed: number
  /** A new, empty folder. */
  readonly folder: string
  readonly print: (line: string) => void
}

export interface CrashResult {
  readonly problems: readonly string[]
  readonly audits: readonly Audit[]
  readonly acknowledged: number
  readonly killedEarly: number
  /** From the start of the process until every account may trade again, ms. */
  readonly armedMs: readonly number[]
  /** How much work there was, one line each. */
  readonly counted: readonly string[]
}

/** Every fifth kill strikes while the server starts, at most this late, ms. */
const MAX_EARLY_MS = 4_000
/** The time at work before a kill is at most this, ms. */
const MAX_WORK_MS = 10_000

/** Kills the server at random moments while it trades through a broker with faults, and says what broke. */
export async function crash(plan: CrashPlan): Promise<CrashResult> {
  const stage = await Stage.open(plan)
  try {
    const killedEarly = await killRepeatedly(stage, plan)
    const audits = await stage.audit()
    const counted = await stage.countWork()
    const acknowledged = stage.people.reduce((sum, person) => sum + person.acknowledged, 0)
    return { problems: stage.problems, audits, acknowledged, killedEarly, armedMs: stage.armedMs, counted }
  } finally {
    await stage.close()
  }
}

/** Returns how many of the kills struck a server that was still starting. */
async function killRepeatedly(stage: Stage, { kills, terms, print }: CrashPlan): Promise<number> {
  let killedEarly = 0
  for (let n = 0; n <= kills + terms; n += 1) {
    const server = stage.spawn()
    const last = n === kills + terms
    const how = n < kills ? 'SIGKILL' : 'SIGTERM'
    if (n > 0 && how === 'SIGKILL' && stage.draw() < 0.2) {
      await delay(stage.draw() * MAX_EARLY_MS)
      await server.end('SIGKILL')
      await stage.checkShadowLeft()
      killedEarly += 1
      continue
    }
    const before = performance.now()
    await stage.waitUntilOpen(server)
    if (n === 0) {
      await stage.join()
      await stage.joinShadow()
      await addFaults(stage.broker)
    } else await stage.checkPromises()
    if (stage.draw() < 0.8 || last) await stage.waitUntilArmed(server, before)
    if (last) {
      await stage.refuseForNow()
      await stage.checkLiveness()
      await stage.settle()
    } else await stage.work(stage.draw() * MAX_WORK_MS)
    const code = await server.end(how)
    await stage.checkShadowLeft()
    if (how === 'SIGTERM' && code !== 0) stage.problems.push(`asked to end, the server left with ${code}`)
    print(`${n + 1}/${kills + terms + 1} ${how}, ${stage.problems.length} problems so far`)
  }
  return killedEarly
}

async function addFaults(broker: BrokerControl): Promise<void> {
  const some = { probability: 0.04 }
  for (const endpoint of ['orderBuy', 'orderSell', 'orderRevise']) {
    await broker.addFault('loseReply', { ...some, endpoint })
    await broker.addFault('loseRequest', { ...some, endpoint })
    await broker.addFault('broken', { ...some, endpoint, carriedOut: true })
    await broker.addFault('delay', { ...some, endpoint, ms: 1_500 })
  }
  await broker.addFault('dropNotice', { probability: 0.1 })
  await broker.addFault('duplicateNotice', { probability: 0.05 })
  await broker.addFault('broken', { probability: 0.02, endpoint: 'executions' })
  await broker.addFault('cut', { probability: 0.0005 })
}
