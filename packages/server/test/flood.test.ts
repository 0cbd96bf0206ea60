import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { problemIn } from './request.ts'
import { startFixture } from './shared-fixture.ts'
import { PASSWORD, type ServerFixture, cookieOf } from './server-fixture.ts'

// How soon somebody is in behind a flood, counted in hashes, which end by hand; how long one takes is tried in `flood.prove.ts`.
const STRANGERS = 400
const EMAIL = 'owner@digger.test'
const SOON = { timeout: 20_000, interval: 5 }

let fixture: ServerFixture
let known: string
/** Passwords in the order in which their hashes were begun, and how to end those under way. */
let begun: string[]
let ends: (() => void)[]
let isHeld: boolean

beforeEach(async () => {
  fixture = await startFixture()
  await fixture.addUser('owner')
  known = cookieOf(await logIn(EMAIL, PASSWORD, '192.0.2.1'))
  begun = []
  ends = []
  isHeld = true
  const compare = fixture.passwords.compare.bind(fixture.passwords)
  vi.spyOn(fixture.passwords, 'compare').mockImplementation(async (password, hash) => {
    begun.push(password)
    if (isHeld) await new Promise<void>((end) => ends.push(end))
    return compare(password, hash)
  })
})
afterEach(() => fixture[Symbol.asyncDispose]())

const logIn = (email: string, password: string, address: string, cookie = '') =>
  fixture.call('POST', '/api/login', { payload: { email, password }, cookie, headers: { 'x-forwarded-for': address } })
const v4 = (net: number, i: number) => `198.${net}.${Math.floor(i / 250)}.${(i % 250) + 1}`

/** Guesses at once, then the person; returns how many guesses were looked at in between, and how all of them ended. */
async function under(guess: (i: number) => ReturnType<typeof logIn>, person: () => ReturnType<typeof logIn>) {
  const inTurn = vi.spyOn(fixture.passwords.queue, 'run')
  const codes: string[] = []
  const guesses = Array.from({ length: STRANGERS }, async (_, i) => codes.push(problemIn(await guess(i))))
  // No hash ends meanwhile: who is refused is refused at once.
  await vi.waitFor(() => expect(codes.length).toBeGreaterThan(STRANGERS - 60), SOON)
  expect(new Set(codes)).toEqual(new Set(['BUSY']))
  const before = inTurn.mock.calls.length
  const entered = person()
  await vi.waitFor(() => expect(inTurn.mock.calls.length).toBeGreaterThan(before), SOON)
  const first = begun.length
  while (!begun.includes(PASSWORD, first)) {
    const count = begun.length
    ends.shift()?.()
    await vi.waitFor(() => expect(begun.length).toBeGreaterThan(count), SOON)
  }
  isHeld = false
  for (const end of ends) end()
  expect((await entered).statusCode).toBe(200)
  await Promise.all(guesses)
  return { guessesBefore: begun.indexOf(PASSWORD, first) - first, codes }
}

describe(`behind ${STRANGERS} guesses at once`, () => {
  test.each([
    ['at other e-mails from as many addresses', (i: number) => logIn(`n${i}@digger.test`, '추측', v4(51, i))],
    ['at this e-mail from as many addresses', (i: number) => logIn(EMAIL, '추측', v4(52, i))],
    ['from the very same address', (i: number) => logIn(`m${i}@digger.test`, '추측', '192.0.2.1')],
    ['with invented device cookies', (i: number) => logIn(EMAIL, '추측', v4(53, i), `digger_device=${'x'.repeat(43)}`)],
  ])('%s: a known device is next, the rest is refused at once', async (_name, guess) => {
    const { guessesBefore, codes } = await under(guess, () => logIn(EMAIL, PASSWORD, '192.0.2.1', known))
    expect(guessesBefore).toBeLessThanOrEqual(2)
    expect(codes.filter((code) => code === 'BUSY').length).toBeGreaterThan(STRANGERS - 60)
  })

  test('from one address: somebody at another, never seen before, waits for few of them', async () => {
    const { guessesBefore } = await under(
      (i) => logIn(`k${i}@digger.test`, '추측', '203.0.113.5'),
      () => logIn(EMAIL, PASSWORD, '192.0.2.77'),
    )
    expect(guessesBefore).toBeLessThanOrEqual(4)
  })
})
