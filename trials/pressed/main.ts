/**
 * `npm run prove -- pressed [--minutes 17]`: the demo as `npm start` makes it, while checks, corrections, imports, bulk actions and pages
 * are asked for all the time. Fails when an order that is due does not go out within thirty seconds, or the server says
 * that it is not well.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type DemoPerson, PEOPLE } from '@digger/app'
import { UserClient, type Health } from '../client/user-client.ts'
import { Child } from '../crash/child.ts'

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '17' } } })
const MAX_DUE_MS = 30_000
/** Between two presses of one person, ms. */
const PRESS_INTERVAL_MS = 700
const REQUEST_TIMEOUT_MS = 60_000
const START_TIMEOUT_MS = 600_000

const print = (line: string): void => void process.stdout.write(`${line}\n`)
const folder = mkdtempSync(join(tmpdir(), 'digger-pressed-'))
const MAIN = fileURLToPath(import.meta.resolve('@digger/app/main'))
const env = {
  DATA_DIR: join(folder, 'data'),
  PORT: '0',
  SIM_PORT: '0',
  KIS_ENV: 'sim',
  DATABASE_URL: '',
  LOG_LEVEL: 'warn',
}
const server = new Child(MAIN, [], env, join(folder, 'server.log'))
const address = await Promise.race([
  server.printed(/http:\/\/127\.0\.0\.1:\d+/),
  delay(START_TIMEOUT_MS, null, { ref: false }),
])
if (address === null) throw new Error(`the demo did not start: ${folder}/server.log`)
const base = address[0]

/** How often each kind of press was answered with which status. */
const answers = new Map<string, Map<number, number>>()

async function press(client: UserClient, [what, method, path]: readonly [string, string, string]): Promise<void> {
  const status = await client.request(method, path).then(
    (reply) => reply.status,
    () => 0,
  )
  const counts = answers.get(what) ?? new Map<number, number>()
  answers.set(what, counts.set(status, (counts.get(status) ?? 0) + 1))
  await delay(PRESS_INTERVAL_MS)
}

function newClient(): UserClient {
  const client = new UserClient(REQUEST_TIMEOUT_MS)
  client.connectTo(base)
  return client
}

const ADMIN = '/api/admin/8017'
const bulk = [
  ['bulk check', 'POST', `${ADMIN}/balance/check`],
  ['bulk fix', 'POST', `${ADMIN}/balance/fix`],
  ['bulk cancel', 'POST', `${ADMIN}/order/cancel`],
  ['users', 'GET', `${ADMIN}/user`],
] as const
/** The administrator's buttons for one account; whose pages are read beside them. */
const buttonsOf = (userId: string, codes: readonly string[], n: number) => {
  const code = codes[n % codes.length] ?? ''
  return [
    ['check', 'POST', `/api/${userId}/stock/${code}/check-balance`],
    ['fix', 'POST', `/api/${userId}/stock/${code}/fix-balance`],
    ['apply', 'POST', `/api/${userId}/stock/${code}/order/apply`],
    ['import', 'POST', `/api/${userId}/kis/ordered?code=${code}&fromLastOrder=true`],
    ['balance', 'GET', `/api/${userId}/kis/balance`],
    ['stocks', 'GET', `/api/${userId}/stock?showOnlyWatch=false`],
    ['orders', 'GET', `/api/${userId}/kis/order`],
  ] as const
}

const people = PEOPLE.filter((person) => person.stocks.length > 0)
const admin = PEOPLE.find((person) => person.admin)
if (admin === undefined) throw new Error('the demo has no administrator')
const end = Date.now() + Number(values.minutes) * 60_000
async function keepPressing(person: DemoPerson, by: DemoPerson): Promise<void> {
  // Their own log-in opens their key; the buttons are the administrator's.
  const { userId } = await newClient().logIn(person.email, person.password)
  const client = newClient()
  await client.logIn(by.email, by.password)
  const codes = person.stocks.map(({ code }) => code)
  for (let n = 0; Date.now() < end; n += 1) {
    for (const one of buttonsOf(userId, codes, n)) if (Date.now() < end) await press(client, one)
    const action = bulk[n % bulk.length]
    if (person.admin && action !== undefined) await press(client, action)
  }
}

let worst = 0
let peak = 0
const seen: { last: Health | null } = { last: null }
const troubles = new Map<string, number>()
async function watch(): Promise<void> {
  const client = newClient()
  for (; Date.now() < end; await delay(500)) {
    const health = await client.health()
    if (health === null) {
      troubles.set('no answer', (troubles.get('no answer') ?? 0) + 1)
      continue
    }
    seen.last = health
    worst = Math.max(worst, health.dueAge)
    peak = Math.max(peak, health.brokerQueuePeak)
    for (const { code } of health.troubles) troubles.set(code, (troubles.get(code) ?? 0) + 1)
  }
}

print(`${people.length} people press for ${values.minutes} minutes on ${base}`)
await Promise.all([watch(), ...people.map((person) => keepPressing(person, admin))])
const { last } = seen
for (const [what, counts] of answers) {
  print(`${what.padEnd(12)} ${[...counts].map(([status, count]) => `${count} × ${status}`).join(', ')}`)
}
print(`longest a due order was held up: ${(worst / 1_000).toFixed(1)} s; queue of one account at most ${peak}`)
print(`cash queries ${last?.cashQuestions ?? 0}, lists read ${last?.listsRead ?? 0}`)
print(
  `troubles shown every half second: ${[...troubles].map(([code, count]) => `${code} ${count}`).join(', ') || 'none'}`,
)
const pressed = [...answers.values()].flatMap((counts) => [...counts.values()]).reduce((sum, count) => sum + count, 0)
const problems = [
  ...(pressed === 0 ? ['nobody pressed: this proves nothing'] : []),
  ...(worst > MAX_DUE_MS ? [`an order that was due was held up for ${(worst / 1_000).toFixed(1)} s`] : []),
  ...(last === null || last.cashQuestions === 0 ? ['nothing was due: this proves nothing'] : []),
  ...(last !== null && last.armed < people.length
    ? [`${last.armed} of ${people.length} accounts are armed at the end`]
    : []),
]
for (const problem of problems) print(`PROBLEM ${problem}`)
await server.end('SIGTERM')
if (problems.length === 0) rmSync(folder, { recursive: true, force: true })
print(
  problems.length === 0
    ? `${pressed} presses in ${values.minutes} minutes: what was due went out, and every account is armed`
    : `${problems.length} problems; data and log in ${folder}`,
)
process.exitCode = problems.length === 0 ? 0 : 1
