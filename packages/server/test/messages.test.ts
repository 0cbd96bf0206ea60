import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import {
  NotOfferedError,
  NotSentError,
  OutcomeUnknownError,
  ProtocolError,
  RefusedError,
  ThrottledError,
  TokenError,
  UnreachableError,
} from '@digger/kis'
import type { LightMyRequestResponse } from 'fastify'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { fakeKis } from '@digger/engine/testing'
import { isSentence, problemIn } from './request.ts'
import { startFixture } from './shared-fixture.ts'
import { PASSWORD, type Person, type ServerFixture, credentialsOf } from './server-fixture.ts'

let fixture: ServerFixture
let owner: Person
let admin: Person

/** The broker as it fails, and what of that a person must read. */
const FAILURES = [
  [new RefusedError('유효하지 않은 AppKey입니다.', 'EGW00103'), '유효하지 않은 AppKey입니다.', 'REJECTED'],
  [new RefusedError('주문이 불가한 계좌입니다', 'APBK0918'), '주문이 불가한 계좌입니다.', 'REJECTED'],
  [new RefusedError('장운영시간이 아닙니다.(주문불가)', 'APBK0918'), '장운영시간이 아닙니다.(주문불가)', 'REJECTED'],
  [new NotOfferedError('모의투자 TR 이 아닙니다.', 'EGW02006'), '모의투자 TR 이 아닙니다.', 'REJECTED'],
  [new TokenError('기간이 만료된 token 입니다.', 'EGW00123'), '기간이 만료된 token 입니다.', 'REJECTED'],
  [new TokenError('유효하지 않은 AppSecret입니다.', 'EGW00105'), '유효하지 않은 AppSecret입니다.', 'REJECTED'],
  [new TokenError('접근 토큰은 42초 뒤에 다시 발급할 수 있습니다.'), '42초 뒤에', 'BROKER_UNREACHABLE'],
  [new ThrottledError('초당 거래건수를 초과하였습니다.', 'EGW00201'), '초당 거래건수를 초과하였습니다.', 'BUSY'],
  [new UnreachableError('GW라우팅 중 오류가 발생했습니다.', 'EGW00202'), 'GW라우팅 중 오류', 'BROKER_UNREACHABLE'],
  [new UnreachableError('증권사의 응답을 받지 못했습니다.'), '응답을 받지 못했습니다.', 'BROKER_UNREACHABLE'],
  [
    new OutcomeUnknownError('거래시간이 초과되었습니다. 직전 거래를 반드시 확인하십시오.', 'EGW00302'),
    '직전 거래를 반드시 확인하십시오.',
    'BROKER_UNREACHABLE',
  ],
  [new NotSentError('요청이 너무 많이 밀려 있습니다.'), '밀려 있습니다.', 'BROKER_UNREACHABLE'],
  [
    new ProtocolError('balance: output2.0.dnca_tot_amt expected string', 'X'),
    '답을 읽지 못했습니다',
    'BROKER_UNREACHABLE',
  ],
] as const

const messageOf = (reply: LightMyRequestResponse): string => reply.json<{ message: string }>().message

describe.each(FAILURES)('%s', (failure, expected, code) => {
  beforeEach(async () => {
    fixture = await startFixture()
    owner = await fixture.addPerson('owner')
    admin = await fixture.addPerson('boss', true)
    fixture.giveStock(owner.userId)
    fixture.clock.advance(10_000)
  })
  afterEach(() => fixture[Symbol.asyncDispose]())

  const refusing = () => fakeKis({ balance: () => Promise.reject(failure), executions: () => Promise.reject(failure) })

  test('is reported at sign-up, when money is looked at, and when orders are imported', async () => {
    fixture.brokerError = failure
    const body = { email: 'new@digger.test', password: PASSWORD, ...credentialsOf('new') }
    const signUp = await fixture.call('POST', '/api/user/user', { payload: body })
    fixture.accounts.kisOf = refusing
    const balance = await fixture.call('GET', '/api/user/kis/balance', { cookie: owner.cookie })
    const imported = await fixture.call('POST', `/api/${owner.userId}/kis/ordered?code=005930`, {
      cookie: admin.cookie,
    })
    for (const reply of [signUp, balance, imported]) {
      expect(problemIn(reply)).toBe(code)
      expect(messageOf(reply)).toContain(expected)
    }
  })

  test('is reported at log-in, which it does not prevent, and in each line of a bulk log-in', async () => {
    fixture.accounts.kisOf = refusing
    const payload = { email: owner.email, password: PASSWORD }
    const reply = await fixture.call('POST', '/api/login', { payload })
    expect(reply.statusCode).toBe(200)
    expect(messageOf(reply)).toMatch(/^로그인했습니다\. /)
    expect(messageOf(reply)).toContain(expected)
    expect(isSentence(messageOf(reply))).toBe(true)
    await fixture.accounts.lock(owner.userId)
    fixture.accounts.unlockError = failure
    const bulk = await fixture.call('POST', '/api/admin/8017/login', { cookie: admin.cookie })
    const { results } = bulk.json<{ results: { userId: string; ok: boolean; message: string }[] }>()
    expect(results.find(({ userId }) => userId === owner.userId)).toMatchObject({
      ok: false,
      message: expect.stringContaining(expected),
    })
  })
})

describe('the program’s own messages', () => {
  const folders = ['packages/server/src', 'packages/core/src', 'packages/contract/src']
  const sources = folders.flatMap((folder) => {
    const root = join(import.meta.dirname, '../../..', folder)
    const names = readdirSync(root, { recursive: true, encoding: 'utf8' })
    return names
      .filter((name) => /(?<!\.test)\.ts$/.test(name) && !/^(config|demo)\b/.test(name))
      .map((name) => join(root, name))
  })
  /** In `Refused('CODE', 'message')`, `refused('CODE', 'message')`, `text: 'message'`, of a check or of a schema. */
  const PATTERNS = [
    /[Rr]efused?\(\s*'[A-Z_]+',\s*(['`])(.+?)\1/gs,
    /\b(?:text|message|note)[:=] (['`])(.+?)\1/g,
    /\.(?:min|max|length|regex|refine|int|number|email)\((?:[^'`()]*, )?(['`])([^'`]*[가-힣][^'`]*)\1/g,
    /\? null : (['`])([^'`]*[가-힣][^'`]*)\1/g,
  ]
  const messages = sources.flatMap((file) => {
    const text = readFileSync(file, 'utf8')
    return PATTERNS.flatMap((pattern) => [...text.matchAll(pattern)].map((found) => found[2] ?? '')).filter((message) =>
      /[가-힣]/.test(message),
    )
  })

  test('were found', () => expect(new Set(messages).size).toBeGreaterThan(90))
  test.each([...new Set(messages)])('%s', (message) => {
    // What is filled in is a price, a name, a count, or somebody's own sentence at the end.
    const filled = message.replaceAll(/\$\{[^}]*(\{[^}]*\})?[^}]*\}/g, '1')
    expect(filled).toMatch(/([.!?)]|: 1)$/)
    expect(isSentence(`${filled}.`)).toBe(true)
  })
})
