import { demoCredentials, type Sim, startSim } from '@digger/kis-sim'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { Authenticator } from './authenticator.ts'
import { ClusterFixture, type ClusterPerson, PASSWORD } from './cluster-fixture.ts'
import { waysIn } from './factor-stage.ts'
import { leaksIn, type Secrets } from './leaks.ts'
import { problemIn } from './request.ts'
import { cookieOf } from './server-fixture.ts'

let sim: Sim
let cluster: ClusterFixture
let person: ClusterPerson

const post = (url: string, payload: object, cookie = person.cookie) => cluster.call('POST', url, { cookie, payload })
const logIn = (proof?: object) => post('/api/login', { email: person.email, password: PASSWORD, proof }, '')
const leaks = (secrets: Secrets) => leaksIn(secrets, Buffer.concat(cluster.recorded.map(({ data }) => data)))
const Options = z.looseObject({ challenge: z.string() })

describe('a second factor behind a gateway', () => {
  beforeAll(async () => {
    const accounts = [{ credentials: demoCredentials(0), cash: 100_000_000 }]
    const clock = { mode: 'real', speed: 1 } as const
    sim = await startSim({ port: 0, hours: 'always', clock, walk: 'off', latency: 'none', limits: 'off', accounts })
    cluster = await ClusterFixture.start(sim)
    await cluster.addWorker()
    person = await cluster.addPerson(0)
  }, 300_000)
  afterAll(async () => {
    await cluster[Symbol.asyncDispose]()
    await sim.close()
  })

  test('is set up, asked for and shown through it, and nobody on the bus reads secret or code', async () => {
    const begun = await post('/api/user/factor/totp/secret', {})
    const { secret } = z.looseObject({ secret: z.string() }).parse(begun.json())
    const totp = new TOTP({ secret: Secret.fromBase32(secret) })
    const first = totp.generate()
    const added = await post('/api/user/factor/totp', { totp: first })
    const { codes } = z.looseObject({ codes: z.array(z.string()) }).parse(added.json())
    expect(problemIn(await logIn())).toBe('SECOND_FACTOR')
    expect(problemIn(await logIn({ totp: first }))).toBe('SECOND_FACTOR')
    const [code = ''] = codes
    expect((await logIn({ code })).statusCode).toBe(200)
    expect(problemIn(await logIn({ code }))).toBe('SECOND_FACTOR')
    expect(leaks({ secret, code })).toEqual([])
  })

  test('a passkey logs in at whichever worker has the account, and what was proved counts there at once', async () => {
    // Where there is no public address the pages of this machine count, by the port that was asked for.
    const passkey = new Authenticator('http://localhost:0', 'localhost')
    const asked = Options.parse((await post('/api/user/factor/passkey/options', {})).json())
    const prf = Buffer.alloc(32, 5).toString('base64url')
    const body = { name: '휴대폰', passkey: passkey.register(person.userId, asked), prf }
    expect((await post('/api/user/factor/passkey', body)).statusCode).toBe(200)
    const options = Options.parse((await cluster.call('GET', '/api/login/passkey')).json())
    const entered = await post('/api/login/passkey', { passkey: passkey.use(options), prf }, '')
    expect(entered.json()).toMatchObject({ userId: person.userId })
    expect(leaks({ prf })).toEqual([])
    const cookie = cookieOf(entered)
    await cluster.gateway.database.db.updateTable('session').set({ proven_at: 0 }).execute()
    const goOn = () => post('/api/user/stop', { level: 'user', stop: 'active' }, cookie)
    expect(problemIn(await goOn())).toBe('STEP_UP')
    const ways = waysIn(await logIn())
    const proof = { passkey: passkey.use(ways.passkey ?? { challenge: '' }) }
    expect((await post('/api/user/step-up', proof, cookie)).statusCode).toBe(200)
    expect((await goOn()).statusCode).toBe(200)
  })

  test('sessions are listed and ended at the gateway; the one that was ended is out at once', async () => {
    const list = await cluster.call('GET', '/api/user/session', { cookie: person.cookie })
    const sessions = z.array(z.looseObject({ current: z.boolean() })).parse(list.json())
    expect(sessions.length).toBeGreaterThan(1)
    expect(sessions.filter(({ current }) => current)).toHaveLength(1)
    const ended = await cluster.call('DELETE', '/api/user/session', { cookie: person.cookie })
    expect(ended.json()).toEqual({ ended: sessions.length - 1 })
    expect((await cluster.call('GET', '/api/user/user', { cookie: person.cookie })).statusCode).toBe(200)
  })
})
