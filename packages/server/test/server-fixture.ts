import { randomBytes } from 'node:crypto'
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify'
import type { Order } from '@digger/core'
import type { KisCredentials } from '@digger/kis'
import { type TestDatabase, TestClock, testDatabase } from '@digger/database/testing'
import { Timetables, TradingCalendar } from '@digger/engine'
import { FakeAccounts, SETTINGS } from '@digger/engine/testing'
import { type MasterKey, createUser, setAdmin, Passwords, TokenStore, Vault, writeAuditForAll } from '@digger/identity'
import { NotificationSetups, Senders } from '@digger/notifications'
import { makeVapidKeys } from '@digger/notifications/testing'
import { allHandlers } from '../src/handlers/all.ts'
import { buildApp } from '../src/http/app.ts'
import { NO_LIMITS } from '@digger/http'
import { createLogger } from '../src/log.ts'
import { createServices, type AppParts, type Services } from '../src/services.ts'

export const PASSWORD = '열려라참깨1234'
/** Where it is not the point what a guess costs. */
export const cheapPasswords = (): Passwords => new Passwords({ memoryCost: 256, timeCost: 1 })

export const credentialsOf = (name: string): KisCredentials => ({
  appKey: `APPKEY${name}`.padEnd(36, 'K'),
  appSecret: `APPSECRET${name}`.padEnd(180, 'S'),
  accountNumber: `${String(Buffer.from(name.padEnd(4)).readUInt32BE(0) % 100_000_000).padStart(8, '1')}01`,
  htsId: `hts-${name}`,
})

export interface Person {
  readonly userId: string
  readonly email: string
  readonly cookie: string
}

export interface ServerFixtureOptions {
  readonly master?: MasterKey | null
  readonly parts?: Partial<AppParts>
}

/** A whole server without an engine and without a port: real database, vault and HTTP, books that tests write. */
export class ServerFixture {
  readonly database: TestDatabase
  readonly clock = new TestClock()
  readonly accounts = new FakeAccounts(this.clock)
  /** The exchange's days, as administrators correct them. */
  readonly timetables = new Timetables('krx')
  readonly log: string[] = []
  readonly passwords = cheapPasswords()
  readonly vault: Vault
  readonly services: Services
  readonly app: FastifyInstance
  brokerError: Error | null = null
  /** Whether the broker says something of an HTS ID. */
  htsIdKnown = true

  constructor(database: TestDatabase, options: ServerFixtureOptions = {}) {
    this.database = database
    const { clock, passwords, accounts } = this
    const { db } = database
    this.vault = new Vault({ db, clock, passwords, master: options.master ?? null })
    this.services = createServices({
      config: {
        KIS_ENV: 'sim',
        PUBLIC_URL: ['https://digger.example.com'],
        ALLOWED_ORIGINS: ['http://localhost:5173'],
        TRUST_PROXY: 'loopback',
      },
      database,
      clock,
      wall: clock,
      accounts,
      passwords,
      vault: this.vault,
      tokens: new TokenStore(db, this.vault, clock),
      brokerCheck: async () => {
        if (this.brokerError) throw this.brokerError
        return this.htsIdKnown
      },
      logger: createLogger('info', { write: (line) => void this.log.push(line) }),
      serverKey: randomBytes(32),
      requestLimits: NO_LIMITS,
      calendar: new TradingCalendar({ db, clock, timetables: this.timetables, log: writeAuditForAll }),
      notifications: new NotificationSetups({
        db,
        wall: clock,
        key: randomBytes(32),
        senders: new Senders({ pushContact: 'mailto:operator@digger.test' }, makeVapidKeys(), clock),
        botName: () => Promise.resolve('digger_test_bot'),
        wake: () => undefined,
      }),
      ...options.parts,
    })
    this.app = buildApp(this.services, allHandlers(this.services))
  }

  static async start(options: ServerFixtureOptions = {}): Promise<ServerFixture> {
    return new ServerFixture(await testDatabase(), options)
  }

  async addUser(name: string, admin = false): Promise<string> {
    const email = `${name}@digger.test`
    const { vault, passwords, clock, accounts, database } = this
    const parts = { db: database.db, vault, passwords, clock }
    const userId = await createUser(parts, { email, password: PASSWORD, credentials: credentialsOf(name) })
    if (admin) await setAdmin(database.db, email, true)
    await accounts.open(userId)
    return userId
  }

  async addPerson(name: string, admin = false): Promise<Person> {
    const userId = await this.addUser(name, admin)
    const email = `${name}@digger.test`
    return { userId, email, cookie: await this.logIn(email) }
  }

  async logIn(email: string, password = PASSWORD): Promise<string> {
    const reply = await this.call('POST', '/api/login', { payload: { email, password } })
    if (reply.statusCode !== 200) throw new Error(`log-in of ${email}: ${reply.body}`)
    return cookieOf(reply)
  }

  call(method: InjectOptions['method'], url: string, rest: InjectOptions & { cookie?: string } = {}) {
    const { cookie, headers, ...options } = rest
    return this.app.inject({
      method: method ?? 'GET',
      url,
      headers: { ...(cookie ? { cookie } : {}), ...headers },
      ...options,
    })
  }

  /** 삼성전자 with two lots (70,000 and 69,300), and an open sell of the second. */
  giveStock(userId: string, code = '005930'): void {
    const at = this.clock.now()
    const issue = { code, kind: 'stock', market: 'KOSPI', nxt: true } as const
    this.accounts.happen(
      userId,
      { at, kind: 'stockAdded', code, name: '삼성전자', issue, settings: SETTINGS },
      { at, kind: 'subscribed', code, subscribed: true },
      { at, kind: 'lotBought', code, lot: lotOf(1, 70_000, at) },
      { at, kind: 'lotBought', code, lot: lotOf(2, 69_300, at) },
      { at, kind: 'orderIntended', order: saleOf(code, at) },
      { at, kind: 'orderAccepted', orderId: 1, odno: '0000004321', orgno: '06010' },
    )
    this.accounts.prices.set(code, { price: 70_500, at })
  }

  /** Bonus shares, one for each: the base price of the day is half the last close. */
  freezeStock(userId: string, code = '005930'): void {
    const move = { day: '20261123', close: 70_000, base: 35_000 }
    this.accounts.happen(userId, { at: this.clock.now(), kind: 'stockFrozen', code, move })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.app.close()
    await this.database[Symbol.asyncDispose]()
  }
}

/** The sale of the second lot, on its way. */
const saleOf = (code: string, at: number): Order => ({
  id: 1,
  code,
  side: 'sell',
  origin: 'auto',
  type: 'limit',
  price: 70_200,
  count: 2,
  venue: 'KRX',
  session: 'regular',
  lots: [{ lotId: 2, count: 2 }],
  status: 'intended',
  day: '20261120',
  odno: null,
  orgno: null,
  filledCount: 0,
  filledAmount: 0,
  reservedPrice: 0,
  createdAt: at,
  updatedAt: at,
  why: '목표가',
  note: null,
  absentFrom: null,
  cancelAsked: false,
  cancelWanted: false,
})

export const cookieOf = (reply: LightMyRequestResponse): string =>
  reply.cookies.map(({ name, value }) => `${name}=${value}`).join('; ')

/** Two shares, free to be sold. */
const lotOf = (id: number, buyPrice: number, at: number) => ({
  id,
  count: 2,
  buyPrice,
  buyAmount: buyPrice * 2,
  boughtAt: at - id,
  buyOrderId: null,
  heldBack: false,
  takenOver: false,
})
