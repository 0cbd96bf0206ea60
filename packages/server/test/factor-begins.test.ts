import { readConfig } from '@digger/config'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { makeToken } from './api-token.ts'
import { FactorStage, ORIGIN } from './factor-stage.ts'
import { problemIn } from './request.ts'
import { cookieOf } from './server-fixture.ts'

let stage: FactorStage
afterEach(() => stage.close())

const known = async () => (await stage.query<{ n: number }>('select count(*)::int n from known_device'))[0]?.n
const isIn = async (cookie: string) =>
  (await stage.fixture.call('GET', '/api/user/user', { cookie })).statusCode === 200
const remove = (path: string) =>
  stage.fixture.call('DELETE', `/api/user/factor/${path}`, { cookie: stage.owner.cookie })

describe('the first factor', () => {
  beforeEach(async () => {
    stage = await FactorStage.start()
  })

  test.each(['app', 'passkey'])(
    'puts out who showed a password alone elsewhere, and forgets their devices: %s',
    async (kind) => {
      const thief = cookieOf(await stage.logIn())
      expect(await isIn(thief)).toBe(true)
      await (kind === 'app' ? stage.addApp() : stage.addPasskey())
      expect([await isIn(thief), await isIn(stage.owner.cookie)]).toEqual([false, true])
      expect(await known()).toBeLessThanOrEqual(1)
    },
  )

  test('a second one leaves who is in by the first', async () => {
    const { code } = await stage.addApp()
    const laptop = cookieOf(await stage.logIn({ totp: code() }))
    await stage.addPasskey()
    expect(await isIn(laptop)).toBe(true)
  })

  test('taken away by an administrator, everything that was made meanwhile ends, too', async () => {
    await stage.addApp()
    const secret = await makeToken(stage.fixture, stage.owner)
    const { cookie } = await stage.fixture.addPerson('admin', true)
    const reset = await stage.fixture.call('DELETE', `/api/admin/8017/user/${stage.owner.userId}/factor`, { cookie })
    expect(reset.statusCode).toBe(200)
    const asked = await stage.fixture.call('GET', '/api/user/venues', {
      headers: { authorization: `Bearer ${secret}` },
    })
    expect(problemIn(asked)).toBe('LOGIN_REQUIRED')
    const devices = await stage.query(`select 1 from known_device where user_id = '${stage.owner.userId}'`)
    expect([await isIn(stage.owner.cookie), devices]).toEqual([false, []])
  })
})

describe('whoever has the password and waits before the second step', () => {
  beforeEach(async () => {
    stage = await FactorStage.start()
  })

  test('is written down and told once an hour, from a device that nobody knows', async () => {
    const { code } = await stage.addApp()
    for (let n = 0; n < 3; n++) await stage.logIn()
    const entered = await stage.logIn({ totp: code() })
    const lines = async () =>
      (await stage.audit(cookieOf(entered))).filter(({ action }) => action === '두 번째 인증을 기다림')
    expect(await lines()).toMatchObject([{ detail: expect.stringContaining('비밀번호는 맞음') }])
    const sent = await stage.query<{ text: string }>(`select text from notification where text like '%기다립니다%'`)
    expect(sent).toHaveLength(1)
    stage.fixture.clock.advance(3_600_000)
    await stage.logIn()
    expect(await lines()).toHaveLength(2)
  })

  test('is not, from a device that is known', async () => {
    const { code } = await stage.addApp()
    const entered = await stage.logIn({ totp: code() })
    await stage.logIn(undefined, { cookie: cookieOf(entered) })
    expect((await stage.audit(cookieOf(entered))).map(({ action }) => action)).not.toContain('두 번째 인증을 기다림')
  })
})

describe('a server that wants one of everybody', () => {
  beforeEach(async () => {
    const config = readConfig({ SECOND_FACTOR: 'required', PUBLIC_URL: ORIGIN })
    stage = await FactorStage.start({ parts: { config } })
  })

  test('lets nobody go on without the last one', async () => {
    await stage.addApp()
    expect(problemIn(await remove('totp'))).toBe('CONFLICT')
    await stage.addPasskey()
    expect((await remove('totp')).statusCode).toBe(200)
    const { passkeys } = (await stage.fixture.call('GET', '/api/user/factor', { cookie: stage.owner.cookie })).json<{
      passkeys: { id: string }[]
    }>()
    expect(problemIn(await remove(`passkey/${passkeys[0]?.id}`))).toBe('CONFLICT')
  })

  test('lets an administrator by password alone touch no other account', async () => {
    const { cookie } = await stage.fixture.addPerson('admin', true)
    const of = stage.owner.userId
    const stop = await stage.fixture.call('POST', `/api/${of}/stop/all`, { cookie, payload: { own: false } })
    expect(problemIn(stop)).toBe('NO_SECOND_FACTOR')
    for (const path of ['session', 'factor', 'user'])
      expect(problemIn(await stage.fixture.call('GET', `/api/${of}/${path}`, { cookie }))).toBe('NO_SECOND_FACTOR')
  })
})
