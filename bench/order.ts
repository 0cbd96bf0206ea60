/**
 * P15, P16: from a price on the socket to the order on the wire. The whole server against loops that do nothing but
 * receive, (commit a row,) and send; all ticks interleaved, one at a time, on loopback.
 */
import { once } from 'node:events'
import { deepStrictEqual } from 'node:assert/strict'
import { ACCOUNT_LIMITS } from '@digger/core'
import { UNLIMITED } from '@digger/kis'
import type { Pool as Postgres } from 'pg'
import { Pool as Connections } from 'undici'
import { WebSocket } from 'ws'
import { Connector, Engine, Timetables } from '@digger/engine'
import { realClock } from '@digger/database'
import { startBroker, type BenchBroker } from './broker.ts'
import { median, ratios, printFigure, roundsOf } from './measure.ts'
import { addUsers, benchDatabase, type BenchDatabase } from './postgres.ts'
import { armTraders, MAX_BUY, NEVER_MS, pause, STOCKS } from './traders.ts'

const ROUNDS = roundsOf(6)
/** The pause before every timed tick of each way, ms: a processor that just worked is faster. */
const QUIET_MS = 2
const codeOf = (user: number, stock: number): string => String(100_000 + user * 100 + stock)

const problem = (_: string | null, error: unknown): void => console.log(`    problem: ${String(error)}`)

/** Starts everything but keys and HTTP: accounts, their commits, the broker's client. Each user trades one round's stocks. */
async function startEngine(database: BenchDatabase, broker: BenchBroker): Promise<Engine> {
  const engine = new Engine({
    tables: database,
    clock: realClock,
    env: 'real',
    limits: ACCOUNT_LIMITS.sim,
    timetables: new Timetables('always'),
    connector: new Connector({
      env: 'real',
      restUrl: broker.url,
      wsUrl: broker.wsUrl,
      clock: realClock,
      tokens: { load: async () => null, save: async () => {} },
      // The software is measured, not the pause the broker asks for between two calls.
      limits: UNLIMITED,
      problem,
    }),
    problem,
    timerMs: NEVER_MS,
  })
  const userIds = await addUsers(database, ROUNDS + 1)
  await engine.start()
  await armTraders(engine, userIds, { first: 0, codeOf })
  return engine
}

/** Receives, and sends the same order as the server would; `commit` may come between. */
async function startLoop(broker: BenchBroker, commit: ((code: string, price: number) => Promise<unknown>) | null) {
  const connections = new Connections(broker.url, { connections: 1, pipelining: 1 })
  const socket = new WebSocket(broker.wsUrl, { perMessageDeflate: false, skipUTF8Validation: true })
  await once(socket, 'open')
  const headers = { 'content-type': 'application/json', authorization: 'Bearer bench', tr_id: 'TTTC0012U' }
  socket.on('message', (data: Buffer) => {
    if (data[0] !== 0x30) return
    const [code = '', , price = ''] = data.toString('latin1').split('|')[3]?.split('^') ?? []
    const body = JSON.stringify({
      CANO: '10000099',
      ACNT_PRDT_CD: '01',
      PDNO: code,
      ORD_DVSN: '00',
      ORD_QTY: String(Math.floor(200_000 / Number(price))),
      ORD_UNPR: price,
      EXCG_ID_DVSN_CD: 'KRX',
    })
    const path = '/uapi/domestic-stock/v1/trading/order-cash'
    const send = () => connections.request({ method: 'POST', path, headers, body }).then((reply) => reply.body.text())
    void (commit === null ? send() : commit(code, Number(price)).then(send))
  })
  return {
    /** Resolves when the broker has answered; a tick before that would reach nobody. */
    async watch(code: string) {
      const input = { tr_id: 'H0STCNT0', tr_key: code }
      const answered = once(socket, 'message')
      socket.send(JSON.stringify({ header: { approval_key: 'bench', tr_type: '1' }, body: { input } }))
      await answered
    },
    async close() {
      socket.close()
      await connections.close()
    },
  }
}

/** The smallest durable intent: one row of one table. */
async function plainCommit(pool: Postgres) {
  await pool.query('create table bench_intent (id bigserial primary key, code text, price bigint, at bigint)')
  const text = 'insert into bench_intent (code, price, at) values ($1, $2, $3)'
  return (code: string, price: number) => pool.query({ name: 'intent', text, values: [code, price, Date.now()] })
}

async function bench(database: BenchDatabase): Promise<void> {
  const broker = await startBroker()
  const engine = await startEngine(database, broker)
  const direct = await startLoop(broker, null)
  const committing = await startLoop(broker, await plainCommit(database.pool))
  const p50: Record<string, number[]> = { direct: [], commit: [], ours: [] }
  for (let user = 0; user <= ROUNDS; user += 1) {
    const round: Record<string, number[]> = { direct: [], commit: [], ours: [] }
    for (let stock = 0; stock < STOCKS; stock += 1) {
      const code = codeOf(user, stock)
      // The first trade re-bases; the second, near the trigger, makes the server ask what cash allows: once for the account.
      await broker.tick({ code, price: MAX_BUY + 5_000, wait: 'nothing' })
      await broker.tick({ code, price: MAX_BUY + 100, wait: stock === 0 ? 'cashQuery' : 'nothing' })
      await engine.activity.idle()
      await pause(QUIET_MS)
      round['ours']?.push(await broker.tick({ code, price: MAX_BUY - 100, wait: 'order' }))
      await engine.activity.idle()
      for (const [name, loop] of [
        ['direct', direct],
        ['commit', committing],
      ] as const) {
        const own = `${name === 'direct' ? 'D' : 'C'}${code.slice(1)}`
        await loop.watch(own)
        await pause(QUIET_MS)
        round[name]?.push(await broker.tick({ code: own, price: MAX_BUY - 100, wait: 'order' }))
      }
    }
    if (user === 0) continue
    for (const [name, values] of Object.entries(round)) p50[name]?.push(median(values))
  }
  const { rows } = await database.pool.query<{ n: number }>(
    'select count(*)::int as n from account_order where status = $1 and count = 2 and price = $2',
    ['open', MAX_BUY - 100],
  )
  // Every order was durable, and of the same size as the loops sent.
  deepStrictEqual(rows[0]?.n, (ROUNDS + 1) * STOCKS)
  report(database.kind, p50)
  await engine.stop()
  await Promise.all([direct.close(), committing.close()])
  await broker.close()
}

function report(kind: string, p50: Record<string, number[]>): void {
  const goal = (text: string) => (kind === 'postgres' ? text : 'none')
  printFigure(
    `P15 order path p50, whole server / nothing durable, ${kind}`,
    ratios(p50['ours'], p50['direct']),
    goal('≤ 4.5'),
  )
  printFigure(`P15 the same of the bare loop that commits, ${kind}`, ratios(p50['commit'], p50['direct']))
  printFigure(
    `P16 order path p50, whole server / bare loop that commits, ${kind}`,
    ratios(p50['ours'], p50['commit']),
    goal('≤ 1.5'),
  )
  const ms = (name: string) => (median(p50[name] ?? []) / 1_000).toFixed(2)
  console.log(
    `    p50 ms: nothing durable ${ms('direct')}, one row committed ${ms('commit')}, whole server ${ms('ours')}`,
  )
}

for (const want of ['postgres', 'embedded'] as const) {
  await using database = await benchDatabase(want)
  if (database.kind === want) await bench(database)
}
