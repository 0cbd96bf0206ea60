import { type Bus, Owners } from '@digger/cluster'
import { Refused } from '@digger/contract'
import { type Database, openDatabase, realClock } from '@digger/database'
import { Timetables, TradingCalendar } from '@digger/engine'
import { Passwords, TokenStore, Vault, writeAuditForAll } from '@digger/identity'
import type { FastifyInstance } from 'fastify'
import { ElsewhereAccounts } from './forward/elsewhere-accounts.ts'
import { CallForwarder, type ForwardParts } from './forward/forward-calls.ts'
import { RemoteLive } from './forward/remote-live.ts'
import { allHandlers } from './handlers/all.ts'
import { buildApp } from './http/app.ts'
import { listen } from './http/listen.ts'
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
  bus: Bus,
  forwarding: Pick<ForwardParts, 'lostAfterMs'> = {},
): Promise<DiggerGateway> {
  const { config, log } = parts
  const database = await openDatabase({ databaseUrl: config.DATABASE_URL, dataDir: config.DATA_DIR, exclusive: false })
  const { db } = database
  const owners = new Owners(db)
  const clock = realClock
  const passwords = new Passwords()
  const vault = new Vault({ db, clock, passwords, master: null })
  const timetables = new Timetables(parts.hours)
  const services = createServices({
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
    ...(parts.requestLimits === undefined ? {} : { requestLimits: parts.requestLimits }),
    elsewhere: {
      forwarder: new CallForwarder({ bus, owners, ...forwarding }),
      live: new RemoteLive({ bus, owners, clock }),
    },
  })
  const app = buildApp(services, allHandlers(services))
  return {
    app,
    database,
    listen: () => listen(app, { host: config.HOST, port: config.PORT }),
    async close() {
      await app.close()
      await database.close()
    },
  }
}

const NO_BROKER = '증권사 확인을 맡을 서버가 없습니다. 잠시 뒤 다시 해 주세요.'
