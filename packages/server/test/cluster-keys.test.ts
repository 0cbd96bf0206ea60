import { randomBytes } from 'node:crypto'
import { ClusterSecret, provenKey, SealedBus } from '@digger/cluster'
import { newKeyPair, setAdmin } from '@digger/identity'
import { demoCredentials, type Sim, startSim } from '@digger/kis-sim'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { ClusterFixture, type ClusterPerson, PASSWORD } from './cluster-fixture.ts'
import { newSecrets } from './cluster-secrets.ts'
import { leaksIn } from './leaks.ts'
import { writeMasterKey } from './master-key-file.ts'
import { cookieOf } from './server-fixture.ts'
import { settledShards } from './settled-shards.ts'

const PEOPLE = 4
const NEW_PASSWORD = '새로운비밀번호5678'
const WRONG_PASSWORD = '틀린비밀번호9012'
const SOON = { timeout: 60_000, interval: 100 }

let sim: Sim
let cluster: ClusterFixture

const person = (n: number): ClusterPerson => {
  const found = cluster.people[n]
  if (!found) throw new Error(`no person ${n}`)
  return found
}
const me = async ({ cookie }: ClusterPerson) => cluster.call('GET', '/api/user/user', { cookie })
/** Everybody's account is with one worker, armed, and its key is there and nowhere else. */
const allWell = () =>
  vi.waitFor(() => {
    for (const one of cluster.people) {
      const { accounts, keys } = cluster.placesOf(one)
      expect([accounts.length, keys]).toEqual([1, accounts])
    }
    const armed = cluster.workers.map(({ engine }) => engine.health.vitals().armed)
    expect(armed.reduce((sum, count) => sum + count, 0)).toBe(cluster.people.length)
  }, SOON)
/** Resolves when each of them has begun again, under another name. */
async function findAllDead(): Promise<void> {
  const names = cluster.workers.map(({ member }) => member.id)
  await cluster.gateway.database.db.updateTable('worker').set({ buried: true }).execute()
  await vi.waitFor(() => {
    for (const { member } of cluster.workers) expect([null, ...names]).not.toContain(member.id)
  }, SOON)
}

beforeAll(async () => {
  const accounts = Array.from({ length: 8 }, (_, n) => ({ credentials: demoCredentials(n), cash: 100_000_000 }))
  const clock = { mode: 'real', speed: 1 } as const
  sim = await startSim({ port: 0, hours: 'always', clock, walk: 'off', latency: 'none', limits: 'off', accounts })
  cluster = await ClusterFixture.start(sim)
  await cluster.addWorker()
  for (let n = 0; n < PEOPLE; n += 1) await cluster.addPerson(n)
}, 300_000)
afterAll(async () => {
  await cluster[Symbol.asyncDispose]()
  await sim.close()
}, 120_000)

describe('keys in a cluster', () => {
  test('who signed up and logged in at a gateway has account and key at one worker, and a share for each', async () => {
    await allWell()
    for (const one of cluster.people) {
      expect(await cluster.sharesOf(one)).toBe(2)
      expect((await me(one)).json()).toMatchObject({ userId: one.userId, userKey: true })
    }
    const taken = await cluster.call('POST', '/api/user/user', {
      payload: { email: person(0).email, password: PASSWORD, ...demoCredentials(7) },
    })
    expect([taken.statusCode, taken.json()]).toMatchObject([409, { code: 'CONFLICT' }])
    const wrong = { ...demoCredentials(7), appSecret: 'x'.repeat(180) }
    const refused = await cluster.call('POST', '/api/user/user', {
      payload: { email: 'new@example.com', password: PASSWORD, ...wrong },
    })
    expect(refused.statusCode).toBeGreaterThanOrEqual(400)
  }, 120_000)

  test('a log-in through a proxy over TLS has the cookies and the address of one in a single process', async () => {
    const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-for': '203.0.113.7' }
    const reply = await cluster.logIn(person(0).email, PASSWORD, headers)
    const own = reply.cookies.filter(({ name }) => name.startsWith('__Host-'))
    expect(own.map(({ name }) => name).sort()).toEqual(['__Host-digger_device', '__Host-digger_session'])
    expect(own.every(({ secure, httpOnly }) => secure && httpOnly)).toBe(true)
    const audit = await cluster.call('GET', '/api/user/audit', { cookie: person(0).cookie })
    expect(audit.body).toContain('203.0.113.7')
    // Whoever was logged in at this browser is not any more.
    const again = await cluster.call('POST', '/api/login', {
      payload: { email: person(0).email, password: PASSWORD },
      cookie: person(0).cookie,
    })
    expect([again.statusCode, (await me(person(0))).statusCode]).toEqual([200, 401])
    person(0).cookie = cookieOf(again)
    const page = { origin: 'https://evil.example.com' }
    expect((await cluster.logIn(person(0).email, PASSWORD, page)).statusCode).toBe(403)
  }, 120_000)

  test('nothing tells an unknown e-mail from a wrong password', async () => {
    const [wrong, unknown] = [
      await cluster.logIn(person(1).email, WRONG_PASSWORD),
      await cluster.logIn('nobody@example.com', WRONG_PASSWORD),
    ]
    expect([wrong.statusCode, wrong.json()]).toMatchObject([401, { code: 'LOGIN_REQUIRED' }])
    expect([unknown.statusCode, unknown.json()]).toEqual([wrong.statusCode, wrong.json()])
    expect((await cluster.call('POST', '/api/login', { payload: { email: 1 } })).statusCode).toBe(400)
  }, 120_000)

  test('all found dead at once, in processes that live: they begin again, and have their keys', async () => {
    await findAllDead()
    await allWell()
    await cluster.place.cut()
    await cluster.place.restore()
    await vi.waitFor(async () => expect((await me(person(1))).json()).toMatchObject({ userKey: true }), SOON)
    await allWell()
  }, 120_000)

  test('no key is sealed for a worker that is not proven, nor for a gateway that says it is one', async () => {
    const { db } = cluster.gateway.database
    const real = await db.selectFrom('worker').selectAll().where('buried', '=', false).executeTakeFirstOrThrow()
    const forged = newKeyPair().publicKey
    const stranger = { ...real, public_key: forged, draining: true, until: new Date(Date.now() + 3_600_000) }
    const strange = new ClusterSecret(randomBytes(32)).prove('strange', forged)
    // Whoever has the secret that gateways have, too.
    const { cluster: shared } = cluster.secrets
    const { proof: guessed } = provenKey('guessed', forged, { ...newSecrets(), cluster: shared })
    await db
      .insertInto('worker')
      .values([
        { ...stranger, id: 'copied' },
        { ...stranger, id: 'strange', proof: strange },
        { ...stranger, id: 'gateway', proof: shared.prove('gateway', forged) },
        { ...stranger, id: 'guessed', proof: guessed },
      ])
      .execute()
    const recipients = () => db.selectFrom('key_share').select('recipient').distinct().orderBy('recipient').execute()
    const before = await recipients()
    expect((await cluster.logIn(person(2).email)).statusCode).toBe(200)
    for (const worker of ['copied', 'strange', 'gateway', 'guessed'])
      await vi.waitFor(() => expect(cluster.log.join('')).toMatch(new RegExp(`"worker":"${worker}".*not proven`)), SOON)
    expect(await recipients()).toEqual(before)
    await db.deleteFrom('worker').where('id', 'in', ['copied', 'strange', 'gateway', 'guessed']).execute()
  }, 120_000)

  test('a worker with another secret does not begin', async () => {
    const { cluster: shared } = cluster.secrets
    const workers = () => cluster.gateway.database.db.selectFrom('worker').select('id').orderBy('id').execute()
    const before = await workers()
    await expect(cluster.addWorker('', newSecrets())).rejects.toThrow(/^CLUSTER_SECRET_FILE/)
    await expect(cluster.addWorker('', { ...newSecrets(), cluster: shared })).rejects.toThrow(/^WORKER_SECRET_FILE/)
    expect(await workers()).toEqual(before)
  }, 60_000)

  test('a request of the bus that is sent again or made up is not carried out', async () => {
    const { db } = cluster.gateway.database
    const from = cluster.recorded.length
    await cluster.logIn(person(2).email)
    const request = cluster.recorded.slice(from).find(({ subject }) => subject.startsWith('digger.sealed.'))
    const sessions = () => db.selectFrom('session').select('token_hash').orderBy('token_hash').execute()
    const before = await sessions()
    const intruder = cluster.newBus()
    const subject = request?.subject ?? ''
    const forged = [request?.data ?? Buffer.alloc(0), randomBytes(200), Buffer.from('{}')]
    await Promise.all(forged.map((data) => expect(intruder.request(subject, data, 500)).rejects.toThrow(/no answer/)))
    expect(await sessions()).toEqual(before)
    expect(cluster.log.join('')).toMatch(/a message of the bus was dropped/)
  }, 120_000)

  test('a new password through a gateway: the old one opens nothing, and its sessions have ended', async () => {
    const [one] = [person(1)]
    // While an account moves its calls are refused as busy.
    await settledShards(cluster.workers)
    const other = cookieOf(await cluster.logIn(one.email))
    const payload = { oldPassword: PASSWORD, newPassword: NEW_PASSWORD }
    const wrong = { oldPassword: WRONG_PASSWORD, newPassword: NEW_PASSWORD }
    expect((await cluster.call('PUT', '/api/user/user', { cookie: one.cookie, payload: wrong })).statusCode).toBe(400)
    expect((await cluster.call('PUT', '/api/user/user', { cookie: one.cookie, payload })).statusCode).toBe(200)
    expect([(await me(one)).statusCode, (await me({ ...one, cookie: other })).statusCode]).toEqual([401, 401])
    expect((await cluster.logIn(one.email)).statusCode).toBe(401)
    const entered = await cluster.logIn(one.email, NEW_PASSWORD)
    one.cookie = cookieOf(entered)
    expect([entered.statusCode, await cluster.sharesOf(one)]).toEqual([200, 2])
    const [owner] = cluster.placesOf(one).keys
    await expect(owner?.vault.openByPassword(one.userId, PASSWORD)).rejects.toThrow('could not be opened')
    await allWell()
  }, 120_000)

  test('a key that an administrator has closed is gone everywhere, also for whoever takes the account over', async () => {
    const [boss, one] = [person(3), person(2)]
    const userKey = `/api/admin/8017/user/${one.userId}/userKey`
    await setAdmin(cluster.gateway.database.db, boss.email, true)
    boss.cookie = cookieOf(await cluster.logIn(boss.email))
    await cluster.logIn(one.email)
    expect((await cluster.call('DELETE', userKey, { cookie: boss.cookie })).statusCode).toBe(200)
    expect([cluster.placesOf(one).keys, await cluster.sharesOf(one)]).toEqual([[], 0])
    await findAllDead()
    await vi.waitFor(() => expect(cluster.placesOf(person(0)).keys).toHaveLength(1), SOON)
    await vi.waitFor(async () => expect((await me(one)).json()).toMatchObject({ userKey: false }), SOON)
    const shown = await cluster.call('GET', `/api/admin/8017/user/${one.userId}`, { cookie: boss.cookie })
    expect(shown.json()).toMatchObject({ userKey: false })
    // An account that moves on while its broker connects is connected by its next owner, and not waited for here.
    await settledShards(cluster.workers)
    const payload = { email: boss.email, password: PASSWORD }
    // Sealed for the administrator when the key was opened last, at whichever worker that was.
    const opened = await cluster.call('POST', userKey, { cookie: boss.cookie, payload })
    expect([opened.statusCode, opened.json()]).toEqual([200, { connected: true, message: expect.any(String) }])
    expect(await cluster.sharesOf(one)).toBe(2)
    await allWell()
  }, 120_000)

  test('a key that somebody has closed in the tables meanwhile is closed in memory, too', async () => {
    const one = person(0)
    const { db } = cluster.gateway.database
    await db.updateTable('vault').set({ held: false }).where('user_id', '=', one.userId).execute()
    await vi.waitFor(() => expect(cluster.placesOf(one).keys).toEqual([]), SOON)
    expect((await me(one)).json()).toMatchObject({ userKey: false })
    one.cookie = cookieOf(await cluster.logIn(one.email))
    await allWell()
  }, 120_000)

  test('a log-in at a gateway without the master key leaves what the worker has wrapped by it', async () => {
    const master = writeMasterKey()
    await using other = await ClusterFixture.start(sim, { masterFile: master.file })
    const one = await other.addPerson(PEOPLE)
    const { db } = other.gateway.database
    const wrapped = await db.selectFrom('vault').select('master_mark').executeTakeFirstOrThrow()
    expect(wrapped.master_mark).toMatch(/^[0-9a-f]{16}$/)
    const [worker] = other.workers
    worker?.vault.forget(one.userId)
    expect((await other.logIn(one.email)).statusCode).toBe(200)
    expect([worker?.vault.has(one.userId), await db.selectFrom('vault').select('master_mark').execute()]).toEqual([
      true,
      [wrapped],
    ])
    master.remove()
  }, 120_000)

  test('no password, credential, token or key is in the database or on the bus, nor under its seal', async () => {
    const { pool } = cluster.gateway.database
    const { rows } = await pool.query<{ name: string }>(
      `select quote_ident(tablename) as name from pg_tables where schemaname = 'public'`,
    )
    const places = cluster.recorded.map(({ data }) => data)
    for (const { name } of rows) {
      const table = await pool.query<{ line: string }>(`select t::text as line from ${name} t`)
      places.push(Buffer.from(table.rows.map(({ line }) => line).join('\n')))
    }
    const everything = Buffer.concat(places)
    const secrets: Record<string, string> = { PASSWORD, NEW_PASSWORD, WRONG_PASSWORD }
    for (const [n, { cookie }] of cluster.people.entries()) {
      Object.assign(secrets, { [`key ${n}`]: demoCredentials(n).appKey, [`secret ${n}`]: demoCredentials(n).appSecret })
      for (const [, what = '', token = ''] of cookie.matchAll(/digger_(session|device)=([^;]+)/g))
        secrets[`${what} ${n}`] = token
    }
    expect([Object.keys(secrets).length, everything.includes(person(0).email)]).toEqual([19, true])
    expect(leaksIn(secrets, everything)).toEqual([])
    const keys = cluster.workers.flatMap(({ vault }) => vault.present.users().map((id) => vault.present.of(id)?.bytes))
    expect(keys).toHaveLength(PEOPLE)
    for (const key of keys) {
      if (key === undefined) throw new Error('no key')
      const forms = [key, key.toString('hex'), key.toString('base64').slice(0, -2), key.toString('base64url')]
      expect(forms.filter((form) => everything.includes(form))).toEqual([])
    }
    // Whoever has the secret of the bus, too, finds no password in what they have recorded.
    const found: Buffer[] = []
    let sentAt = 0
    const bus = new SealedBus(cluster.newBus(), cluster.secrets.cluster, {
      dropped: () => undefined,
      now: () => sentAt,
    })
    const isCall = /^digger\.sealed\.\w+$/
    for (const { subject, data } of cluster.recorded.filter(
      (one) => isCall.test(one.subject) && one.data.length > 60,
    )) {
      sentAt = Number(data.readBigUInt64BE(25))
      bus.answer(subject, async (opened) => Buffer.from(`${found.push(Buffer.from(opened))}`))
      await cluster
        .newBus()
        .request(subject, data, 100)
        .catch(() => undefined)
    }
    expect([found.length > 10, leaksIn(secrets, Buffer.concat(found))]).toEqual([true, []])
  }, 120_000)
})
