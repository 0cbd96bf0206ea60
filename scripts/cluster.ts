import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, type PostgresServer, startPostgres } from '../packages/database/test/testing.ts'
import { WorkerSecret } from '../packages/cluster/src/index.ts'
import { findNats } from '../packages/cluster/test/find-nats.mjs'
import { findPostgres } from '../packages/database/test/find-postgres.mjs'

const WORKERS = 3
const FIRST_PORT = 8_081
const GATEWAYS = 2
/** Orders on the wire have their reply by then, ms. */
const END_MS = 30_000
/** The kernel ends a child whose parent was killed; without the program (util-linux) it goes on by itself. */
const WITH_PARENT = existsSync('/usr/bin/setpriv') ? ['/usr/bin/setpriv', '--pdeathsig', 'TERM', '--'] : []

const print = (line: string): void => void process.stdout.write(`${line}\n`)
const running = new Map<string, ChildProcess>()
const home = mkdtempSync(join(tmpdir(), 'digger-cluster-'))
let postgres: PostgresServer | null = null
let isEnding = false

/** Starts a part; that it ended is told, and nothing is started again: the point is to see the others take over. */
function start(name: string, command: readonly string[], env: Readonly<Record<string, string>> = {}): ChildProcess {
  const [program = '', ...args] = [...WITH_PARENT, ...command]
  const child = spawn(program, args, {
    // The group of the terminal's Ctrl-C would end all at the same time.
    detached: true,
    env: { ...process.env, LOG_LEVEL: 'warn', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (part: Buffer) => {
      for (const line of part.toString().split('\n')) if (line.trim() !== '') print(`${name.padEnd(9)} ${line}`)
    })
  child.once('exit', (code, signal) => {
    running.delete(name)
    if (!isEnding) print(`${name.padEnd(9)} ended (${signal ?? code})`)
  })
  running.set(name, child)
  return child
}

const app = (file: string, ...words: string[]): string[] => [process.execPath, '--no-warnings', file, ...words]

/** One that ends by itself. Throws when it fails. */
async function run(name: string, command: readonly string[], env: Readonly<Record<string, string>>): Promise<void> {
  const code = await new Promise((resolve) => start(name, command, env).once('close', resolve))
  if (code !== 0) throw new Error(`${name} failed (${String(code)})`)
}

/** Resolves when the part has printed this; throws when it ends before. */
const printed = (child: ChildProcess, text: RegExp): Promise<void> =>
  new Promise((resolve, reject) => {
    child.stdout?.on('data', (part: Buffer) => text.test(part.toString()) && resolve())
    child.once('exit', () => reject(new Error('it ended before it had begun')))
  })

function missing(): string[] {
  const wanted = [
    ['postgresql', findPostgres() !== null || process.env['DATABASE_URL'] !== undefined],
    ['nats-server', findNats() !== null],
  ] as const
  return wanted.flatMap(([name, isHere]) => (isHere ? [] : [name]))
}

/** An empty database, filled with the demonstration. */
async function database(): Promise<string> {
  const given = process.env['DATABASE_URL']
  if (given === undefined || given === '') postgres = await startPostgres(findPostgres() ?? '')
  const url = postgres?.url ?? given ?? ''
  const demo = { DATA_DIR: home, DATABASE_URL: '', KIS_ENV: 'sim', DIGGER_ROLE: 'all' }
  print('Making demo users with four weeks of trades: about a minute.')
  await run('demo', app('apps/digger/src/demo.ts', 'make'), demo)
  const file = join(home, 'demo.gz')
  await run('dump', app('apps/digger/src/admin/admin.ts', 'dump', file), demo)
  await run('load', app('apps/digger/src/admin/admin.ts', 'load', file), { ...demo, DATABASE_URL: url })
  return url
}

async function startAll(): Promise<void> {
  const url = await database()
  const [natsPort, simPort] = [await freePort(), await freePort()]
  const [secret = '', WORKER_SECRET_FILE = ''] = ['cluster.secret', 'worker.secret'].map((name) => join(home, name))
  for (const file of [secret, WORKER_SECRET_FILE])
    writeFileSync(file, randomBytes(32).toString('base64'), { mode: 0o600 })
  start('nats', [findNats() ?? '', '-a', '127.0.0.1', '-p', String(natsPort)])
  start('exchange', app('apps/digger/src/demo.ts', 'market'), {
    DATA_DIR: home,
    DATABASE_URL: '',
    SIM_PORT: String(simPort),
  })
  const env = {
    KIS_ENV: 'sim',
    DATA_DIR: home,
    DATABASE_URL: url,
    NATS_URL: `nats://127.0.0.1:${natsPort}`,
    CLUSTER_SECRET_FILE: secret,
    KIS_REST_URL: `http://127.0.0.1:${simPort}`,
    KIS_WS_URL: `ws://127.0.0.1:${simPort}`,
  }
  const main = app('apps/digger/src/main.ts')
  const MASTER_KEY_FILE = join(home, 'demo-master.key')
  for (let n = 1; n <= WORKERS; n += 1) {
    const HEALTH_PORT = String(await freePort())
    const own = { MASTER_KEY_FILE, WORKER_SECRET_FILE, HEALTH_PORT, DIGGER_ROLE: 'worker' }
    const worker = start(`worker${n}`, main, { ...env, ...own })
    await printed(worker, /워커/)
    print(`worker${n}   pid ${worker.pid}: kill -9 ${worker.pid} and see the others take over`)
  }
  const own = { DIGGER_ROLE: 'gateway', WORKER_PUBLIC_KEY: WorkerSecret.read(WORKER_SECRET_FILE).signer.publicKey }
  for (let n = 0; n < GATEWAYS; n += 1) {
    const gateway = start(`gateway${n + 1}`, main, { ...env, ...own, PORT: String(FIRST_PORT + n) })
    await printed(gateway, /에서 열립니다/)
  }
  print('\nAll is there. Ctrl-C ends it; nothing of it is kept.')
}

async function end(code: number): Promise<void> {
  if (isEnding) return
  isEnding = true
  const order = [...running].toSorted(([a], [b]) => rank(a) - rank(b))
  const late = setTimeout(() => [...running.values()].forEach((child) => child.kill('SIGKILL')), END_MS)
  for (const [, child] of order) {
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGTERM')
    await ended
  }
  clearTimeout(late)
  await postgres?.[Symbol.asyncDispose]()
  rmSync(home, { recursive: true, force: true })
  process.exit(code)
}

/** People's side first, what the others need last. */
const rank = (name: string): number =>
  ['gateway', 'worker', 'exchange', 'nats'].findIndex((part) => name.startsWith(part))

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end(0))
mkdirSync(home, { recursive: true })
const absent = missing()
if (absent.length > 0) {
  print(`missing here: ${absent.join(' ')}; apt-get install ${absent.join(' ')}`)
  process.exit(1)
}
try {
  await startAll()
} catch (error) {
  print(error instanceof Error ? error.message : String(error))
  await end(1)
}
