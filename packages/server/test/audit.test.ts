import { OutcomeUnknown, Refused } from '@digger/contract'
import { OutcomeUnknownError } from '@digger/kis'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { problemIn } from './request.ts'
import { startFixture } from './shared-fixture.ts'
import { PASSWORD, type Person, type ServerFixture } from './server-fixture.ts'

let fixture: ServerFixture
let owner: Person
let admin: Person

beforeEach(async () => {
  fixture = await startFixture()
  owner = await fixture.addPerson('owner')
  admin = await fixture.addPerson('boss', true)
  fixture.giveStock(owner.userId)
})
afterEach(async () => {
  await giveAudit()
  await fixture[Symbol.asyncDispose]()
})

/** The table is away: no row can be written and none read. */
const takeAudit = () => fixture.database.pool.query('alter table if exists audit rename to audit_away')
const giveAudit = () => fixture.database.pool.query('alter table if exists audit_away rename to audit')

/** The table goes away while the account is at work, after it had been asked. */
function takeAuditMeanwhile(): void {
  const ask = fixture.accounts.ask.bind(fixture.accounts)
  fixture.accounts.ask = async (userId, command) => {
    // Of a bulk call only the owner's work: another user's line may not be written yet, and then nothing is done for them.
    if (userId === owner.userId) await takeAudit()
    return ask(userId, command)
  }
}

interface Line {
  readonly by: string
  readonly action: string
  readonly detail: string
}

async function lines(): Promise<Line[]> {
  await giveAudit()
  const reply = await fixture.call('GET', '/api/user/audit', { cookie: owner.cookie })
  return reply.json<Line[]>().filter(({ action }) => !['로그인', '비밀번호 틀림'].includes(action))
}

const marketBuy = () =>
  fixture.call('POST', `/api/${owner.userId}/stock/005930/order/buy`, {
    cookie: admin.cookie,
    payload: { amount: '100' },
  })
const setStop = (stop: string) =>
  fixture.call('POST', '/api/user/stop', { cookie: owner.cookie, payload: { level: 'user', stop } })
const stop = () => setStop('halt')

describe('the outcome cannot be written', () => {
  beforeEach(takeAuditMeanwhile)

  test('the buyer gets a success, and the line states that its outcome is missing', async () => {
    const reply = await marketBuy()
    expect([reply.statusCode, reply.json()]).toEqual([200, { orders: [] }])
    expect(fixture.accounts.commands).toHaveLength(1)
    expect(await lines()).toEqual([expect.objectContaining({ detail: '005930 · 진행 중' })])
    fixture.clock.advance(120_000)
    expect(await lines()).toEqual([
      expect.objectContaining({
        by: admin.email,
        detail: '005930 · 결과가 기록되지 않았습니다. 화면에서 확인해 주세요.',
      }),
    ])
    expect(fixture.log.join('')).toContain('the outcome is missing in the audit')
  })

  test('who was refused reads why', async () => {
    fixture.accounts.answer = new Refused('STOPPED', '이 종목은 멈춰 있습니다.')
    expect(problemIn(await marketBuy())).toBe('STOPPED')
  })

  test('a bulk call goes on to its end', async () => {
    const reply = await fixture.call('POST', '/api/admin/8017/balance/check', { cookie: admin.cookie })
    const { results } = reply.json<{ results: { userId: string; ok: boolean }[] }>()
    expect(results.find(({ userId }) => userId === owner.userId)?.ok).toBe(true)
    expect(reply.statusCode).toBe(200)
  })
})

describe('nothing can be written at all', () => {
  test('nothing is bought', async () => {
    await takeAudit()
    expect(problemIn(await marketBuy())).toBe('INTERNAL')
    expect(fixture.accounts.commands).toEqual([])
    expect(await lines()).toEqual([])
  })

  test('a stop waits for no row', async () => {
    await takeAudit()
    expect((await stop()).statusCode).toBe(200)
    expect(fixture.accounts.commands).toHaveLength(1)
  })

  test('a stop is not let go', async () => {
    await takeAudit()
    expect(problemIn(await setStop('active'))).toBe('INTERNAL')
    expect(fixture.accounts.commands).toEqual([])
  })

  test.each([
    ['of an account', { level: 'user' }],
    ['of a stock', { level: 'stock', code: '005930' }],
    ['of the server', { level: 'server' }],
  ])('a stop %s that lets sells go again waits for its row, a stricter one does not', async (_name, of) => {
    const set = (to: string) =>
      fixture.call('POST', `/api/${owner.userId}/stop`, { cookie: admin.cookie, payload: { ...of, stop: to } })
    await takeAudit()
    for (const to of ['reduce', 'halt', 'halt']) expect((await set(to)).statusCode).toBe(200)
    expect(problemIn(await set('reduce'))).toBe('INTERNAL')
    const stops = await fixture.call('GET', `/api/${owner.userId}/stop`, { cookie: admin.cookie })
    expect(JSON.stringify(stops.json())).toContain('halt')
    await giveAudit()
    expect((await set('reduce')).statusCode).toBe(200)
  })

  test('who logs in or out is in or out', async () => {
    await takeAudit()
    const cookie = await fixture.logIn(owner.email)
    expect((await fixture.call('DELETE', '/api/login', { cookie })).statusCode).toBe(200)
    expect((await fixture.call('GET', '/api/user/user', { cookie })).statusCode).toBe(401)
  })
})

test('an error that nobody foresaw leaves open whether it was done', async () => {
  fixture.accounts.ask = async () => {
    throw new Error('connection lost')
  }
  expect(problemIn(await marketBuy())).toBe('INTERNAL')
  expect((await lines()).map(({ detail }) => detail)).toEqual(['005930 · 1000000원 · 결과 불명: 서버 오류'])
})

test.each([
  ['whose outcome nobody knows yet', new OutcomeUnknown('결과를 확인하고 있습니다.'), '결과 불명: '],
  ['that the broker left without an answer', new OutcomeUnknownError('답이 없습니다.'), '결과 불명: '],
  ['for which the broker could not be asked', new Refused('BROKER_UNREACHABLE', '묻지 못했습니다.'), '거절: '],
])('the line of an order %s says so', async (_name, error, outcome) => {
  fixture.accounts.answer = error
  expect(problemIn(await marketBuy())).toBe('BROKER_UNREACHABLE')
  const [line] = await lines()
  expect(line?.detail.split(' · ').at(-1)).toSatisfy((detail: string) => detail.startsWith(outcome))
})

test('a changed password is confirmed, also where the device cannot be remembered', async () => {
  fixture.services.devices.remember = async () => {
    throw new Error('connection lost')
  }
  const payload = { oldPassword: PASSWORD, newPassword: '새 비밀번호 5678' }
  const reply = await fixture.call('PUT', '/api/user/user', { cookie: owner.cookie, payload })
  expect([reply.statusCode, reply.json()]).toEqual([200, {}])
  expect(fixture.log.join('')).toContain('the device is not remembered')
})

test('an action is one line, and what the handler finds to be no input is none', async () => {
  await marketBuy()
  await stop()
  const payload = { oldPassword: '틀린 비밀번호', newPassword: '새 비밀번호 5678' }
  expect(problemIn(await fixture.call('PUT', '/api/user/user', { cookie: owner.cookie, payload }))).toBe('INVALID')
  expect((await lines()).map(({ detail }) => detail)).toEqual(['user  halt', '005930 · 1000000원'])
})
