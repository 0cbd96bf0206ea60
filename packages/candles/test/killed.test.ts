import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { openDatabase } from '@digger/database'
import { testPlace } from '@digger/database/testing'
import type { Sim } from '@digger/kis-sim'
import { expect, test } from 'vitest'
import { Histories } from '../src/history.ts'
import { chartCalls, clientOf, startBroker } from './broker-fixture.ts'
import { addAccount, ME } from './fixture.ts'

const CODE = '373220'
const KILLS = 2
/** Calls of one step: whatever was under way at a kill is asked again. */
const MAX_STEP_CALLS = 8

type Place = Awaited<ReturnType<typeof testPlace>>['config']

function start(
  { DATABASE_URL, DATA_DIR }: Place,
  sim: Sim,
): { process: ChildProcess; line: () => Promise<string | null> } {
  const program = new URL('./child.ts', import.meta.url).pathname
  const place = [DATABASE_URL ?? '', DATA_DIR, sim.url, sim.wsUrl, String(sim.clock.now())]
  const child = spawn(process.execPath, [program, ...place], { stdio: ['ignore', 'pipe', 'inherit'] })
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  return { process: child, line: async () => (await lines.next()).value ?? null }
}

/** Resolves once the broker was asked so many more times. */
async function callsMade(sim: Sim, count: number): Promise<void> {
  const before = chartCalls(sim)
  const made = () => chartCalls(sim).days + chartCalls(sim).minutes - before.days - before.minutes
  while (made() < count) await delay(2)
}

test('killed twice in the middle: it goes on where it was, and all that was read is there', async () => {
  await using place = await testPlace()
  const sim = await startBroker()
  const { DATABASE_URL: databaseUrl, DATA_DIR: dataDir } = place.config
  const before = await openDatabase({ databaseUrl, dataDir })
  await addAccount(before.db, [CODE])
  await before.close()

  for (let kill = 0; kill < KILLS; kill += 1) {
    const running = start(place.config, sim)
    await callsMade(sim, 25 + kill * 10)
    const gone = once(running.process, 'exit')
    running.process.kill('SIGKILL')
    await gone
  }
  const killedAfter = chartCalls(sim)
  const last = start(place.config, sim)
  let end: string | null = null
  for (let line = await last.line(); line !== null; line = await last.line()) end = line
  expect(end).toBe('over, 0 problems')

  const after = await openDatabase({ databaseUrl, dataDir })
  const histories = new Histories(after.db, { now: () => sim.clock.now(), after: () => () => undefined })
  const [stock] = (await histories.overview(ME)).stocks
  expect([stock?.day.isComplete, stock?.minute.isComplete]).toEqual([true, true])
  const kept = await histories.stock(ME, CODE, { unit: 'day' })
  const asked = await clientOf(sim, () => sim.clock.now()).dayCandles(CODE, '20161120', '20261120')
  expect(kept.close).toEqual(asked.map(({ close }) => close))
  const minutes = await histories.stock(ME, CODE, { unit: 'minute', fromDate: '20260101' })
  const days = new Set(minutes.days)
  expect(minutes.days).toHaveLength(days.size * 380)

  // What was asked for before the kills was not asked again, but for the step that each of them struck.
  const asMinutes = days.size * 4
  expect(killedAfter.minutes).toBeGreaterThan(0)
  expect(chartCalls(sim).minutes).toBeLessThanOrEqual(asMinutes + KILLS * MAX_STEP_CALLS)
  await after.close()
  await sim.close()
}, 240_000)
