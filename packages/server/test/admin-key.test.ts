import { UnreachableError } from '@digger/kis'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fakeKis } from '@digger/engine/testing'
import { startFixture } from './shared-fixture.ts'
import { PASSWORD, type Person, type ServerFixture } from './server-fixture.ts'

let fixture: ServerFixture
let admin: Person
let userId: string

beforeEach(async () => {
  fixture = await startFixture()
  admin = await fixture.addPerson('boss', true)
  userId = await fixture.addUser('owner')
  fixture.vault.close()
})
afterEach(() => fixture[Symbol.asyncDispose]())

async function openKey() {
  const reply = await fixture.call('POST', `/api/admin/8017/user/${userId}/userKey`, {
    cookie: admin.cookie,
    payload: { email: admin.email, password: PASSWORD },
  })
  const audit = await fixture.call('GET', `/api/${userId}/audit`, { cookie: admin.cookie })
  const [line] = audit.json<{ action: string; detail: string }[]>()
  return { status: reply.statusCode, reply: reply.json(), line }
}

const action = '관리자 비밀번호로 사용자 키 열기'

test('an administrator who opens a key hears that the broker took it', async () => {
  expect(await openKey()).toEqual({
    status: 200,
    reply: { connected: true, message: '사용자 키를 열고 증권사에 연결했습니다.' },
    line: expect.objectContaining({ action, detail: '' }),
  })
})

test.each([
  ['the account does not get its broker', () => (fixture.accounts.unlockError = new UnreachableError('ECONNREFUSED'))],
  ['the broker does not answer', () => (fixture.accounts.kisOf = unreachable)],
])('while %s the key is open all the same, and reply and audit say what is not done', async (_name, breakBroker) => {
  breakBroker()
  const message = expect.stringMatching(/^사용자 키는 열었지만 .* 증권사에 연결하지 못했습니다/)
  expect(await openKey()).toEqual({
    status: 200,
    reply: { connected: false, message },
    line: expect.objectContaining({ action, detail: message }),
  })
  expect(fixture.vault.has(userId)).toBe(true)
})

test('what nobody foresaw is logged, and not said to have kept the key closed', async () => {
  fixture.accounts.unlockError = new TypeError('of the inside')
  expect(await openKey()).toMatchObject({ status: 200, reply: { connected: false } })
  expect(fixture.log.join('')).toContain('of the inside')
})

const unreachable = () => fakeKis({ balance: () => Promise.reject(new UnreachableError('ECONNREFUSED')) })
