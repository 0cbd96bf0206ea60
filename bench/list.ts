/**
 * P11: what a reply costs through the whole HTTP side (session, access, accounts' rules, serialiser): the stock list of
 * 100, a year of gain, the cheapest call, against node:http and bare Fastify sending the same headers and bytes.
 */
import { deepStrictEqual } from 'node:assert/strict'
import { createServer, type OutgoingHttpHeaders, type Server } from 'node:http'
import { once } from 'node:events'
import fastify from 'fastify'
import { kstIso } from '@digger/core'
import { TestClock } from '@digger/database/testing'
import { ServerFixture } from '@digger/server/testing'
import { CONNECTIONS, Load, type RequestCost } from './load.ts'
import { ratios, printFigure, median, roundsOf } from './measure.ts'
import { useEngineOutlook } from './shared-book.ts'

const STOCKS = 100
const REQUESTS = 1_600
/** So many requests where every reply is made anew. */
const SLOW_REQUESTS = 160
const ROUNDS = roundsOf(7)
const DAYS = 250
/** After this long a session is looked up again, ms. */
const SESSION_CACHE_MS = 15_000

async function giveStocks(fixture: ServerFixture, userId: string): Promise<void> {
  for (let n = 0; n < STOCKS; n += 1) fixture.giveStock(userId, String(100_000 + n))
  fixture.accounts.prices.forEach((_, code) =>
    fixture.accounts.prices.set(code, { price: 70_500, at: fixture.clock.now() }),
  )
  const last = Date.parse('2026-11-20T10:00:00+09:00')
  const { pool } = fixture.database
  await pool.query(`insert into account values ($1, '20261120', 'active', 1, 1, 0)`, [userId])
  for (let n = 0; n < DAYS * 4; n += 1) {
    const soldAt = last - Math.floor(n / 4) * 86_400_000
    await pool.query(
      `insert into trade values ($1, $2, $3, 2, 70000, 140000, $4, null, false, true, 71000, 142000, $4, $5, 40, 280, false, false, 0)`,
      [userId, n + 1, String(100_000 + (n % 4)), soldAt, kstIso(soldAt).slice(0, 10).replaceAll('-', '')],
    )
  }
}

async function listening(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
}

/** The floor sends the same headers and bytes, ready made. */
const nodeHttp = (headers: OutgoingHttpHeaders, body: Buffer): Promise<string> =>
  listening(createServer((_request, response) => response.writeHead(200, headers).end(body)))

/** The plain way sends the same headers, and the rows at hand made into JSON for each request. */
const madeAnew = (headers: OutgoingHttpHeaders, rows: unknown): Promise<string> =>
  listening(createServer((_request, response) => response.writeHead(200, headers).end(JSON.stringify(rows))))

async function bareFastify(headers: OutgoingHttpHeaders, body: Buffer): Promise<string> {
  const app = fastify()
  app.get('/*', (_request, reply) => reply.headers(headers).send(body))
  return app.listen({ host: '127.0.0.1', port: 0 })
}

interface Cell {
  readonly cookie: string
  readonly path: string
  readonly body: string
  readonly floor: string
  readonly bare: string
  readonly plain: string
}

type Runs = Readonly<Record<string, readonly RequestCost[]>>

async function interleaved(cells: Readonly<Record<string, () => Promise<RequestCost>>>): Promise<Runs> {
  const runs: Record<string, RequestCost[]> = {}
  for (let round = -1; round < ROUNDS; round += 1) {
    for (const [name, cell] of Object.entries(cells)) {
      const took = await cell()
      if (round >= 0) (runs[name] ??= []).push(took)
    }
  }
  return runs
}

/** Leaps at every look, so that each request finds its cached session too old and reads it again. */
class LeapingClock extends TestClock {
  override now(): number {
    this.advance(SESSION_CACHE_MS + 1)
    return super.now()
  }
}

async function cellOf(fixture: ServerFixture, cookie: string, path: string): Promise<Cell> {
  const { body, headers } = await fixture.call('GET', path, { cookie })
  const bytes = Buffer.from(body)
  return {
    cookie,
    path,
    body,
    floor: await nodeHttp(headers, bytes),
    bare: await bareFastify(headers, bytes),
    plain: await madeAnew(headers, JSON.parse(body)),
  }
}

function report(runs: Runs): void {
  const cpu = (name: string) => runs[name]?.map((took) => took.cpu)
  const wall = (name: string) => runs[name]?.map((took) => took.wall)
  printFigure(
    'P11 list of 100, node:http with the same bytes / ours, CPU',
    ratios(cpu('list floor'), cpu('list')),
    '≥ 0.5',
  )
  printFigure(
    'P11 the same, session read from the database each time, time',
    ratios(wall('list floor'), wall('list, session read')),
    '≥ 0.3',
  )
  printFigure('P11 list of 100, bare Fastify with the same bytes / ours, CPU', ratios(cpu('list bare'), cpu('list')))
  printFigure(
    'P11 list of 100, node:http making JSON of rows at hand / ours, CPU',
    ratios(cpu('list plain'), cpu('list')),
  )
  printFigure(
    'P11 list of 100 made anew each time, node:http making JSON / ours, CPU',
    ratios(cpu('list plain'), cpu('list made anew')),
  )
  printFigure(
    'P11 cheapest call, bare Fastify with the same bytes / ours, CPU',
    ratios(cpu('cheap bare'), cpu('cheap')),
  )
  printFigure(
    'P11 gain over a year, bare Fastify with the same bytes / ours, CPU',
    ratios(cpu('gain bare'), cpu('gain')),
  )
  console.log(`\n    ${'median of the rounds'.padEnd(28)}  requests/s    p99 µs    CPU µs`)
  for (const [name, tooks] of Object.entries(runs)) {
    const mid = (pick: (took: RequestCost) => number) => median(tooks.map(pick)).toFixed(0).padStart(9)
    console.log(`    ${name.padEnd(28)}   ${mid((t) => t.perSecond)} ${mid((t) => t.p99)} ${mid((t) => t.cpu)}`)
  }
}

await using fixture = await ServerFixture.start()
const { userId, cookie } = await fixture.addPerson('bench')
const newcomer = await fixture.addPerson('newcomer')
await giveStocks(fixture, userId)
useEngineOutlook(fixture)
// A session each: requests of the same one that come at once share a look.
const { sessions: started } = fixture.services
const sessions = await Promise.all(
  Array.from({ length: CONNECTIONS }, async () => `digger_session=${await started.start(userId)}`),
)
// The clock leaps past the hour at which a session's last use is written, too; that is not what is measured.
await fixture.database.pool.query('update session set seen_at = $1, expires_at = $1', [Date.now() * 2])
const aged = new ServerFixture(
  { ...fixture.database, [Symbol.asyncDispose]: async () => undefined },
  {
    parts: { wall: new LeapingClock(), accounts: fixture.accounts },
  },
)
const ours = await fixture.app.listen({ host: '127.0.0.1', port: 0 })
const ourAged = await aged.app.listen({ host: '127.0.0.1', port: 0 })
const load = new Load()
const list = await cellOf(fixture, cookie, '/api/user/stock')
const cheap = await cellOf(fixture, newcomer.cookie, '/api/user/socket')
const gain = await cellOf(fixture, cookie, '/api/user/balance/gain?fromDate=20251121&toDate=20261120')
deepStrictEqual([JSON.parse(list.body).length, JSON.parse(gain.body).length], [STOCKS, DAYS])
const run = (origin: string, { cookie, path, body }: Cell, requests = REQUESTS, cookies = [cookie]) =>
  load.run({ origin, path, cookies, requests, expected: body })
let changing = false
const known = fixture.accounts.cacheValidators.bind(fixture.accounts)
fixture.accounts.cacheValidators = (whose) => (changing ? [Symbol('changed')] : known(whose))
/** As if the account changed before every request: the validators are never the same twice. */
const anew = async (): Promise<RequestCost> => {
  changing = true
  const took = await run(ours, list, SLOW_REQUESTS)
  changing = false
  return took
}
report(
  await interleaved({
    list: () => run(ours, list),
    'list floor': () => run(list.floor, list),
    'list bare': () => run(list.bare, list),
    'list plain': () => run(list.plain, list, SLOW_REQUESTS),
    'list made anew': anew,
    'list, session read': () => run(ourAged, list, SLOW_REQUESTS, sessions),
    cheap: () => run(ours, cheap),
    'cheap bare': () => run(cheap.bare, cheap),
    gain: () => run(ours, gain),
    'gain bare': () => run(gain.bare, gain),
  }),
)
console.log(`    list ${list.body.length} bytes, gain ${gain.body.length}, cheapest call ${cheap.body.length}`)
await load.close()
await aged.app.close()
process.exit(0)
