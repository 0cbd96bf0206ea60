import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Child } from '../crash/child.ts'
import { Stage, type StagePlan } from '../crash/stage.ts'

/** Something that happens to machines, done to a real server while it trades. */
export interface FaultInjection {
  readonly name: string
  /** What this machine lacks for it, or null. */
  readonly missing: () => string | null
  /** Returns lines for the report. Problems go to the stage. */
  readonly run: (context: FaultContext) => Promise<readonly string[]>
}

export interface FaultContext {
  readonly folder: string
  readonly seed: number
  /** Also what takes long. */
  readonly all: boolean
  readonly print: (line: string) => void
  /** Opened stages are closed, and judged, by the caller. */
  readonly open: (env?: StagePlan['env'], more?: Pick<StagePlan, 'market'>) => Promise<Stage>
}

/** Starts a server: people join, every account is armed, trading goes on. */
export const startTrading = (stage: Stage, env?: NodeJS.ProcessEnv): Promise<Child> =>
  trade(stage, () => stage.join(), env)

/** Starts a new server after the old one has ended: what was promised is there, and it trades again. */
export const restartTrading = (stage: Stage, env?: NodeJS.ProcessEnv): Promise<Child> =>
  trade(stage, () => stage.checkPromises(), env)

/** `opened` comes between the first answer of the server and the wait for its accounts. */
async function trade(stage: Stage, opened: () => Promise<void>, env: NodeJS.ProcessEnv = {}): Promise<Child> {
  const before = performance.now()
  const server = stage.spawn(env)
  await stage.waitUntilOpen(server)
  await opened()
  await stage.waitUntilArmed(server, before)
  await stage.work(8_000)
  return server
}

/** Trading ends, book and broker come to agree, the server leaves in order; then the books are audited. */
export async function finish(stage: Stage, server: Child): Promise<void> {
  await windDown(stage, server)
  await stage.audit()
}

/** As `finish`, for those who audit in their own way. */
export async function windDown(stage: Stage, server: Child): Promise<void> {
  await stage.checkPromises()
  await stage.checkLiveness()
  await stage.settle()
  const code = await server.end('SIGTERM')
  if (code !== 0) stage.problems.push(`asked to end, the server left with ${code}`)
}

/** Waits until every account may trade again, or `ms` are over. */
export async function armedWithin(stage: Stage, server: Child, ms: number): Promise<boolean> {
  const until = performance.now() + ms
  while (performance.now() < until && !server.ended) {
    const health = await stage.people[0]?.client.health()
    if ((health?.armed ?? 0) >= stage.people.length) return true
    await delay(250)
  }
  return false
}

const TRADE_TIMEOUT_MS = 150_000

/** A server that is up and never sends anything is no server that came back. */
export async function checkTradesAgain(stage: Stage, what: string): Promise<void> {
  const from = Date.now()
  const until = performance.now() + TRADE_TIMEOUT_MS
  while (performance.now() < until) {
    await stage.work(2_000)
    if ((await takenBetween(stage, from, Date.now())) > 0) return
  }
  stage.problems.push(`${what}: no order within ${TRADE_TIMEOUT_MS / 1_000} s`)
}

/** Counts the orders that the broker took between two instants of this machine. */
export const takenBetween = async (stage: Stage, from: number, to: number): Promise<number> =>
  (await stage.ordersTaken()).filter((at) => at >= from && at < to).length

/** Writes a key that opens every account again without a log-in. */
export function writeMasterKey(folder: string): string {
  const file = join(folder, 'master.key')
  writeFileSync(file, randomBytes(32).toString('base64'), { mode: 0o600 })
  return file
}
