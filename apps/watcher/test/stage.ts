import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Client } from 'pg'
import { signUp, type LoggedIn } from '@digger/app'
import { openBeside } from '@digger/database'
import { connected, testPlace } from '@digger/database/testing'
import { readMasterKey } from '@digger/identity'
import { demoCredentials, startSim, type Sim } from '@digger/kis-sim'
import { readConfig } from '@digger/config'
import { createLogger, createServer, type DiggerServer } from '@digger/server'
import type { Graces } from '../src/disagreement.ts'
import { Watcher } from '../src/watcher.ts'

/** The watcher's own role, as docs/decisions/029-watcher.md grants it. */
const ROLE = `
  do $$ begin
    create role digger_watcher login;
  exception when duplicate_object then null; end $$;
  grant select on vault, retired_master, broker_token, journal, account_order, server_setting, engine_holder, watcher
    to digger_watcher;
  grant insert, update, delete on watcher to digger_watcher;
  grant execute on function watcher_halt to digger_watcher`

/** A half minute is a third of a second here. */
const INTERVAL_MS = 300
export const SHORT: Graces = {
  listingMs: 6_000,
  strangerMs: 1_000,
  settlingMs: 60_000,
  bookingMs: 7_000,
  stoppingMs: 1_000,
  clockMs: 1_000,
}

export interface Person extends LoggedIn {
  readonly account: string
}

export interface Stage {
  readonly sim: Sim
  readonly server: DiggerServer
  /** As the owner of the tables. */
  readonly owner: Client
  /** As the watcher's role. */
  readonly asWatcher: Client
  readonly people: readonly Person[]
  /** The environment in which a watcher is started as a program. */
  readonly env: Readonly<Record<string, string>>
  /** What the watcher said. */
  readonly lines: readonly string[]
  close(): Promise<void>
}

/** A real server on PostgreSQL and a pretend broker, two people, and a watcher that looks three times a second. */
export async function openStage(): Promise<Stage> {
  const closing: (() => unknown)[] = []
  const close = async (): Promise<void> => {
    for (const one of closing.toReversed()) await one()
  }
  const folder = mkdtempSync(join(tmpdir(), 'digger-watcher-'))
  closing.push(() => rmSync(folder, { recursive: true, force: true }))
  const masterFile = join(folder, 'master.key')
  writeFileSync(masterFile, randomBytes(32).toString('base64'), { mode: 0o600 })
  const place = await testPlace()
  closing.push(() => place[Symbol.asyncDispose]())
  const { DATABASE_URL } = place.config
  if (DATABASE_URL === undefined) throw new Error('a watcher needs a PostgreSQL')
  const accounts = [0, 1].map((n) => ({ credentials: demoCredentials(n), cash: 100_000_000 }))
  const sim = await startSim({
    port: 0,
    hours: 'always',
    clock: { mode: 'real', speed: 1 },
    walk: 'off',
    latency: 'none',
    accounts,
  })
  closing.push(() => sim.close())
  const server = await createServer({
    config: readConfig({ DATA_DIR: folder, DATABASE_URL, MASTER_KEY_FILE: masterFile }),
    log: createLogger('fatal'),
    broker: { env: 'real', restUrl: sim.url, wsUrl: sim.wsUrl },
    hours: 'always',
  })
  closing.push(() => server.close())
  const owner = await connect(DATABASE_URL, closing)
  await owner.query(ROLE)
  const url = DATABASE_URL.replace('digger@', 'digger_watcher@')
  const people = await Promise.all(
    accounts.map(async ({ credentials }, n): Promise<Person> => {
      const who = { email: `p${n}@example.com`, password: 'watched-person-0', credentials }
      return { ...(await signUp(server, who)), account: credentials.accountNumber }
    }),
  )
  const lines: string[] = []
  closing.push(await startWatcher(url, { masterFile, broker: sim.url, say: (line) => void lines.push(line) }))
  const env = { DATABASE_URL: url, MASTER_KEY_FILE: masterFile, KIS_REST_URL: sim.url }
  return { sim, server, owner, asWatcher: await connect(url, closing), people, env, lines, close }
}

async function connect(url: string, closing: (() => unknown)[]): Promise<Client> {
  const client = await connected(url)
  closing.push(() => client.end())
  return client
}

interface Start {
  readonly masterFile: string
  readonly broker: string
  readonly say: (line: string) => void
}

async function startWatcher(url: string, { masterFile, broker, say }: Start): Promise<() => Promise<void>> {
  const master = readMasterKey(masterFile)
  if (master === null) throw new Error('no master key')
  const reading = await openBeside(url, { writing: false })
  const writing = await openBeside(url, { writing: true })
  const watcher = new Watcher({
    reading,
    writing: writing.pool,
    master,
    place: { url: broker, env: 'real', spacingMs: 20 },
    graces: SHORT,
    intervalMs: INTERVAL_MS,
    blindMs: 1_000,
    say,
  })
  const end = new AbortController()
  const running = watcher.run(end.signal)
  return async () => {
    end.abort()
    await running
    await Promise.all([reading.close(), writing.close()])
  }
}
