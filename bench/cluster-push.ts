/**
 * C7: a thousand browsers on two gateways see fifty price changes a second, each the whole way from the broker's socket at the
 * worker; the same of as many at the one process. Then the bus is killed for ten seconds.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findNats, type NatsServer, startNats } from '@digger/cluster/testing'
import { openDatabase } from '@digger/database'
import { findPostgres, type PostgresServer, startPostgres } from '@digger/database/testing'
import { writeAllSecrets } from '@digger/server/testing'
import { notRun } from '../scripts/not-run.ts'
import { type BenchBroker, startBroker } from './broker.ts'
import { BrowsersProcess, monotonicNow, priceOf } from './browsers-process.ts'
import { median, printFigure, ratios, roundsOf } from './measure.ts'
import { cpuDuring, MemberProcess } from './member-process.ts'
import { postgresCpu } from './process-cpu.ts'
import { pause, STOCKS } from './traders.ts'
import { addWatchedUsers, type WatchedUsers } from './watched-users.ts'

const BROWSERS = 1_000
const CHANGES_PER_SECOND = 50
const SECONDS = 4
const ROUNDS = roundsOf(5)
const BUS_AWAY_S = 10
/** Streams come back within a second or two of the bus; later than this they do not, s. */
const RECOVERY_S = 40
/** What is on its way when the last change was sent arrives within this, ms. */
const REST_MS = 1_000

type Place = 'all' | 'cluster'
const PLACES: readonly Place[] = ['all', 'cluster']

interface Side extends WatchedUsers {
  readonly place: Place
  /** What serves these browsers; the process with the accounts first. */
  readonly members: readonly MemberProcess[]
  readonly codes: readonly string[]
}

/** One account has the socket that brings the prices of all. */
async function begin(place: Place, users: WatchedUsers, codes: readonly string[], members: readonly MemberProcess[]) {
  const [trading] = members
  while ((await trading?.ask({ kind: 'has', users: users.userIds }))?.has.length !== BROWSERS) await pause(200)
  const first = place === 'all' ? 0 : BROWSERS
  await trading?.ask({ kind: 'unlock', users: users.userIds.slice(0, 1), stocks: STOCKS, first })
  return { place, members, codes, ...users } satisfies Side
}

const codesOf = (from: number): string[] => Array.from({ length: STOCKS }, (_, n) => String(from + n))

async function startSides(
  postgres: PostgresServer,
  nats: NatsServer,
  { folder, broker }: { folder: string; broker: BenchBroker },
) {
  const env = { ...writeAllSecrets(folder), KIS_REST_URL: broker.url, KIS_WS_URL: broker.wsUrl, NATS_URL: nats.url }
  const sides: Side[] = []
  for (const place of PLACES) {
    const codes = codesOf(place === 'all' ? 100_000 : 500_000)
    const DATABASE_URL = await postgres.newDatabase()
    const users = await addWatchedUsers(DATABASE_URL, BROWSERS, codes)
    const members: MemberProcess[] = []
    for (const role of place === 'all' ? (['all'] as const) : (['worker', 'gateway', 'gateway'] as const))
      members.push(await MemberProcess.start(role, { ...env, DATABASE_URL }))
    sides.push(await begin(place, users, codes, members))
  }
  return sides
}

/** The market: one change after the other, whoever it is for. */
class Changes {
  readonly sentAt: number[] = []
  readonly prices: Record<string, number> = {}
  readonly #broker: BenchBroker

  constructor(broker: BenchBroker) {
    this.#broker = broker
  }

  /** At the rhythm of a market that trades; it does not wait for who is late. */
  async send({ codes }: Side, seconds: number): Promise<void> {
    const began = performance.now()
    for (let n = 0; n < seconds * CHANGES_PER_SECOND; n += 1) {
      const wait = began + (n * 1_000) / CHANGES_PER_SECOND - performance.now()
      if (wait > 0) await pause(wait)
      const change = this.sentAt.length
      const code = codes[change % STOCKS] ?? ''
      this.prices[code] = priceOf(change)
      this.sentAt.push(monotonicNow())
      this.#broker.push(code, priceOf(change))
    }
  }

  /** The last price of each stock of a side. */
  last({ codes }: Side): Record<string, number> {
    return Object.fromEntries(codes.flatMap((code) => (code in this.prices ? [[code, this.prices[code] ?? 0]] : [])))
  }
}

interface Parts {
  readonly changes: Changes
  readonly browsers: BrowsersProcess
  readonly nats: NatsServer
}

async function measureQuiet(
  sides: readonly Side[],
  postgres: () => number,
  { changes, browsers, nats }: Parts,
): Promise<void> {
  const cores: Record<Place, number[]> = { all: [], cluster: [] }
  // On a busy machine bundles are late and fewer, which must not make them look cheap.
  const perBundle: Record<Place, number[]> = { all: [], cluster: [] }
  const waits: Record<Place, { p50: number[]; p99: number[] }> = {
    all: { p50: [], p99: [] },
    cluster: { p50: [], p99: [] },
  }
  const parts: Record<string, number[]> = {}
  const note = (name: string, us: number): void => void (parts[name] ??= []).push(us / (SECONDS * 1e6))
  for (let round = -1; round < ROUNDS; round += 1)
    for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
      const { place } = side
      const [natsBefore, postgresBefore] = [nats.cpuSpent(), postgres()]
      const cpu = await cpuDuring(side.members, () => changes.send(side, SECONDS))
      const around = { nats: nats.cpuSpent() - natsBefore, postgres: postgres() - postgresBefore }
      await pause(REST_MS)
      const { p50, p99, bundles } = await browsers.ask({ kind: 'waits', place, sentAt: changes.sentAt })
      if (round < 0) continue
      const spent = cpu.reduce((sum, us) => sum + us, 0)
      cores[place].push(spent / (SECONDS * 1e6))
      perBundle[place].push(spent / bundles)
      waits[place].p50.push(p50)
      waits[place].p99.push(p99)
      for (const [n, us] of cpu.entries()) note(`${place} ${n === 0 ? 'with the accounts' : `gateway ${n}`}`, us)
      for (const [name, us] of Object.entries(around)) note(`${place} ${name}`, us)
    }
  printFigure('C7 change to browser p99 through a gateway, quiet, ms', waits.cluster.p99, '≤ 300')
  printFigure('C7 worker and two gateways / the one process, CPU', ratios(perBundle.cluster, perBundle.all), '≤ 1.5')
  for (const place of PLACES)
    console.log(
      `    ${place}: ${median(cores[place]).toFixed(2)} cores, ${median(perBundle[place]).toFixed(0)} µs CPU a bundle to a browser, p50 ${median(waits[place].p50).toFixed(0)} ms, p99 ${median(waits[place].p99).toFixed(0)} ms`,
    )
  for (const [name, values] of Object.entries(parts)) console.log(`    cores, ${name}: ${median(values).toFixed(3)}`)
}

/** The market goes on while the bus is away. */
async function measureOutage(side: Side, { changes, browsers, nats }: Parts): Promise<void> {
  const { place } = side
  await nats.crash()
  await changes.send(side, BUS_AWAY_S)
  await nats.start()
  const began = monotonicNow()
  const last = changes.last(side)
  const report = await browsers.until(
    place,
    last,
    ({ reopened, unread, behind }) => reopened === BROWSERS && unread === 0 && behind === 0,
    RECOVERY_S,
  )
  const seconds = (monotonicNow() - began) / 1_000
  printFigure('C7 browsers without the last value after the bus was away 10 s', [report.behind], '≤ 0')
  printFigure(
    'C7 browsers that began anew and read again, %',
    [((report.reopened - report.unread) / BROWSERS) * 100],
    '≥ 100',
  )
  console.log(`    all of them ${seconds.toFixed(1)} s after the bus was back: ${JSON.stringify(report)}`)
  // Live again: what changes now arrives.
  await changes.send(side, 2)
  const { behind } = await browsers.until(place, changes.last(side), (now) => now.behind === 0, RECOVERY_S)
  printFigure('C7 browsers that a later change does not reach', [behind], '≤ 0')
}

const [bin, program] = [findPostgres(), findNats()]
if (bin === null || program === null) notRun('no PostgreSQL or no nats-server on this machine')
else {
  const folder = mkdtempSync(join(tmpdir(), 'digger-bench-'))
  await using postgres = await startPostgres(bin)
  await using nats = await startNats(program)
  const broker = await startBroker()
  const sides = await startSides(postgres, nats, { folder, broker })
  const browsers = new BrowsersProcess()
  for (const { place, members, cookies } of sides)
    await browsers.open(place, members.map(({ origin }) => origin).filter(Boolean), cookies)
  const watching = await openDatabase({ databaseUrl: postgres.url, dataDir: '', exclusive: false })
  const parts = { changes: new Changes(broker), browsers, nats }
  await measureQuiet(sides, await postgresCpu(watching), parts)
  for (const side of sides) if (side.place === 'cluster') await measureOutage(side, parts)
  browsers.end()
  for (const { members } of sides) for (const member of members) await member.end()
  await watching.close()
  await broker.close()
  rmSync(folder, { recursive: true, force: true })
}
