/**
 * `npm run prove -- flood [-- --minutes 10] [--unlimited]`: strangers ask for nothing useful as fast as they can, while the server
 * trades. Log bytes a minute, and the order path during the flood against the quiet one, in rounds one after the other.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { findPostgres, startPostgres } from '@digger/database/testing'
import { startFlooded, startStrangers } from './flooded.ts'
import { startBroker, type BenchBroker } from '../broker.ts'
import { median, ratios, printFigure } from '../measure.ts'

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '10' }, unlimited: { type: 'boolean', default: false } },
})
const minutes = Number(values.minutes)
const STOCKS = 40
const MAX_BUY = 70_000
const MAX_LOG_BYTES_PER_MINUTE = 1_000_000
/** Flood and quiet last so long in each round: a processor that just worked is faster, so both go at the same pace. */
const ROUND_MS = 20_000
const ROUNDS = Math.max(3, Math.round((minutes * 60_000) / ROUND_MS))
/** The first round of both warms up. */
const users = Array.from({ length: (ROUNDS + 1) * 2 }, (_, user) =>
  Array.from({ length: STOCKS }, (_, stock) => String(100_000 + user * STOCKS + stock)),
)

/** Measures the time from a price on the socket to the order at the broker, once for each stock, µs. */
async function orders(broker: BenchBroker, codes: readonly string[], forMs: number): Promise<number[]> {
  const began = performance.now()
  const took: number[] = []
  for (const [n, code] of codes.entries()) {
    // The first price re-bases; the second, near the trigger, makes the server ask what cash allows.
    await broker.tick({ code, price: MAX_BUY + 5_000, wait: 'nothing' })
    // One answer serves the account for ten seconds; to wait for a query at each stock would take five.
    await broker.tick({ code, price: MAX_BUY + 100, wait: n === 0 ? 'cashQuery' : 'nothing' })
    await delay(30)
    took.push(await broker.tick({ code, price: MAX_BUY - 100, wait: 'order' }))
    const next = began + ((n + 1) / codes.length) * forMs
    await delay(Math.max(20, next - performance.now()))
  }
  return took
}

const ms = (us: number): string => (us / 1_000).toFixed(2)

const percentile = (values: readonly number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * part)] ?? Number.NaN

const folder = mkdtempSync(join(tmpdir(), 'digger-flood-'))
const bin = findPostgres()
const postgres = bin === null ? null : await startPostgres(bin)
const broker = await startBroker()
try {
  const place = { DATA_DIR: folder, DATABASE_URL: await postgres?.newDatabase() }
  const urls = { restUrl: broker.url, wsUrl: broker.wsUrl }
  await using server = await startFlooded({ ...urls, place, users, maxBuyPrice: MAX_BUY, limited: !values.unlimited })
  await using strangers = await startStrangers(server.base)
  console.log(`${ROUNDS} rounds of ${ROUND_MS / 1_000} s of flood, ${postgres === null ? 'embedded' : 'PostgreSQL'}`)
  const p50: Record<'quiet' | 'flood', number[]> = { quiet: [], flood: [] }
  const p95: typeof p50 = { quiet: [], flood: [] }
  const bytes: number[] = []
  const cpu: Record<'quiet' | 'flood', number[]> = { quiet: [], flood: [] }
  let tally: Readonly<Record<string, number>> = {}
  for (let round = 0; round <= ROUNDS; round += 1) {
    const cpuBefore = server.cpuMs()
    const quiet = await orders(broker, users[round * 2] ?? [], ROUND_MS)
    const [before, began, cpuBetween] = [server.logBytes(), performance.now(), server.cpuMs()]
    strangers.start()
    const flood = await orders(broker, users[round * 2 + 1] ?? [], ROUND_MS)
    tally = await strangers.stop()
    const perMinute = ((server.logBytes() - before) / (performance.now() - began)) * 60_000
    const cpuAfter = server.cpuMs()
    if (round === 0) continue
    cpu.quiet.push((cpuBetween - cpuBefore) / (ROUND_MS / 1_000))
    cpu.flood.push((cpuAfter - cpuBetween) / (ROUND_MS / 1_000))
    p50.quiet.push(median(quiet))
    p50.flood.push(median(flood))
    p95.quiet.push(percentile(quiet, 0.95))
    p95.flood.push(percentile(flood, 0.95))
    bytes.push(perMinute)
    console.log(
      `    ${round}: p50 ms quiet ${ms(median(quiet))} flood ${ms(median(flood))}, log ${perMinute.toFixed(0)} B/min`,
    )
  }
  console.log(`    answers to strangers: ${JSON.stringify(tally)}`)
  printFigure('order path p50, flood / quiet', ratios(p50.flood, p50.quiet), '≤ 1.1')
  printFigure('order path p95, flood / quiet', ratios(p95.flood, p95.quiet))
  printFigure('CPU of the server, ms a second, quiet', cpu.quiet)
  printFigure('CPU of the server, ms a second, flood', cpu.flood)
  printFigure('log bytes a minute during the flood', bytes, `≤ ${MAX_LOG_BYTES_PER_MINUTE}`)
  if (median(ratios(p50.flood, p50.quiet)) > 1.1 || Math.max(...bytes) > MAX_LOG_BYTES_PER_MINUTE) process.exitCode = 1
} finally {
  await broker.close()
  await postgres?.[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
}
