import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { createUser, Passwords, Vault } from '@digger/identity'
import { problemIn } from './request.ts'
import { startFixture } from './shared-fixture.ts'
import { PASSWORD, ServerFixture, cookieOf, credentialsOf } from './server-fixture.ts'

/** For a machine where a log-in alone takes its usual third of a second; a busy one is given as much more. */
const SOON_MS = 3_000
const ALONE_MS = 330
const STRANGERS = 400
const EMAIL = 'owner@digger.test'
let fixture: ServerFixture
let known: string
let alone: number
const compared: string[] = []

/** With the real cost of a guess: with a cheap one there is no queue. */
beforeAll(async () => {
  const passwords = new Passwords()
  const compare = passwords.compare.bind(passwords)
  vi.spyOn(passwords, 'compare').mockImplementation((password, hash) => {
    compared.push(password)
    return compare(password, hash)
  })
  const { database } = (fixture = await startFixture())
  const { db } = database
  const vault = new Vault({ db, clock: fixture.clock, passwords, master: null })
  await fixture.app.close()
  fixture = new ServerFixture(database, { parts: { passwords, vault } })
  const user = { email: EMAIL, password: PASSWORD, credentials: credentialsOf('owner') }
  await fixture.accounts.open(await createUser({ db, vault, passwords, clock: fixture.clock }, user))
  known = cookieOf(await logIn(EMAIL, PASSWORD, '192.0.2.1'))
}, 60_000)
beforeEach(async () => {
  fixture.clock.advance(86_400_000)
  alone = await aLogInAlone()
})
afterAll(() => fixture[Symbol.asyncDispose]())

const logIn = (email: string, password: string, address: string, cookie = '') =>
  fixture.call('POST', '/api/login', { payload: { email, password }, cookie, headers: { 'x-forwarded-for': address } })
const v4 = (net: number, i: number) => `198.${net}.${Math.floor(i / 250)}.${(i % 250) + 1}`

async function aLogInAlone(): Promise<number> {
  const start = performance.now()
  known = cookieOf(await logIn(EMAIL, PASSWORD, '192.0.2.1', known))
  return performance.now() - start
}

/** Guesses without pause while `meanwhile` goes on; returns what it took. */
async function under(guess: (i: number) => ReturnType<typeof logIn>, meanwhile: () => Promise<unknown>) {
  const codes: string[] = []
  const guesses = Array.from({ length: STRANGERS }, async (_, i) => codes.push(problemIn(await guess(i))))
  await Promise.race(guesses)
  const [start, before] = [performance.now(), compared.length]
  await meanwhile()
  const ms = performance.now() - start
  const guessesBefore = compared.indexOf(PASSWORD, before) - before
  await Promise.all(guesses)
  // Other work on the machine comes and goes: the slower of two log-ins alone says how busy it was.
  const soon = SOON_MS * Math.max(1, Math.max(alone, await aLogInAlone()) / ALONE_MS)
  return { ms, soon, guessesBefore, codes }
}

describe(`behind ${STRANGERS} guesses at once`, () => {
  test.each([
    ['at other e-mails from as many addresses', (i: number) => logIn(`n${i}@digger.test`, '추측', v4(51, i))],
    ['at this e-mail from as many addresses', (i: number) => logIn(EMAIL, '추측', v4(52, i))],
    ['from the very same address', (i: number) => logIn(`m${i}@digger.test`, '추측', '192.0.2.1')],
    ['with invented device cookies', (i: number) => logIn(EMAIL, '추측', v4(53, i), `digger_device=${'x'.repeat(43)}`)],
  ])('%s: a known device is in within three seconds, the rest is refused at once', async (_name, guess) => {
    const { ms, soon, guessesBefore, codes } = await under(guess, async () => {
      const reply = await logIn(EMAIL, PASSWORD, '192.0.2.1', known)
      expect(reply.statusCode).toBe(200)
      known = cookieOf(reply)
    })
    expect(guessesBefore).toBeLessThanOrEqual(4)
    expect(ms).toBeLessThan(soon)
    expect(codes.filter((code) => code === 'BUSY').length).toBeGreaterThan(STRANGERS - 60)
  })

  test('from one address: somebody at another, never seen before, is in within three seconds', async () => {
    const { ms, soon, guessesBefore } = await under(
      (i) => logIn(`k${i}@digger.test`, '추측', '203.0.113.5'),
      async () => expect((await logIn(EMAIL, PASSWORD, '192.0.2.77')).statusCode).toBe(200),
    )
    expect(guessesBefore).toBeLessThanOrEqual(6)
    expect(ms).toBeLessThan(soon)
  })
})
