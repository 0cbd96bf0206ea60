import { parseArgs } from 'node:util'
import type { CallName } from '@digger/contract'
import { calls, isFile } from '@digger/contract'
import { type Request, goodRequest, injection, names, problemIn } from './request.ts'
import { type Person, ServerFixture } from './server-fixture.ts'

/**
 * Thousands of half-right requests to every call: no answer but the contract's, never a 500, a hang, growing memory, or
 * somebody else's data. `npm run prove -- fuzz [--seed 1] [--count 100000]`
 */
const { values } = parseArgs({
  options: { seed: { type: 'string', default: '1' }, count: { type: 'string', default: '100000' } },
})
const [seed, count] = [Number(values.seed), Number(values.count)]
/** So many calls at least must have had an answer of 200, or the requests were all turned away at the door. */
const MIN_CALLS_DONE = 60
const MIN_COUNT = 1_000
if (!(seed >= 0 && count >= MIN_COUNT)) throw new Error(`--seed N, and --count of ${MIN_COUNT} at least`)

/** A small seeded generator (mulberry32): the same seed asks the same questions. */
let state = seed
function random(): number {
  state = (state + 0x6d2b79f5) | 0
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
}
const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] ?? fail('nothing to pick from')

function fail(message: string): never {
  throw new Error(message)
}

const ODD: readonly unknown[] = [
  '',
  ' ',
  '0',
  '-0',
  '1',
  '-1',
  '007',
  '1e5',
  '1,000',
  '1,00',
  '0x10',
  'NaN',
  'true',
  'user',
  'admin',
  '005930',
  '000660',
  '999999',
  'Q500001',
  '20261120',
  '20260231',
  '99999999',
  '가나다',
  '😀',
  '\u0000',
  '%00',
  '../..',
  "' or 1=1 --",
  'a'.repeat(3_000),
  0,
  -1,
  1.5,
  2 ** 53,
  -(2 ** 53),
  1e308,
  true,
  false,
  [],
  {},
  [[]],
  { a: 1 },
  ['x'],

  'halt',
  'active',
  'BUY',
  'SELL',
  'day',
  'minute',
  '2026-11-20T10:00:00+09:00',
  'fuzz@digger.test',
  '9007199254740993',
]

const odd = (): unknown => (random() < 0.1 ? pick([[null], [undefined]])[0] : pick(ODD))

function bend(request: Request): void {
  for (let times = Math.floor(random() * 3); times > 0; times--) {
    const part = pick(['params', 'query', 'body'] as const)
    if (part === 'body' && random() < 0.2) request.body = odd()
    else {
      const input: Record<string, unknown> = Object.assign({}, request[part])
      const field =
        random() < 0.8 ? pick([...Object.keys(input), 'userId', 'code', 'x']) : (JSON.stringify(odd()) ?? 'x')
      if (random() < 0.15) delete input[field]
      else input[field] = part === 'body' ? odd() : (JSON.stringify(odd())?.replaceAll('"', '') ?? '')
      if (part === 'params') request.params = { ...request.params, ...input }
      else request[part] = input
    }
  }
}

const REPLY_TIMEOUT_MS = 10_000
/** Null when it takes too long. The timer ends with the answer, or thousands of them would hold what they wait for. */
async function inTime<T>(answer: Promise<T>): Promise<T | null> {
  const late = Promise.withResolvers<null>()
  const timer = setTimeout(() => late.resolve(null), REPLY_TIMEOUT_MS)
  return Promise.race([answer, late.promise]).finally(() => clearTimeout(timer))
}

/** The calls that were done at least once. */
const done = new Set<CallName>()

const isAdmin = (person: Person): boolean => person.email.startsWith('boss')

/** What is really held, MB; needs --expose-gc. */
function heldMb(): number {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed / 2 ** 20
}
/** Growth between the first tenth and the end that would be a leak, MB. */
const FLAT_MB = 24

async function ask(fixture: ServerFixture, people: readonly Person[], name: CallName): Promise<string | null> {
  const person = pick(people)
  const request = goodRequest(name, pick(['user', pick(people).userId, 'zzzzzzzzzzzzzzzz']))
  bend(request)
  // A new password that works would lock the test out.
  if (name === 'changePassword' && calls[name].body.safeParse(request.body).success) return null
  const injected = injection(name, request, random() < 0.9 ? person.cookie : '')
  if (random() < 0.03) injected.payload = pick(['{', '"', '[1,', 'null', '\u0000', '{"a":1}x'])
  const remoteAddress = `10.0.${Math.floor(random() * 200)}.1`
  const reply = await inTime(fixture.app.inject({ ...injected, remoteAddress }))
  if (reply === null) return `${name} did not answer in ${REPLY_TIMEOUT_MS} ms`
  if (reply.statusCode === 200) {
    done.add(name)
    // Everyone but the administrator may only ever be shown what is theirs.
    // (A log-in answers to whom the password belongs; an audit names the administrator who acted.)
    const others = people.filter((one) => one !== person && !isAdmin(person) && !isAdmin(one))
    if (
      name !== 'login' &&
      others.some(({ userId, email }) => reply.body.includes(userId) || reply.body.includes(email))
    ) {
      return `${name} showed ${person.email} what is somebody else's: ${reply.body}`
    }
    if (isFile(name)) return reply.rawPayload.length > 0 ? null : `${name} gave an empty file`
    const problems = calls[name].reply.safeParse(reply.json()).error?.issues
    return problems ? `reply does not fit: ${JSON.stringify(problems)}` : null
  }
  const code = problemIn(reply)
  return /^\d/.test(code) || code === 'INTERNAL' ? `${JSON.stringify({ ...injected, headers: '' })} → ${code}` : null
}

/** Sessions, stocks and keys go on the way; put back now and then so that questions reach the handlers. */
async function mend(fixture: ServerFixture, people: Person[]): Promise<void> {
  for (const [at, person] of people.entries()) {
    fixture.clock.advance(3_600_000)
    fixture.accounts.happen(person.userId, { at: fixture.clock.now(), kind: 'userStopped', stop: 'active' })
    if (!fixture.accounts.book(person.userId).stocks.has('005930')) fixture.giveStock(person.userId)
    const known = await fixture.call('GET', '/api/user/user', { cookie: person.cookie })
    if (known.statusCode !== 200) people[at] = { ...person, cookie: await fixture.logIn(person.email) }
  }
}

const stateless = names.filter((name) => name !== 'events')
await using fixture = await ServerFixture.start()
const people = [
  await fixture.addPerson('owner'),
  await fixture.addPerson('mate'),
  await fixture.addPerson('boss', true),
]
const failures: string[] = []
const started = performance.now()
const isError = (line: string): boolean => line.includes('"level":50')
const warm = Math.floor(count / 10)
let held = heldMb()
for (let number = 0; number < count && failures.length < 20; number++) {
  if (number % 200 === 0) await mend(fixture, people)
  if (number === warm) held = heldMb()
  // The test's own memory of the log is not the server's.
  if (fixture.log.length > 1_000) fixture.log.splice(0, fixture.log.length, ...fixture.log.filter(isError))
  const failure = await ask(fixture, people, pick(stateless))
  if (failure) failures.push(`#${number} ${failure}`)
}
const seconds = (performance.now() - started) / 1000
const grown = heldMb() - held
process.stdout.write(
  `memory held: ${held.toFixed(1)} MB after ${warm} requests, ${grown.toFixed(1)} MB more at the end\n`,
)
if (grown > FLAT_MB) failures.push(`memory grew by ${grown.toFixed(1)} MB`)
if (done.size < MIN_CALLS_DONE) failures.push(`only ${done.size} calls were ever done: this proves nothing`)
for (const failure of failures) process.stdout.write(`${failure.slice(0, 300)} … ${failure.slice(-300)}\n`)
for (const line of fixture.log) if (isError(line)) process.stdout.write(line)
process.stdout.write(
  `seed ${seed}: ${count} requests in ${seconds.toFixed(1)} s, ${done.size} of ${stateless.length} calls done, ${failures.length} failures\n`,
)
if (failures.length > 0) process.exitCode = 1
