import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { ask } from './ask.ts'
import { findPostgres } from './find-postgres.mjs'
import { freePort } from './free-port.ts'

export interface PostgresServer {
  readonly url: string
  /** An address of a new, empty database. */
  newDatabase(): Promise<string>
  restart(): Promise<void>
  /** Ends without any shutdown, as when the power goes. */
  crash(): Promise<void>
  /** Starts it again after `crash`. */
  start(): Promise<void>
  /** Every process of it stands still, connections and all. */
  freeze(): void
  thaw(): void
  [Symbol.asyncDispose](): Promise<void>
}

/** By the name that the copying of a running database looks for. */
export const DATA = 'database'

/** A PostgreSQL of its own in a temporary folder. It refuses to run as root, so then it runs as another user. */
export async function startPostgres(bin = findPostgres(), place = tmpdir()): Promise<PostgresServer> {
  if (bin === null) throw new Error('no PostgreSQL on this machine')
  const options = ownedFolder(place)
  const { cwd: home } = options
  const data = join(home, DATA)
  execFileSync(join(bin, 'initdb'), ['-D', data, '-U', 'digger', '-A', 'trust', '-E', 'UTF8', '--no-sync'], options)
  const port = await freePort()
  const run = () =>
    spawn(
      join(bin, 'postgres'),
      ['-D', data, '-p', String(port), '-k', home, '-c', 'listen_addresses=127.0.0.1'],
      options,
    )
  let server = run()
  // Nothing of it goes on when we are gone, however we went.
  const end = (): void => {
    server.kill('SIGQUIT')
    rmSync(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
  }
  process.once('exit', end)
  const url = `postgres://digger@127.0.0.1:${port}/postgres`
  await answering(url)
  let count = 0
  return {
    url,
    async newDatabase() {
      const name = `d${++count}`
      await ask(url, `create database ${name}`)
      return url.replace(/postgres$/, name)
    },
    async restart() {
      await stop(server)
      server = run()
      await answering(url)
    },
    crash: () => crash(server),
    async start() {
      server = run()
      // Processes of the crashed one may hold the folder for a moment: then the new one ends at once.
      await answering(url, () => {
        if (hasEnded(server)) server = run()
      })
    },
    freeze: () => signalAll(server, 'SIGSTOP'),
    thaw: () => signalAll(server, 'SIGCONT'),
    async [Symbol.asyncDispose]() {
      process.off('exit', end)
      await stop(server)
      rmSync(home, { recursive: true, force: true })
    },
  }
}

/** In memory, where a commit waits for no disk; the temp folder where memory has no such place, or little room. */
export function memoryFolder(): string {
  const place = '/dev/shm'
  if (!existsSync(place)) return tmpdir()
  const { bavail, bsize } = statfsSync(place)
  return bavail * bsize > MIN_ROOM ? place : tmpdir()
}
/** Of a run's databases, bytes; some hundred megabytes were seen. */
const MIN_ROOM = 2 * 2 ** 30

/** A folder for the server, and the options its programs run with. */
export function ownedFolder(place = tmpdir()) {
  const home = mkdtempSync(join(place, 'digger-pg-'))
  chmodSync(home, 0o755)
  const user = process.getuid?.() === 0 ? userIds() : {}
  if (user.uid !== undefined) execFileSync('chown', [`${user.uid}:${user.gid}`, home])
  return { ...user, cwd: home, stdio: 'ignore' } as const
}

function userIds(): { uid?: number; gid?: number } {
  for (const name of ['postgres', 'nobody']) {
    try {
      const id = (flag: string) => Number(execFileSync('id', [flag, name], { stdio: ['ignore', 'pipe', 'ignore'] }))
      return { uid: id('-u'), gid: id('-g') }
    } catch {
      continue
    }
  }
  return {}
}

/** Fast shutdown: connections are cut, data is flushed. */
export async function stop(server: ChildProcess): Promise<void> {
  if (hasEnded(server)) return
  server.kill('SIGINT')
  await once(server, 'exit')
}

async function crash(server: ChildProcess): Promise<void> {
  server.kill('SIGQUIT')
  await once(server, 'exit')
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null

/** The backends are no group of their own: each leads its own session. */
function signalAll({ pid }: ChildProcess, signal: 'SIGSTOP' | 'SIGCONT'): void {
  if (pid === undefined) return
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
  for (const one of [pid, ...children.filter(Boolean).map(Number)]) process.kill(one, signal)
}

/** `again`: called between tries. */
export async function answering(url: string, again = (): void => {}): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    const ok = await ask(url, 'select 1').then(
      () => true,
      () => false,
    )
    if (ok) return
    await delay(50)
    again()
  }
  throw new Error('PostgreSQL did not start')
}
