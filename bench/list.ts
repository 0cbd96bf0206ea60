/**
 * P11: what a reply costs. The stock list of 100 through the whole HTTP side (session, access, accounts' rules, serialiser)
 * against node:http sending the same headers and bytes; the session read from the database each time; a year of gain.
 */
import { deepStrictEqual } from 'node:assert/strict'
import { createServer, type OutgoingHttpHeaders, type Server } from 'node:http'
import { once } from 'node:events'
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads'
import fastify from 'fastify'
import { Pool } from 'undici'
import { kstIso } from '@digger/core'
import type { TestClock } from '../packages/server/test/clock.ts'
import { World } from '../packages/server/test/world.ts'
import { interleaved, ratios, spent, tell, median } from './measure.ts'

const STOCKS = 100
const REQUESTS = 160
/** A year of gain takes the database a while. */
const SLOW_REQUESTS = 40
const ROUNDS = 5
const CONNECTIONS = 8
const DAYS = 250
/** Past this a session is looked up again, ms. */
const SESSION_CACHE_MS = 15_000

interface Ask {
  readonly origin: string
  readonly path: string
  readonly cookie: string
  readonly requests: number
}

/** The browsers, in a thread of their own. Answers with the last body, which the caller compares. */
function serveLoad(): void {
  const pools = new Map<string, Pool>()
  parentPort?.on('message', ({ origin, path, cookie, requests }: Ask) => {
    const pool = pools.get(origin) ?? new Pool(origin, { connections: CONNECTIONS, pipelining: 1 })
    pools.set(origin, pool)
    const one = async (): Promise<string> => {
      const reply = await pool.request({ method: 'GET', path, headers: { cookie } })
      return reply.statusCode === 200 ? reply.body.text() : `status ${reply.statusCode}`
    }
    const many = async (): Promise<string[]> => {
      const bodies: string[] = []
      for (let i = 0; i < requests / CONNECTIONS; i += 1) bodies.push(await one())
      return bodies
    }
    const all = async (): Promise<void> => {
      const bodies = await Promise.all(Array.from({ length: CONNECTIONS }, many))
      parentPort?.postMessage([...new Set(bodies.flat())], [])
    }
    void all()
  })
}

async function giveStocks(world: World, userId: string): Promise<void> {
  for (let n = 0; n < STOCKS; n += 1) world.giveStock(userId, String(100_000 + n))
  world.accounts.prices.forEach((_, code) => world.accounts.prices.set(code, { price: 70_500, at: world.clock.now() }))
  const last = Date.parse('2026-11-20T10:00:00+09:00')
  const { pool } = world.database
  await pool.query(`insert into account values ($1, '20261120', 'active', 1, 1, 0)`, [userId])
  for (let n = 0; n < DAYS * 4; n += 1) {
    const soldAt = last - Math.floor(n / 4) * 86_400_000
    await pool.query(
      `insert into trade values ($1, $2, $3, 2, 70000, 140000, $4, null, false, true, 71000, 142000, $4, $5, 40, 280)`,
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

/** The floor: the same headers and bytes, ready made. */
const sameBytes = (headers: OutgoingHttpHeaders, body: Buffer): Promise<string> =>
  listening(createServer((_request, response) => response.writeHead(200, headers).end(body)))

/** The plain way: the same headers, and the rows at hand made into JSON for each request. */
function madeAnew(headers: OutgoingHttpHeaders, rows: unknown): Promise<string> {
  return listening(createServer((_request, response) => response.writeHead(200, headers).end(JSON.stringify(rows))))
}

async function bareFastify(body: unknown): Promise<string> {
  const app = fastify()
  app.get('/*', async () => body)
  return app.listen({ host: '127.0.0.1', port: 0 })
}

class Load {
  readonly #worker = new Worker(new URL(import.meta.url), { workerData: 'load' })

  /** µs of CPU and of time a request, after the same body came back every time. */
  async run(ask: Ask, expected: string): Promise<{ cpu: number; wall: number }> {
    const [cpu, wall] = [spent(), performance.now()]
    this.#worker.postMessage(ask, [])
    const [bodies]: unknown[] = await once(this.#worker, 'message')
    const took = { cpu: (spent() - cpu) / ask.requests, wall: ((performance.now() - wall) * 1_000) / ask.requests }
    deepStrictEqual(bodies, [expected])
    return took
  }

  close = () => this.#worker.terminate()
}

async function bench(): Promise<void> {
  await using world = await World.start()
  const { userId, cookie } = await world.addPerson('bench')
  await giveStocks(world, userId)
  const ours = await world.app.listen({ host: '127.0.0.1', port: 0 })
  const load = new Load()
  const cellOf = async (path: string) => {
    const reply = await world.call('GET', path, { cookie })
    const body = reply.body
    const floor = await sameBytes(reply.headers, Buffer.from(body))
    return { path, body, headers: reply.headers, floor, bare: await bareFastify(JSON.parse(body)) }
  }
  const list = await cellOf('/api/user/stock')
  const cheap = await cellOf('/api/user/socket')
  const gain = await cellOf('/api/user/balance/gain?fromDate=20251121&toDate=20261120')
  deepStrictEqual([JSON.parse(list.body).length, JSON.parse(gain.body).length], [STOCKS, DAYS])
  const run = (name: string, origin: string, { path, body }: typeof list, unit: 'cpu' | 'wall' = 'cpu') => ({
    [name]: async () => {
      const took = await load.run(
        { origin, path, cookie, requests: path.includes('gain') ? SLOW_REQUESTS : REQUESTS },
        body,
      )
      return took[unit]
    },
  })
  const times = await interleaved(
    {
      ...run('list', ours, list),
      ...run('listFloor', list.floor, list),
      ...run('listPlain', await madeAnew(list.headers, JSON.parse(list.body)), list),
      ...run('cheap', ours, cheap),
      ...run('cheapBare', cheap.bare, cheap),
      ...run('gain', ours, gain, 'wall'),
      ...run('gainBare', gain.bare, gain, 'wall'),
    },
    ROUNDS,
  )
  leaping(world.clock)
  const aged = await interleaved(
    {
      ...run('list', ours, list, 'wall'),
      ...run('listFloor', list.floor, list, 'wall'),
    },
    ROUNDS,
  )
  tell('P11 list of 100, node:http with the same bytes / ours, CPU', ratios(times['listFloor'], times['list']), '≥ 0.9')
  tell('P11 list of 100, node:http making JSON of rows at hand / ours, CPU', ratios(times['listPlain'], times['list']))
  tell('P11 the same, session read from the database each time, time', ratios(aged['listFloor'], aged['list']), '≥ 0.3')
  tell('P11 cheapest call, bare Fastify / ours, CPU', ratios(times['cheapBare'], times['cheap']))
  tell('P11 gain over a year, bare Fastify without database / ours, time', ratios(times['gainBare'], times['gain']))
  const us = (name: string) => median(times[name] ?? []).toFixed(0)
  console.log(
    `    µs a request: list ${us('list')} against ${us('listFloor')} and ${us('listPlain')}, cheapest call ${us('cheap')} against ${us('cheapBare')}, ` +
      `gain ${us('gain')} against ${us('gainBare')}; list ${list.body.length} bytes`,
  )
  await load.close()
  process.exit(0)
}

/** Time leaps at every look, so that each request finds its session's memory too old and reads it again. */
function leaping(clock: TestClock): void {
  const now = clock.now.bind(clock)
  let leapt = 0
  clock.now = () => now() + (leapt += SESSION_CACHE_MS + 1)
}

if (isMainThread) await bench()
else if (workerData === 'load') serveLoad()
