import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Machine } from './machine.ts'
import { commandsOf, filledIn } from './page.ts'
import { EMAIL, Person, STOCK } from './person.ts'
import type { Record } from './record.ts'

const NAME = 'digger.example.com'
const REPOSITORY = '/trial/repository.git'
const WAIT_MS = 300_000
const LOOK_MS = 1_000
/** The broker gives a key one token a minute, and a clock that the first answer set by days asks for another one. */
const TOKEN_MS = 65_000
/** The pretend broker's door, as its own service of the machine. */
const BROKER = 'http://127.0.0.1:18443'

export interface Trial {
  readonly machine: Machine
  readonly record: Record
  readonly page: string
  readonly person: Person
  /** By how many ms the pretend exchange is ahead of the machine. */
  readonly ahead: number
}

export const trialOf = (machine: Machine, record: Record, root: string, ahead: number): Trial => ({
  machine,
  record,
  page: readFileSync(join(root, 'docs/install.md'), 'utf8'),
  person: new Person(machine, NAME),
  ahead,
})

/** The commands of one block of the page, as a reader types them. `instead` says what a person would have answered. */
export async function follow(
  { machine, record, page }: Trial,
  block: string,
  instead = (line: string) => line,
): Promise<void> {
  for (const line of commandsOf(page, block)) {
    const command = instead(filledIn(line, { '이 저장소': REPOSITORY, 이름: NAME }))
    await record.step(`# ${command}`, async () => (await machine.command(command)).split(/[\r\n]/).at(-1) ?? '')
  }
}

/** Waits until `look` says something; throws with its last error. */
export async function until<T>(what: string, look: () => Promise<T | null>, everyMs = LOOK_MS): Promise<T> {
  const end = performance.now() + WAIT_MS
  let last: unknown = null
  while (performance.now() < end) {
    try {
      const seen = await look()
      if (seen !== null) return seen
    } catch (error) {
      last = error
    }
    await new Promise((resolve) => setTimeout(resolve, everyMs))
  }
  throw new Error(`not seen in five minutes: ${what}`, { cause: last })
}

/** What is of the trial alone: the pretend KIS, whose whole clock is ahead so that its exchange is open on any day, the machine's name, and that no certificate can be had from outside. */
export function placeBroker({ machine, ahead }: Trial): void {
  const unit = `[Unit]
Description=Pretend KIS of the trial
[Service]
User=digger
StateDirectory=pretend-kis
WorkingDirectory=/trial/project
Environment=LD_PRELOAD=/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1 FAKETIME=+${Math.round(ahead / 1_000)} FAKETIME_DONT_FAKE_MONOTONIC=1
ExecStart=/trial/project/node_modules/.bin/node trials/install/pretend-kis.ts /var/lib/pretend-kis
Restart=always
[Install]
WantedBy=multi-user.target
`
  writeFileSync(join(machine.root, 'etc/systemd/system/pretend-kis.service'), unit)
}

export function writeAnswers({ machine }: Trial): void {
  const answers = {
    KIS_ENV: 'paper',
    PUBLIC_URL: `https://${NAME}`,
    DATABASE_URL: 'postgres:///digger?host=/run/postgresql',
    BACKUP_DIR: '/var/backups/digger',
    KIS_REST_URL: BROKER,
    KIS_WS_URL: 'ws://127.0.0.1:18443',
  }
  const lines = Object.entries(answers).map(([name, value]) => `${name}=${value}\n`)
  writeFileSync(join(machine.root, 'var/tmp/answers'), lines.join(''))
}

/** Nobody can give this machine a certificate: Caddy signs one itself. */
export async function signLocally({ machine, record }: Trial): Promise<void> {
  await record.step('(trial only) tls internal', async () => {
    await machine.command(`sed -i 's/^${NAME} {/&\\n\\ttls internal/' /etc/caddy/Caddyfile && systemctl restart caddy`)
    return until('the door of HTTPS', async () =>
      machine.command('test -f /var/lib/caddy/.local/share/caddy/pki/authorities/local/root.crt && echo a certificate'),
    )
  })
}

/** Armed, as the server itself says at the machine. */
export const armed = ({ machine }: Trial): Promise<string> =>
  until('the account is armed', async () => {
    const text = await machine.command(
      `/opt/digger/node/bin/node -e "fetch('http://127.0.0.1:8081/health').then(async (r) => console.log(await r.text()))"`,
    )
    const { ok, armed: count, broker }: { ok: boolean; armed: number; broker: string } = JSON.parse(text)
    return ok && count === 1 ? `health ok, broker ${broker}, ${count} account armed` : null
  })

/** Somebody signs up, is made an administrator by the command of the page, saves a stock, and its first order is in the book. */
export async function begin(trial: Trial): Promise<void> {
  const { machine, record, person } = trial
  await record.step('sign up through HTTPS', async () => {
    await until('the server behind HTTPS', () =>
      person.request('GET', '/health').then(({ status }) => (status === 200 ? status : null)),
    )
    await until('the sign-up', person.signUp, TOKEN_MS)
    const { hsts } = await person.request('GET', '/')
    return `signed up; HSTS ${hsts ?? 'missing'}`
  })
  await record.step(`# digger admin grant ${EMAIL}`, () => machine.command(`digger admin grant ${EMAIL}`))
  await record.step('log in', async () => {
    await person.logIn()
    return armed(trial)
  })
  await record.step('settings of a stock, and its order', async () => {
    await person.json('POST', `/api/user/stock/${STOCK}`, SETTINGS)
    const look = async () => (await person.orders())[0] ?? (await bought(trial))
    const order = await until('an order of the account', look).catch(async (error: unknown) => {
      throw new Error(`no order: ${JSON.stringify(await person.stocks())}`, { cause: error })
    })
    return typeof order === 'string' ? order : `${order.orderType} ${order.qty} of ${STOCK} at ${order.price}`
  })
}

const SETTINGS = {
  maxBuyPrice: 1_000_000,
  maxBuyAmount: 20_000_000,
  buyUnitPrice: 1_000_000,
  lastBuyPrice: null,
  recoverLastBuyPrice: true,
  autoBuy: true,
  buyPercent: -5,
  autoSell: true,
  sellPercent: 30,
  useMinSellPrice: false,
  minSellPrice: null,
  autoSellWithAvgPrice: false,
}

const bought = async ({ person }: Trial): Promise<string | null> => {
  const held = (await person.stocks()).find(({ code }) => code === STOCK)
  return held !== undefined && held.remainCount > 0 ? `${held.remainCount} of ${STOCK} held` : null
}

/** What was saved is there, and every account adds up. `journal`: the count of facts that there must be at least. */
export async function kept(trial: Trial): Promise<void> {
  const { machine, record, person } = trial
  await record.step('armed again, by nobody’s password', () => armed(trial))
  await record.step('the stock and its shares are there', async () => {
    // A version of long ago gave other sessions; nobody had to come in for what is armed.
    if ((await person.request('GET', '/api/user/stock')).status === 401) await person.logIn()
    const stock = await until(
      'the stock',
      async () => (await person.stocks()).find(({ code }) => code === STOCK) ?? null,
    )
    if (stock.maxBuyAmount !== SETTINGS.maxBuyAmount) throw new Error(`other settings: ${JSON.stringify(stock)}`)
    return `${stock.remainCount} held, at most ${stock.maxBuyAmount} won`
  })
  await record.step('# digger verify', () => machine.command('digger verify'))
}
