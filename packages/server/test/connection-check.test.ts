import { createKis, UNLIMITED } from '@digger/kis'
import { demoCredentials, startSim, type Sim } from '@digger/kis-sim'
import type { Reply } from '@digger/contract'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startFixture } from './shared-fixture.ts'
import type { Person, ServerFixture } from './server-fixture.ts'

/** The page of a running account: over its own client, to a broker that answers as the real one does. */
let fixture: ServerFixture
let sim: Sim
let owner: Person
let close: () => Promise<void>

beforeEach(async () => {
  sim = await startSim({ port: 0, limits: 'off', latency: 'none', accounts: [{ credentials: demoCredentials(0) }] })
  const { rest } = createKis({
    env: 'real',
    restUrl: sim.url,
    wsUrl: sim.wsUrl,
    credentials: demoCredentials(0),
    tokens: { load: async () => null, save: async () => undefined },
    limits: UNLIMITED,
  })
  close = () => rest.close()
  fixture = await startFixture()
  owner = await fixture.addPerson('owner')
  fixture.accounts.kisOf = () => rest
})
afterEach(async () => {
  await close()
  await fixture[Symbol.asyncDispose]()
  await sim.close()
})

const ask = (method: 'GET' | 'POST', cookie = owner.cookie, of = 'user') =>
  fixture.call(method, `/api/${of}/check`, { cookie })
const read = async (): Promise<Reply<'connectionCheck'>> => (await ask('GET')).json<Reply<'connectionCheck'>>()

/** Starts one and waits for its end. */
async function checked(): Promise<Reply<'connectionCheck'>> {
  expect((await ask('POST')).statusCode).toBe(200)
  return vi.waitFor(
    async () => {
      const check = await read()
      expect([check.running, check.checkedAt === null]).toEqual([null, false])
      return check
    },
    { timeout: 20_000, interval: 20 },
  )
}

test('before the first there is nothing; then its findings stay, and no order was sent', async () => {
  expect(await read()).toEqual({ running: null, checkedAt: null, checks: [] })
  const { checks } = await checked()
  expect(checks.map(({ name }) => name)).toContain('잔고와 예수금')
  expect(checks.flatMap(({ findings }) => findings).filter(({ level }) => level === 'ok').length).toBeGreaterThan(8)
  expect((await read()).checks).toEqual(checks)
  expect(sim.orders(demoCredentials(0).accountNumber)).toEqual([])
  const calls = [...sim.broker.calls.keys()]
  expect(calls.filter((name) => ['orderBuy', 'orderSell', 'orderRevise'].includes(name))).toEqual([])
  expect(JSON.stringify(checks)).not.toContain(demoCredentials(0).accountNumber.slice(0, 8))
}, 30_000)

test('no token is issued, no socket opened, no speed measured: the result says so, and where they can be seen', async () => {
  // Its account trades: it has a token.
  await fixture.accounts.kis(owner.userId).quote('005930')
  const before = sim.issuedKeys()
  expect(before.tokens).toHaveLength(1)
  const { checks } = await checked()
  const leftOut = checks.flatMap(({ name, findings }) =>
    findings.filter(({ level }) => level === 'notTried').map(({ text }) => [name, text]),
  )
  expect(leftOut).toEqual([
    ['접근 토큰', expect.stringMatching(/새로 받지 않았습니다.*doctor -- --token/)],
    ['호출 속도', expect.stringMatching(/재지 않았습니다.*doctor -- --limits/)],
    ['실시간 연결', expect.stringMatching(/새로 연결하지 않았습니다.*아침 점검/)],
  ])
  expect(sim.issuedKeys()).toEqual(before)
  expect(sim.isKeyHeld(demoCredentials(0).appKey)).toBe(false)
}, 30_000)

test('once a minute; while one runs a second press joins it', async () => {
  const answered = Promise.withResolvers<void>()
  const rest = fixture.accounts.kis(owner.userId)
  const quote: typeof rest.quote = async (...asked) => {
    await answered.promise
    return rest.quote(...asked)
  }
  fixture.accounts.kisOf = () => ({ ...rest, quote })
  const first = (await ask('POST')).json<Reply<'connectionCheck'>>()
  expect(first.running).not.toBeNull()
  expect((await ask('POST')).statusCode).toBe(200)
  answered.resolve()
  await vi.waitFor(async () => expect((await read()).running).toBeNull(), { timeout: 20_000, interval: 20 })
  const refused = await ask('POST')
  expect(refused.statusCode).toBe(429)
  expect(refused.json<{ message: string }>().message).toContain('1분에 한 번')
}, 30_000)

test('nobody sees or starts that of another person; without a key nothing is asked', async () => {
  const other = await fixture.addPerson('other')
  expect((await ask('GET', other.cookie, owner.userId)).statusCode).toBe(403)
  expect((await ask('POST', other.cookie, owner.userId)).statusCode).toBe(403)
  fixture.vault.forget(owner.userId)
  expect((await ask('POST')).statusCode).toBe(409)
  expect([...sim.broker.calls.keys()]).not.toContain('executions')
})

test('a result that cannot be written is shown all the same, and says so, until a later one is written', async () => {
  const { checkedAt: earlier } = await checked()
  fixture.clock.advance(61_000)
  const { db } = fixture.database
  await sql`alter table connection_check add constraint refused check (false) not valid`.execute(db)
  expect((await ask('POST')).statusCode).toBe(200)
  await vi.waitFor(async () => expect((await read()).running).toBeNull(), { timeout: 20_000, interval: 20 })
  await sql`alter table connection_check drop constraint refused`.execute(db)
  const { checkedAt, checks } = await read()
  expect(Date.parse(checkedAt ?? '') - Date.parse(earlier ?? '')).toBeGreaterThanOrEqual(61_000)
  expect(checks[0]).toMatchObject({
    name: '결과 저장',
    findings: [{ level: 'note', text: expect.stringContaining('저장하지 못했습니다') }],
  })
  expect(checks.map(({ name }) => name)).toContain('잔고와 예수금')
  expect(fixture.log.join('')).toContain('the connection check was not written')
  fixture.clock.advance(61_000)
  expect((await ask('POST')).statusCode).toBe(200)
  await vi.waitFor(async () => expect((await read()).running).toBeNull(), { timeout: 20_000, interval: 20 })
  expect((await read()).checks.map(({ name }) => name)).not.toContain('결과 저장')
}, 60_000)
