import type { DatabaseModel } from '../database/model.ts'
import type { NetworkSocket } from '../machine/network.ts'
import type { Process } from '../machine/process.ts'
import { setSimulation, Simulation } from '../machine/simulation.ts'
import { CUSTOMERS, KEPT_SHARES, settingsOf, STOCKS } from './customers.ts'
import * as product from './product.ts'

export const DATABASE_PORT = 5_432
export const DATABASE_URL = `postgres://digger@127.0.0.1:${DATABASE_PORT}/digger`

/** The tables, with customers whose stocks are set, as the product's own code writes them; every run begins there. */
export async function makeTables(database: DatabaseModel): Promise<void> {
  const simulation = new Simulation(0, Date.parse('2026-11-25T08:00:00+09:00'))
  setSimulation(simulation)
  listenAsDatabase(simulation, database)
  const person = simulation.start('person')
  let done = false
  simulation.at(0, person, () => {
    signUp().then(
      () => (done = true),
      (error: unknown) => simulation.fail(error),
    )
  })
  try {
    await simulation.run(60_000, () => done)
    if (!done) throw new Error('nobody could be signed up')
  } finally {
    await simulation.close()
    setSimulation(null)
  }
  database.keepTemplate()
}

/** Returns whose each session is, by its number. */
export function listenAsDatabase(simulation: Simulation, database: DatabaseModel): ReadonlyMap<number, Process> {
  const clients = new Map<number, Process>()
  simulation.network.listen(DATABASE_PORT, {
    process: simulation.start('database'),
    allowHalfOpen: true,
    accept(socket: NetworkSocket) {
      database.connect(socket)
      // The newest session, when a connection's first bytes come, is its own.
      const learn = (): void => {
        const newest = database.sessions.at(-1)
        if (newest === undefined || clients.has(newest.pid) || socket.peer === null) return
        clients.set(newest.pid, socket.peer.process)
        socket.off('data', learn)
      }
      socket.on('data', learn)
    },
  })
  return clients
}

async function signUp(): Promise<void> {
  const opened = await product.openDatabase({ databaseUrl: DATABASE_URL, dataDir: '' })
  for (const { userId } of CUSTOMERS) {
    const user = { email: `${userId}@example.com`, password_hash: 'x', bank_balance: 0, digger_admin: false }
    const account = { account_masked: '****0001', account_mark: Buffer.from(userId), created_at: Date.now() }
    await opened.db
      .insertInto('users')
      .values({ id: userId, ...user, ...account })
      .execute()
  }
  const engine = new product.Engine({
    tables: opened,
    clock: new product.SteadyClock(),
    env: 'real',
    limits: product.ACCOUNT_LIMITS.sim,
    timetables: new product.Timetables('krx'),
    connector: {
      connect() {
        throw new Error('no key is opened here')
      },
    },
    problem: () => undefined,
  })
  await engine.start()
  for (const { userId } of CUSTOMERS)
    for (const { code, name, market, base } of STOCKS) {
      const listing = { issue: { code, kind: 'stock', market, nxt: false }, name } as const
      const settings = settingsOf(base)
      await engine.ask(userId, { kind: 'updateStock', code, version: null, settings, listing })
      await engine.ask(userId, { kind: 'keepShares', code, count: KEPT_SHARES })
    }
  await engine.stop()
  await opened.close()
}
