/**
 * P26: the order path while everything else is too much: a thousand browsers with fifty price changes a second, lists asked as fast
 * as they are answered, a bulk job over all users, and hundreds of accounts that every change wakes and that cannot buy.
 */
import { openDatabase } from '@digger/database'
import { paths } from '@digger/contract/paths'
import { findPostgres, startPostgres } from '@digger/database/testing'
import { SETTINGS as EXAMPLE } from '@digger/engine/testing'
import { notRun } from '../scripts/not-run.ts'
import { type BenchBroker, startBroker } from './broker.ts'
import { BrowsersProcess, priceOf } from './browsers-process.ts'
import { median, printFigure, ratios, roundsOf } from './measure.ts'
import { MemberProcess } from './member-process.ts'
import { MAX_BUY, pause, STOCKS } from './traders.ts'
import { addLoggedIn, giveStocks, type WatchedUsers } from './watched-users.ts'

const BROWSERS = 1_000
/** Every one of them would buy at every price and has no key, but for those who have a key and no money. */
const UNABLE = 500
const POOR = 20
const CHANGES_PER_SECOND = 50
const LIST_CONNECTIONS = 8
/** In each, so many traders' stocks are bought quiet and as many under load; one more goes before them to warm up. */
const ROUNDS = roundsOf(5)
const TRADERS = 2
/** Before a timed price, ms. */
const QUIET_MS = 20
/** As long as the broker waits for an order, µs. */
const NEVER_US = 30_000_000
/** Numbers at the broker; from the last on accounts have no cash. */
const [FEED, TRADER, PENNILESS] = [0, 1_000, 9_000_000]

const bought = { ...EXAMPLE, lastBuyPrice: null }
const SHARED = Array.from({ length: STOCKS }, (_, n) => String(100_000 + n))
const codeOf = (trader: number, stock: number): string => String(500_000 + trader * 100 + stock)

interface Overload {
  readonly server: MemberProcess
  readonly broker: BenchBroker
  readonly browsers: BrowsersProcess
  readonly users: WatchedUsers
}

/** The browsers' users first: one with the socket that brings the prices, the poor, the other unable, the rest; then the traders. */
async function fill(databaseUrl: string): Promise<WatchedUsers> {
  const database = await openDatabase({ databaseUrl, dataDir: '' })
  const traders = 2 * TRADERS * (ROUNDS + 1)
  const users = await addLoggedIn(database, BROWSERS + traders)
  const { userIds } = users
  const first = userIds.slice(0, 1)
  await giveStocks(database, [...first, ...userIds.slice(1 + UNABLE, BROWSERS)], SHARED)
  await giveStocks(database, userIds.slice(1, 1 + UNABLE), SHARED, { ...bought, maxBuyPrice: 97_000 })
  for (let trader = 0; trader < traders; trader += 1) {
    const codes = Array.from({ length: STOCKS }, (_, stock) => codeOf(trader, stock))
    await giveStocks(database, userIds.slice(BROWSERS + trader, BROWSERS + trader + 1), codes, {
      ...bought,
      maxBuyPrice: MAX_BUY,
    })
  }
  await database.pool.query('update users set digger_admin = true where id = any($1)', [first])
  await database.pool.query('analyze')
  await database.close()
  return users
}

async function begin(databaseUrl: string): Promise<Overload> {
  const broker = await startBroker()
  const users = await fill(databaseUrl)
  const env = { DATABASE_URL: databaseUrl, KIS_REST_URL: broker.url, KIS_WS_URL: broker.wsUrl }
  const server = await MemberProcess.start('all', env)
  for (const [from, to, first] of [
    [0, 1, FEED],
    [BROWSERS, users.userIds.length, TRADER],
    [1, 1 + POOR, PENNILESS],
  ] as const)
    await server.ask({ kind: 'unlock', users: users.userIds.slice(from, to), stocks: STOCKS, first })
  const browsers = new BrowsersProcess()
  await browsers.open('all', [server.origin], users.cookies.slice(0, BROWSERS))
  return { server, broker, browsers, users }
}

/** Buys each of a trader's stocks; from the price's frame to the order's last byte, µs. */
async function trade({ broker }: Overload, trader: number): Promise<number[]> {
  const waits: number[] = []
  for (let stock = 0; stock < STOCKS; stock += 1) {
    const code = codeOf(trader, stock)
    // The first trade re-bases; the second, near the trigger, makes the server ask what cash allows: once for the account.
    await broker.tick({ code, price: MAX_BUY + 5_000, wait: 'nothing' })
    const near = { code, price: MAX_BUY + 100, wait: stock === 0 ? 'cashQuery' : 'nothing' } as const
    await broker.tick(near).catch(() => undefined)
    await pause(QUIET_MS)
    // One that never came counts as late as was waited for it.
    waits.push(await broker.tick({ code, price: MAX_BUY - 100, wait: 'order' }).catch(() => NEVER_US))
  }
  return waits
}

/** Everything at the same time; `end` resolves when it has stopped, to what was done. */
function startLoad({ broker, browsers, server, users }: Overload, change: { next: number }) {
  const load = { isOn: true }
  let jobs = 0
  const began = performance.now()
  let sent = 0
  const market = setInterval(() => {
    for (; sent < ((performance.now() - began) * CHANGES_PER_SECOND) / 1_000; sent += 1) {
      broker.push(SHARED[change.next % STOCKS] ?? '', priceOf(change.next))
      change.next += 1
    }
  }, 1_000 / CHANGES_PER_SECOND)
  const headers = { cookie: users.cookies[0] ?? '', 'content-type': 'application/json' }
  const bulk = async (): Promise<void> => {
    while (load.isOn) {
      const reply = await fetch(`${server.origin}${paths.bulkCheck[1]}`, { method: 'POST', headers })
      if (reply.status !== 200) throw new Error(`the job was refused: ${await reply.text()}`)
      await reply.text()
      jobs += 1
    }
  }
  const working = bulk()
  const listing = browsers.ask({ kind: 'lists', place: 'all', connections: LIST_CONNECTIONS })
  return async () => {
    load.isOn = false
    clearInterval(market)
    const { lists: before } = await listing
    const { lists, refused } = await browsers.ask({ kind: 'lists', place: 'all', connections: 0 })
    await working
    const { open, reopened } = await browsers.ask({ kind: 'state', place: 'all', prices: {} })
    return {
      seconds: (performance.now() - began) / 1_000,
      lists: lists - before,
      refused,
      jobs,
      lost: open === BROWSERS ? reopened : BROWSERS,
    }
  }
}

const p99Of = (waits: readonly number[]): number =>
  waits.toSorted((a, b) => a - b)[Math.floor(waits.length * 0.99)] ?? 0
const ms = (values: readonly number[]): string => (median(values) / 1_000).toFixed(1)

async function bench(all: Overload): Promise<void> {
  const { server } = all
  const rounds: Record<'quiet' | 'loaded', number[][]> = { quiet: [], loaded: [] }
  const change = { next: 0 }
  await server.ask({ kind: 'turns' })
  let trader = 0
  for (let round = -1; round < ROUNDS; round += 1)
    for (const name of ['quiet', 'loaded'] as const) {
      const end = name === 'loaded' ? startLoad(all, change) : null
      // What a load begins with is not what it is.
      await pause(1_000)
      const waits: number[] = []
      const began = performance.now()
      const { cpu: before } = await server.ask({ kind: 'cpu' })
      for (let n = 0; n < TRADERS; n += 1) waits.push(...(await trade(all, trader++)))
      const { cpu, turnP99 } = await server.ask({ kind: 'cpu' })
      const cores = (cpu - before) / 1_000 / (performance.now() - began)
      const work = await end?.()
      console.log(
        `    ${name}: ${cores.toFixed(2)} cores, turns late p99 ${turnP99.toFixed(1)} ms, order p50 ${ms(waits)} ms` +
          (work === undefined
            ? ''
            : `, ${(work.lists / work.seconds).toFixed(0)} lists a second (${work.refused} refused so far), ${work.jobs} jobs over all users in ${work.seconds.toFixed(0)} s, ${work.lost} streams began anew so far`),
      )
      if (round >= 0) rounds[name].push(waits)
    }
  // Of one round it would be the worst of its orders, which one collection of garbage decides.
  const [quiet, loaded] = [rounds.quiet, rounds.loaded]
  const [quiet99, loaded99] = [p99Of(quiet.flat()), p99Of(loaded.flat())]
  printFigure('P26 order path p99 of all orders, everything too much / quiet', [loaded99 / quiet99], '≤ 2')
  printFigure('P26 the same, round by round', ratios(loaded.map(p99Of), quiet.map(p99Of)))
  printFigure('P26 the same, p50', ratios(loaded.map(median), quiet.map(median)))
  for (const [name, waits] of Object.entries(rounds))
    console.log(`    ${name}: p50 ${ms(waits.flat())} ms, p99 ${(p99Of(waits.flat()) / 1_000).toFixed(1)} ms`)
}

const bin = findPostgres()
if (bin === null) notRun('no PostgreSQL on this machine')
else {
  await using postgres = await startPostgres(bin)
  const url = await postgres.newDatabase()
  const all = await begin(url)
  await bench(all)
  const database = await openDatabase({ databaseUrl: url, dataDir: '', exclusive: false })
  const { rows } = await database.pool.query<{ n: number }>(
    'select count(distinct (user_id, code))::int as n from account_order where odno is not null',
  )
  await database.close()
  printFigure(
    'P26 orders due and at the broker in the end, of 100',
    [((rows[0]?.n ?? 0) * 100) / (2 * TRADERS * (ROUNDS + 1) * STOCKS)],
    '≥ 100',
  )
  all.browsers.end()
  await all.server.end()
  await all.broker.close()
}
