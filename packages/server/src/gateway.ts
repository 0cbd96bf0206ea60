import {
  assertSameSecrets,
  type Bus,
  clusterBus,
  ClusterCounters,
  ClusterProbe,
  type ClusterSecret,
  ClusterWatch,
  forgedTo,
  type MemberParts,
  Owners,
  ProvenKeys,
  WorkerVerifier,
} from '@digger/cluster'
import { Refused } from '@digger/contract'
import { type Database, DatabaseClock, databaseTime, openDatabase, realClock } from '@digger/database'
import { Timetables, TradingCalendar } from '@digger/engine'
import { findUserByEmail, Passwords, TokenStore, Vault, writeAuditForAll } from '@digger/identity'
import type { FastifyInstance } from 'fastify'
import { newestRow, readServerStop } from '@digger/storage'
import { ElsewhereAccounts, elsewhereOf, type ForwardParts } from '@digger/forward'
import { allHandlers } from './handlers/all.ts'
import { buildApp } from './http/app.ts'
import { listen } from '@digger/http'
import { tellEndedSessions } from './news/session-news.ts'
import { type ServerParts, WEB_DIR } from './server.ts'
import { createServices } from './services.ts'

export interface DiggerGateway {
  readonly app: FastifyInstance
  readonly database: Database
  listen(): Promise<string>
  close(): Promise<void>
}

/** A process that people's browsers reach: sessions, access, screens. It has no account, no broker and no key. */
export async function createGateway(
  parts: ServerParts,
  openBus: Bus,
  secret: ClusterSecret,
  { clock, ...forwarding }: Pick<ForwardParts, 'lostAfterMs' | 'ownerMs'> & Pick<MemberParts, 'clock'> = {},
): Promise<DiggerGateway> {
  const { config, log } = parts
  const { DATABASE_URL: databaseUrl, DATA_DIR: dataDir, WORKER_PUBLIC_KEY: signedBy } = config
  const database = await openDatabase({ databaseUrl, dataDir, exclusive: false })
  const { db } = database
  const counters = new ClusterCounters()
  await assertSameSecrets(database, { cluster: secret })
  // Sessions begin at workers, by the same clock.
  const wall = await DatabaseClock.open(() => databaseTime(database.pool))
  const bus = clusterBus(openBus, { secret, wall, counters, log })
  const watch = new ClusterWatch(db, clock)
  await watch.begin()
  const owners = new Owners(db)
  const userIdOf = async (email: string) => (await findUserByEmail(db, email))?.id
  const verifier = signedBy === undefined ? undefined : new WorkerVerifier(signedBy)
  const workerKeys = new ProvenKeys(db, { cluster: secret, verifier }, forgedTo(log))
  const seenStop = async (userId: string | null) =>
    userId === null ? (await readServerStop(db)).version : newestRow(db, userId)
  const reached = { userIdOf, bus, owners, workerKeys, clock: wall, seenStop, counters }
  const services = createServices({
    ...withoutAccounts(parts, database),
    wall,
    elsewhere: elsewhereOf({ ...reached, ...forwarding }),
    cluster: new ClusterProbe({ role: 'gateway', watch, counters, bus }),
  })
  const endSessionNews = tellEndedSessions(bus, services.sessions)
  const app = buildApp(services, allHandlers(services))
  return {
    app,
    database,
    listen: () => listen(app, { host: config.HOST, port: config.PORT }),
    async close() {
      watch.end()
      await app.close()
      endSessionNews()
      wall.end()
      await database.close()
    },
  }
}

/** What handlers ask for that are never carried out here. */
function withoutAccounts(
  { config, hours, log, requestLimits, passwords = new Passwords() }: ServerParts,
  database: Database,
) {
  const { db } = database
  const clock = realClock
  const vault = new Vault({ db, clock, passwords, master: null })
  const timetables = new Timetables(hours)
  return {
    config,
    database,
    clock,
    accounts: new ElsewhereAccounts(),
    passwords,
    vault,
    tokens: new TokenStore(db, vault, clock),
    brokerCheck: () => Promise.reject(new Refused('BUSY', NO_BROKER)),
    webDir: WEB_DIR,
    timetable: () => timetables.current,
    calendar: new TradingCalendar({ db, clock, timetables, log: writeAuditForAll }),
    logger: log,
    ...(requestLimits === undefined ? {} : { requestLimits }),
  }
}

const NO_BROKER = '증권사 확인을 맡을 서버가 없습니다. 잠시 뒤 다시 해 주세요.'
