import { Problem, ProofWays } from '@digger/contract'
import type { LightMyRequestResponse } from 'fastify'
import { Secret, TOTP } from 'otpauth'
import { z } from 'zod'
import { Authenticator } from './authenticator.ts'
import { PASSWORD, type Person, type ServerFixture, type ServerFixtureOptions } from './server-fixture.ts'
import { startFixture } from './shared-fixture.ts'

export const ORIGIN = 'https://digger.example.com'
export const RP_ID = 'digger.example.com'
export const STEP_MS = 30_000

const Begun = z.object({ secret: z.string(), uri: z.string() })
const Added = z.object({ codes: z.array(z.string()).nullable() }).loose()
const Options = z.object({ challenge: z.string() }).loose()

export const waysIn = (reply: LightMyRequestResponse): ProofWays => ProofWays.parse(Problem.parse(reply.json()).ways)

/** A server with one person who sets up ways to prove who they are. */
export class FactorStage {
  readonly fixture: ServerFixture
  readonly owner: Person

  private constructor(fixture: ServerFixture, owner: Person) {
    this.fixture = fixture
    this.owner = owner
  }

  static async start(options?: ServerFixtureOptions): Promise<FactorStage> {
    const fixture = await startFixture(options)
    return new FactorStage(fixture, await fixture.addPerson('owner'))
  }

  close = (): Promise<void> => this.fixture[Symbol.asyncDispose]()

  post = (url: string, payload: object, cookie = this.owner.cookie) =>
    this.fixture.call('POST', url, { cookie, payload })

  logIn(proof?: object, { headers = {}, cookie = '' } = {}) {
    const payload = { email: this.owner.email, password: PASSWORD, ...(proof ? { proof } : {}) }
    return this.fixture.call('POST', '/api/login', { payload, headers, cookie })
  }

  async query<T extends object>(text: string): Promise<T[]> {
    return (await this.fixture.database.pool.query<T>(text)).rows
  }

  async lastNotification(): Promise<string> {
    return JSON.stringify(await this.query('select text from notification order by id desc limit 1'))
  }

  async audit(cookie: string) {
    const reply = await this.fixture.call('GET', '/api/user/audit', { cookie })
    return z.array(z.object({ action: z.string(), detail: z.string() }).loose()).parse(reply.json())
  }

  /** Sets up the app, and moves on so that its next code is a new one. */
  async addApp(): Promise<{ code: (steps?: number) => string; codes: string[] }> {
    const { clock } = this.fixture
    const { secret } = Begun.parse((await this.post('/api/user/factor/totp/secret', {})).json())
    const totp = new TOTP({ secret: Secret.fromBase32(secret) })
    const code = (steps = 0) => totp.generate({ timestamp: clock.now() + steps * STEP_MS })
    const { codes } = Added.parse((await this.post('/api/user/factor/totp', { totp: code() })).json())
    clock.advance(STEP_MS)
    return { code, codes: codes ?? [] }
  }

  async registration(cookie = this.owner.cookie) {
    return Options.parse((await this.post('/api/user/factor/passkey/options', {}, cookie)).json())
  }

  async addPasskey(prf?: string): Promise<Authenticator> {
    const passkey = new Authenticator(ORIGIN, RP_ID)
    const answer = passkey.register(this.owner.userId, await this.registration())
    const reply = await this.post('/api/user/factor/passkey', {
      name: '내 휴대폰',
      passkey: answer,
      ...(prf ? { prf } : {}),
    })
    if (reply.statusCode !== 200) throw new Error(`no passkey: ${reply.body}`)
    return passkey
  }

  async options(headers: Record<string, string> = {}) {
    return Options.parse((await this.fixture.call('GET', '/api/login/passkey', { headers })).json())
  }

  send = (passkey: object, more: object = {}) => this.post('/api/login/passkey', { passkey, ...more }, '')

  /** Logs in by the passkey alone. */
  async enter(passkey: Authenticator, lie: Parameters<Authenticator['use']>[1] = {}, more: object = {}) {
    return this.send(passkey.use(await this.options(), lie), more)
  }
}
