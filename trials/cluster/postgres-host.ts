import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { ask } from '@digger/database/testing'
import { HostProcess } from './host-process.ts'
import type { Network } from './network.ts'

const PORT = 5432
const START_TIMEOUT_MS = 60_000

/** A PostgreSQL on a host of its own, with durability at its defaults. */
export class PostgresHost {
  readonly host: string
  readonly #network: Network
  readonly #bin: string
  readonly #folder: string
  readonly #user = userOf()
  #server: HostProcess | null = null

  /** `folder`: where it keeps its data, its socket and its log; its user must be able to reach it. */
  constructor(network: Network, host: string, { bin, folder }: { readonly bin: string; readonly folder: string }) {
    this.#network = network
    this.host = host
    this.#bin = bin
    this.#folder = folder
    mkdirSync(folder, { recursive: true })
    chmodSync(folder, 0o755)
    if (this.#user.uid !== undefined) chownSync(folder, this.#user.uid, this.#user.gid ?? 0)
  }

  /** By its local socket, from wherever this process is. */
  get url(): string {
    return `postgres://digger@localhost:${PORT}/postgres?host=${encodeURIComponent(this.#folder)}`
  }

  get isUp(): boolean {
    return this.#server !== null && !this.#server.ended
  }

  create(): void {
    this.#run('initdb', '-D', this.#data, '-U', 'digger', '-A', 'trust', '-E', 'UTF8', '--no-sync')
    execFileSync('sh', ['-c', `echo 'host all,replication all 198.18.0.0/24 trust' >> ${this.#data}/pg_hba.conf`])
    execFileSync('sh', ['-c', `echo 'local replication all trust' >> ${this.#data}/pg_hba.conf`])
  }

  /** Becomes a copy of another that follows it. */
  async follow(primary: PostgresHost): Promise<void> {
    rmSync(this.#data, { recursive: true, force: true })
    this.#run(
      'pg_basebackup',
      '-D',
      this.#data,
      '-h',
      primary.#folder,
      '-U',
      'digger',
      '-R',
      '-X',
      'stream',
      '-c',
      'fast',
    )
    const from = `host=${this.#network.addressOf(primary.host)} port=${PORT} user=digger application_name=${this.host}`
    execFileSync('sh', ['-c', `echo "primary_conninfo = '${from}'" >> ${this.#data}/postgresql.auto.conf`])
    await this.start()
  }

  async start(): Promise<void> {
    const until = performance.now() + START_TIMEOUT_MS
    while (performance.now() < until) {
      // Processes of the killed one may hold the folder for a moment: then the new one ends at once.
      if (!this.isUp) this.#server = this.#spawn()
      if (await this.answers()) return
      await delay(50)
    }
    throw new Error(`PostgreSQL did not start: ${this.#folder}/log`)
  }

  /** Ends without any shutdown; what it had confirmed is on its disk. */
  async kill(): Promise<void> {
    await this.#server?.kill()
    this.#network.killAll(this.host)
  }

  promote(): void {
    this.#run('pg_ctl', 'promote', '-D', this.#data, '-w')
  }

  async ask<T extends object>(text: string): Promise<T[]> {
    return ask<T>(this.url, text, { connectionTimeoutMillis: 2_000, query_timeout: 5_000 })
  }

  /** Whether commits wait for a standby from now on. */
  async setSynchronous(names: '*' | ''): Promise<void> {
    await this.ask(`alter system set synchronous_standby_names = '${names}'`)
    await this.ask('select pg_reload_conf()')
  }

  /** Whether what this one confirms is on a standby's disk too. */
  async hasStandby(): Promise<boolean> {
    const rows = await this.ask<{ state: string }>('select sync_state as state from pg_stat_replication')
    return rows.some(({ state }) => state === 'sync' || state === 'quorum')
  }

  /** Everything that it has, as plain inserts. */
  async *dump(): AsyncGenerator<Buffer> {
    const args = ['--inserts', '-h', this.#folder, '-p', String(PORT), '-U', 'digger', 'postgres']
    const dump = spawn(this.#program('pg_dump'), args, { cwd: this.#folder, stdio: ['ignore', 'pipe', 'inherit'] })
    const ended = once(dump, 'exit')
    yield* dump.stdout
    const [code] = await ended
    if (code !== 0) throw new Error(`pg_dump ended with ${code}`)
  }

  answers = (): Promise<boolean> =>
    this.ask('select 1').then(
      () => true,
      () => false,
    )

  get #data(): string {
    return join(this.#folder, 'data')
  }

  #spawn(): HostProcess {
    const options = ['listen_addresses=*', 'max_connections=200', 'wal_level=replica', 'max_wal_senders=5']
    return new HostProcess({
      before: this.#network.command(this.host, this.#user),
      command: [
        join(this.#bin, 'postgres'),
        '-D',
        this.#data,
        '-p',
        String(PORT),
        '-k',
        this.#folder,
        ...options.flatMap((option) => ['-c', option]),
      ],
      logFile: join(this.#folder, 'log'),
      cwd: this.#folder,
    })
  }

  /** Of several versions' programs the one beside the server. */
  #program(name: string): string {
    const beside = join(this.#bin, name)
    return existsSync(beside) ? beside : name
  }

  #run(program: string, ...args: string[]): void {
    execFileSync(this.#program(program), args, {
      ...this.#user,
      cwd: this.#folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
  }
}

/** PostgreSQL refuses to run as root. */
function userOf(): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {}
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
