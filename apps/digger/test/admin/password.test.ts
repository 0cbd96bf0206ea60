import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeMasterKey, readMasterKey, Vault } from '@digger/identity'
import { cookieOf, PASSWORD, type Person, problemIn, type ServerFixture } from '@digger/server/testing'
import { startFixture } from '@digger/server/testing/vitest'
import type { LightMyRequestResponse } from 'fastify'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { run } from './run.ts'

function keyFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'digger-key-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  makeMasterKey(join(folder, 'master'))
  return join(folder, 'master')
}

const passwordIn = (output: string): string => /: (\S+)\n/.exec(output)?.[1] ?? ''

test('a reset ends sessions and API tokens; the key waits for an administrator and then opens again', async () => {
  await using fixture = await startFixture()
  const admin = await fixture.addPerson('boss', true)
  const owner = await fixture.addPerson('owner')
  const { secret } = (
    await fixture.call('POST', '/api/user/token', {
      cookie: owner.cookie,
      payload: { name: 'script', scope: 'read' },
    })
  ).json<{ secret: string }>()
  const headers = { authorization: `Bearer ${secret}` }
  expect((await fixture.call('GET', '/api/user/user', { headers })).statusCode).toBe(200)
  fixture.vault.close()
  const output = await run(fixture, ['reset-password', owner.email])
  const password = passwordIn(output)
  fixture.clock.advance(20_000)
  expect(problemIn(await fixture.call('GET', '/api/user/user', { cookie: owner.cookie }))).toBe('LOGIN_REQUIRED')
  expect(problemIn(await fixture.call('GET', '/api/user/user', { headers }))).toBe('LOGIN_REQUIRED')
  const login = () => fixture.call('POST', '/api/login', { payload: { email: owner.email, password } })
  expect((await login()).json()).toMatchObject({ message: expect.stringMatching(/관리자/) })
  await fixture.vault.openByAdmin(owner.userId, admin.userId, PASSWORD)
  await login()
  fixture.vault.close()
  expect(await fixture.vault.openByPassword(owner.userId, password)).toBe(true)
})

test('a reset with a master key at hand loses nothing', async () => {
  const MASTER_KEY_FILE = keyFile()
  await using fixture = await startFixture({ master: readMasterKey(MASTER_KEY_FILE) })
  const userId = await fixture.addUser('owner')
  const output = await run(fixture, ['reset-password', 'owner@digger.test'], MASTER_KEY_FILE)
  const { database, clock, passwords } = fixture
  const restarted = new Vault({ db: database.db, clock, passwords, master: null })
  expect(await restarted.openByPassword(userId, passwordIn(output))).toBe(true)
})

const DAY_MS = 86_400_000
let fixture: ServerFixture
let owner: Person
const reset = async (): Promise<string> => passwordIn(await run(fixture, ['reset-password', owner.email]))
const from = (address: string) => ({ 'x-forwarded-for': address })
const logIn = (email: string, password: string, cookie = '', headers: Record<string, string> = {}) =>
  fixture.call('POST', '/api/login', { payload: { email, password }, cookie, headers })
const change = (cookie: string, oldPassword: string, newPassword: string) =>
  fixture.call('PUT', '/api/user/user', { cookie, payload: { oldPassword, newPassword } })
const messageOf = (reply: LightMyRequestResponse) => reply.json<{ message: string }>().message

describe('a password the operator made', () => {
  beforeEach(async () => {
    fixture = await startFixture()
    owner = await fixture.addPerson('owner')
  })
  afterEach(() => fixture[Symbol.asyncDispose]())

  test('opens for a day, announces that, and is replaced by one’s own', async () => {
    const temporary = await reset()
    expect(Buffer.from(temporary, 'base64url')).toHaveLength(16)
    const entered = await logIn(owner.email, temporary)
    expect(entered.json()).toMatchObject({
      temporaryPassword: true,
      message: expect.stringContaining('2026-11-21 10:00'),
    })
    expect((await change(cookieOf(entered), temporary, '새 비밀번호 5678')).statusCode).toBe(200)
    fixture.clock.advance(2 * DAY_MS)
    expect((await logIn(owner.email, '새 비밀번호 5678')).json()).toMatchObject({ temporaryPassword: false })
  })

  test('cannot be made one’s own', async () => {
    const temporary = await reset()
    const same = await change(cookieOf(await logIn(owner.email, temporary)), temporary, temporary)
    expect([problemIn(same), messageOf(same)]).toEqual(['INVALID', expect.stringContaining('임시 비밀번호는 계속')])
    fixture.clock.advance(DAY_MS)
    expect(problemIn(await logIn(owner.email, temporary))).toBe('LOGIN_REQUIRED')
  })

  test('opens nothing after that day, and a new one does', async () => {
    const temporary = await reset()
    fixture.clock.advance(DAY_MS)
    const late = await logIn(owner.email, temporary)
    expect(problemIn(late)).toBe('LOGIN_REQUIRED')
    expect(messageOf(late)).toContain('임시 비밀번호')
    expect(late.cookies).toEqual([])
    expect(messageOf(await logIn(owner.email, '틀린 것'))).not.toContain('임시')
    expect((await logIn(owner.email, await reset())).statusCode).toBe(200)
  })

  test('makes every device a stranger', async () => {
    const temporary = await reset()
    for (let n = 1; n <= 20; n++) await logIn(owner.email, '틀린 것', '', from(`198.51.100.${n}`))
    expect(problemIn(await logIn(owner.email, temporary, owner.cookie))).toBe('BUSY')
  })
})
