/**
 * C5: one, two and three workers on one PostgreSQL, each with as many accounts, and what a price or an order costs them in CPU time:
 * prices that wake nobody, each over its own account's socket, and orders from the price to the broker. Tick about. Fewer accounts a
 * worker would measure something else: what is decided at a time is written at a time, so that a crowd is cheaper by the order.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findNats, type NatsServer, startNats } from '@digger/cluster/testing'
import { type Database, openDatabase } from '@digger/database'
import { findPostgres, type PostgresServer, startPostgres } from '@digger/database/testing'
import { SETTINGS as EXAMPLE } from '@digger/engine/testing'
import { writeAllSecrets } from '@digger/server/testing'
import { notRun } from '../scripts/not-run.ts'
import { type BenchBroker, startBroker } from './broker.ts'
import { median, printFigure, ratios, roundsOf } from './measure.ts'
import { cpuDuring, MemberProcess } from './member-process.ts'
import { postgresCpu } from './process-cpu.ts'
import { MAX_BUY, pause, STOCKS } from './traders.ts'
import { addLoggedIn, giveStocks } from './watched-users.ts'

const SIZES = [1, 2, 3] as const
/** Of each worker. */
const ACCOUNTS = 30
const ROUNDS = roundsOf(6)
/** Stocks of each account that are bought in a round; one more round goes before them to warm up. */
const STOCKS_PER_ROUND = 5
const TICKS_PER_STOCK = 100
/** Far above any buy, won; each tick is one won more, for one that repeats is none. */
const QUIET = 80_000
const LOOK_MS = 20
/** Shards are where they belong when nothing has moved for so many looks. */
const SETTLED_LOOKS = 15

interface Cluster {
  readonly size: number
  readonly workers: readonly MemberProcess[]
  readonly userIds: readonly string[]
  readonly database: Database
  readonly nats: NatsServer
}

const codeOf = (size: number, user: number, stock: number): string => String(size * 100_000 + user * 100 + stock)
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

/** Waits until every account is with one of the workers, and stays there. */
async function settled(workers: readonly MemberProcess[], users: readonly string[]): Promise<number[]> {
  let before = ''
  for (let same = 0; ;) {
    const counts: number[] = []
    for (const worker of workers) counts.push((await worker.ask({ kind: 'has', users })).has.length)
    same = sum(counts) === users.length && Math.min(...counts) > 0 && String(counts) === before ? same + 1 : 0
    if (same === SETTLED_LOOKS) return counts
    before = String(counts)
    await pause(200)
  }
}

async function startCluster(size: number, { postgres, program, folder, broker }: Parts): Promise<Cluster> {
  const DATABASE_URL = await postgres.newDatabase()
  const filled = await openDatabase({ databaseUrl: DATABASE_URL, dataDir: '' })
  const { userIds } = await addLoggedIn(filled, ACCOUNTS * size)
  for (const [user, userId] of userIds.entries()) {
    const codes = Array.from({ length: STOCKS }, (_, stock) => codeOf(size, user, stock))
    await giveStocks(filled, [userId], codes, { ...EXAMPLE, maxBuyPrice: MAX_BUY, lastBuyPrice: null })
  }
  await filled.close()
  const nats = await startNats(program)
  const wires = { NATS_URL: nats.url, KIS_REST_URL: broker.url, KIS_WS_URL: broker.wsUrl }
  const env = { ...writeAllSecrets(folder), ...wires, DATABASE_URL }
  const workers: MemberProcess[] = []
  for (let n = 0; n < size; n += 1) workers.push(await MemberProcess.start('worker', env))
  const counts = await settled(workers, userIds)
  console.log(`    accounts of ${size === 1 ? 'one worker' : `${size} workers`}: ${counts.join(', ')}`)
  for (const worker of workers)
    await worker.ask({ kind: 'unlock', users: userIds, stocks: STOCKS, first: size * 1_000 })
  const database = await openDatabase({ databaseUrl: DATABASE_URL, dataDir: '', exclusive: false })
  return { size, workers, userIds, database, nats }
}

interface Parts {
  readonly postgres: PostgresServer
  readonly program: string
  readonly folder: string
  readonly broker: BenchBroker
}

/** A trade of each stock that wakes nobody, many times; resolves when the workers have received all. */
async function ticks({ size, workers, userIds }: Cluster, broker: BenchBroker, round: number): Promise<void> {
  const frames = async () =>
    sum(await Promise.all(workers.map(async (one) => (await one.ask({ kind: 'frames', users: userIds })).frames)))
  const wanted = (await frames()) + userIds.length * STOCKS * TICKS_PER_STOCK
  for (let tick = 0; tick < TICKS_PER_STOCK; tick += 1)
    for (let user = 0; user < userIds.length; user += 1)
      for (let stock = 0; stock < STOCKS; stock += 1)
        broker.push(codeOf(size, user, stock), QUIET + (round + 1) * TICKS_PER_STOCK + tick)
  while ((await frames()) < wanted) await pause(LOOK_MS)
}

/** Every account buys some of its stocks; resolves when the broker has all orders, and their owners know. */
async function intents(
  { size, workers, userIds, database }: Cluster,
  broker: BenchBroker,
  round: number,
): Promise<void> {
  const first = (round + 1) * STOCKS_PER_ROUND
  for (const price of [MAX_BUY + 100, MAX_BUY - 100]) {
    for (let user = 0; user < userIds.length; user += 1)
      for (let stock = first; stock < first + STOCKS_PER_ROUND; stock += 1)
        broker.push(codeOf(size, user, stock), price)
    for (const worker of workers) await worker.ask({ kind: 'idle' })
  }
  const wanted = (first + STOCKS_PER_ROUND) * userIds.length
  // One that does not fill in time is cancelled and may be bought again.
  const accepted = 'select count(distinct (user_id, code))::int as n from account_order where odno is not null'
  for (;;) {
    const { rows } = await database.pool.query<{ n: number }>(accepted)
    if (rows[0]?.n === wanted) return
    await pause(LOOK_MS)
  }
}

const CELLS = [
  { name: 'ticks that wake nobody', work: ticks, perAccount: STOCKS * TICKS_PER_STOCK },
  { name: 'intents', work: intents, perAccount: STOCKS_PER_ROUND },
] as const

const us = (values: readonly number[] = []): string => median(values).toFixed(1)

async function bench(clusters: readonly Cluster[], broker: BenchBroker, postgres: () => number): Promise<void> {
  const spent: Record<string, number[]> = {}
  const beside: Record<string, number[]> = {}
  for (let round = -1; round < ROUNDS; round += 1)
    for (const { name, work, perAccount } of CELLS)
      for (const cluster of round % 2 === 0 ? clusters : clusters.toReversed()) {
        const before = postgres()
        const cpu = await cpuDuring(cluster.workers, () => work(cluster, broker, round))
        if (round < 0) continue
        const amount = perAccount * cluster.userIds.length
        ;(spent[`${name} ${cluster.size}`] ??= []).push(sum(cpu) / amount)
        ;(beside[`${name} ${cluster.size}`] ??= []).push((postgres() - before) / amount)
      }
  for (const { name } of CELLS) {
    const of = (size: number) => spent[`${name} ${size}`]
    for (const size of [2, 3])
      printFigure(`C5 ${name} a CPU-s, ${size} workers / one`, ratios(of(1), of(size)), '≥ 0.9')
    for (const size of SIZES)
      console.log(
        `    ${name}, ${size} of them: ${us(of(size))} µs CPU each, PostgreSQL ${us(beside[`${name} ${size}`])}`,
      )
  }
}

const [bin, program] = [findPostgres(), findNats()]
if (bin === null || program === null) notRun('no PostgreSQL or no nats-server on this machine')
else {
  const folder = mkdtempSync(join(tmpdir(), 'digger-bench-'))
  await using postgres = await startPostgres(bin)
  const broker = await startBroker()
  const clusters: Cluster[] = []
  for (const size of SIZES) clusters.push(await startCluster(size, { postgres, program, folder, broker }))
  const [first] = clusters
  if (first === undefined) throw new Error('no cluster')
  await bench(clusters, broker, await postgresCpu(first.database))
  for (const { workers, database, nats } of clusters) {
    for (const worker of workers) await worker.end()
    await database.close()
    await nats[Symbol.asyncDispose]()
  }
  await broker.close()
  rmSync(folder, { recursive: true, force: true })
}
