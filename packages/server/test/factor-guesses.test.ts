import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { STEP_UP_MS } from '../src/handlers/prove.ts'
import type { Authenticator } from './authenticator.ts'
import { FactorStage, waysIn } from './factor-stage.ts'
import { problemIn } from './request.ts'

let stage: FactorStage

beforeEach(async () => {
  stage = await FactorStage.start()
})
afterEach(() => stage.close())

const stepUp = (proof: object) => stage.post('/api/user/step-up', proof)
const inRow = async (n: number, one: () => ReturnType<typeof stepUp>) => {
  const codes: string[] = []
  for (let i = 0; i < n; i++) codes.push(problemIn(await one()))
  return codes
}
const strangers = { 'x-forwarded-for': '198.51.100.7' }

describe('guesses end after five', () => {
  test('at recovery codes, and the right one does not open either then', async () => {
    const { codes } = await stage.addApp()
    const guess = () => stage.logIn({ code: 'aaaa-aaaa-aaaa' }, { headers: strangers })
    expect(await inRow(7, guess)).toEqual([...Array(5).fill('SECOND_FACTOR'), ...Array(2).fill('BUSY')])
    expect(problemIn(await stage.logIn({ code: codes[0] ?? '' }, { headers: strangers }))).toBe('BUSY')
  })

  test.each([{ totp: '000000' }, { code: 'aaaa-aaaa-aaaa' }])(
    'where somebody who is in proves it again by %o',
    async (proof) => {
      await stage.addApp()
      expect(await inRow(7, () => stepUp(proof))).toEqual([...Array(5).fill('INVALID'), ...Array(2).fill('BUSY')])
    },
  )

  test('at the first code of a new app', async () => {
    await stage.post('/api/user/factor/totp/secret', {})
    const guess = () => stage.post('/api/user/factor/totp', { totp: '000000' })
    expect(await inRow(7, guess)).toEqual([...Array(5).fill('INVALID'), ...Array(2).fill('BUSY')])
  })
})

const Ways = z.object({ passkey: z.looseObject({ challenge: z.string() }) })

const asked = async () =>
  Ways.parse((await stage.fixture.call('GET', '/api/user/step-up', { cookie: stage.owner.cookie })).json()).passkey

describe('a passkey that proves who somebody is', () => {
  let passkey: Authenticator
  beforeEach(async () => {
    passkey = await stage.addPasskey()
    stage.fixture.clock.advance(STEP_UP_MS)
  })
  test('answers once, in a session and at the second step of a log-in', async () => {
    const answer = { passkey: passkey.use(await asked()) }
    expect((await stepUp(answer)).statusCode).toBe(200)
    expect(problemIn(await stepUp(answer))).toBe('INVALID')
    const proof = { passkey: passkey.use(waysIn(await stage.logIn()).passkey ?? { challenge: '' }) }
    expect((await stage.logIn(proof)).statusCode).toBe(200)
    expect(problemIn(await stage.logIn(proof))).toBe('SECOND_FACTOR')
  })

  test.each([
    ['of another site', { origin: 'https://evil.example' }],
    ['of another domain', { rpId: 'evil.example' }],
    ['of a device that asked nobody', { verified: false }],
  ])('and answers %s: refused', async (_what, lie) => {
    expect(problemIn(await stepUp({ passkey: passkey.use(await asked(), lie) }))).toBe('INVALID')
  })

  test('as a copy is noticed, told and written down there, too', async () => {
    for (let n = 0; n < 3; n++) expect((await stepUp({ passkey: passkey.use(await asked()) })).statusCode).toBe(200)
    expect(problemIn(await stepUp({ passkey: passkey.use(await asked(), { counter: 1 }) }))).toBe('INVALID')
    expect(await stage.lastNotification()).toContain('복제된')
    expect((await stage.audit(stage.owner.cookie))[0]).toMatchObject({ action: '두 번째 인증 실패' })
  })

  test('and a question of before the clock was set back: refused, until it is asked anew', async () => {
    const early = await asked()
    stage.fixture.clock.advance(-STEP_UP_MS)
    expect(problemIn(await stepUp({ passkey: passkey.use(early) }))).toBe('INVALID')
    expect((await stepUp({ passkey: passkey.use(await asked()) })).statusCode).toBe(200)
  })
})
