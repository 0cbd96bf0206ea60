import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A second run takes the bare system from here. */
const CACHE = '/var/tmp/digger-install-trial'
const BASE = join(CACHE, 'bookworm.tar')
const BOOT_MS = 60_000
/** So much of what a failed command said is shown. */
const LAST_LINES = 25
const COMMAND_MS = 15 * 60_000
/** What this machine's Debian needs to have for it. */
export const NEEDS = { debootstrap: 'debootstrap', 'systemd-nspawn': 'systemd-container', slirp4netns: 'slirp4netns' }

const run = (program: string, ...args: readonly string[]): string =>
  execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 64 * 1024 * 1024 })

/** A Node that npm brought asks Debian for no certificates by itself; those of this machine are among them. */
const CERTIFICATES = 'NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt'

/** A command that ended otherwise than it should have. */
export class CommandError extends Error {}

/** A bare Debian 12 in a folder, as `debootstrap` makes it; removed by whoever asked for it. */
export function bareSystem(root: string): void {
  mkdirSync(CACHE, { recursive: true, mode: 0o700 })
  if (!existsSync(BASE)) {
    const made = join(CACHE, 'making')
    rmSync(made, { recursive: true, force: true })
    const include = '--include=systemd,systemd-sysv,dbus,ca-certificates'
    run('debootstrap', '--variant=minbase', include, 'bookworm', made, 'http://deb.debian.org/debian')
    run('tar', '-C', made, '-cf', `${BASE}.making`, '.')
    run('mv', `${BASE}.making`, BASE)
    rmSync(made, { recursive: true, force: true })
  }
  mkdirSync(root, { recursive: true })
  run('tar', '-C', root, '-xpf', BASE)
}

/** How this machine reaches its registries: certificates and settings, none of which is of the project. */
export function asThisMachine(root: string): void {
  run('cp', '-a', '/usr/local/share/ca-certificates', join(root, 'usr/local/share/'))
  run('chroot', root, 'update-ca-certificates')
  if (existsSync('/root/.npmrc')) run('cp', '/root/.npmrc', join(root, 'root/.npmrc'))
  writeFileSync(join(root, 'etc/resolv.conf'), 'nameserver 10.0.2.3\n')
  writeFileSync(join(root, 'etc/hostname'), 'trial\n')
}

/**
 * A machine with Debian's systemd as its first process, in namespaces of its own: its network reaches out, and nobody reaches in, nor it this
 * machine's loopback. What it says goes to `log`.
 */
export class Machine {
  readonly root: string
  readonly #binds: readonly string[]
  readonly #log: string
  readonly #network: string
  #router: ChildProcess | null = null
  #machine: ChildProcess | null = null
  #first = 0

  constructor(root: string, log: string, binds: readonly string[]) {
    this.root = root
    this.#log = log
    this.#binds = binds
    this.#network = `digger-install-${process.pid}`
  }

  connect(): void {
    run('ip', 'netns', 'add', this.#network)
    const path = `/run/netns/${this.#network}`
    const options = ['--configure', '--mtu=1500', '--disable-host-loopback', '--netns-type=path']
    this.#router = spawn('slirp4netns', [...options, path, 'tap0'], { stdio: 'ignore' })
  }

  /** Switched on: until its systemd says that it runs. */
  async boot(): Promise<void> {
    const log = createWriteStream(this.#log, { flags: 'a' })
    const network = `--network-namespace-path=/run/netns/${this.#network}`
    const binds = this.#binds.map((bind) => `--bind-ro=${bind}`)
    const args = ['-q', '-D', this.root, '-b', '--register=no', '--keep-unit', '--resolv-conf=off', network, ...binds]
    this.#machine = spawn('systemd-nspawn', [...args, '--console=pipe'], { stdio: ['ignore', 'pipe', 'pipe'] })
    this.#machine.stdout?.pipe(log)
    this.#machine.stderr?.pipe(log)
    const end = performance.now() + BOOT_MS
    while (performance.now() < end) {
      this.#first = this.#firstProcess()
      if (this.#first !== 0 && this.#state() === 'running') return
      await new Promise((resolve) => setTimeout(resolve, 300))
    }
    throw new Error(
      `the machine did not boot in a minute (${this.#first === 0 ? 'no process' : this.#state()}): ${this.#log}`,
    )
  }

  #firstProcess(): number {
    try {
      const children = readFileSync(`/proc/${this.#machine?.pid}/task/${this.#machine?.pid}/children`, 'utf8')
      return Number(children.split(' ').find((id) => id !== '') ?? 0)
    } catch {
      return 0
    }
  }

  /** `degraded`: a unit that has nothing to do with us has failed, as some do in namespaces. */
  #state(): string {
    try {
      return this.#enter('systemctl is-system-running').trim()
    } catch (error) {
      const output = error instanceof Error && 'stdout' in error ? String(error.stdout).trim() : ''
      return output === 'degraded' ? 'running' : output
    }
  }

  #argsOf(command: string): string[] {
    const spaces = ['--mount', '--uts', '--ipc', '--net', '--pid', '--root', '--wd']
    const env = [
      'env',
      '-i',
      'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
      'HOME=/root',
      'LANG=C.UTF-8',
      CERTIFICATES,
    ]
    return ['--target', String(this.#first), ...spaces, ...env, 'bash', '-c', command]
  }

  #enter(command: string): string {
    return execFileSync('nsenter', this.#argsOf(command), { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  }

  /** A command at its prompt, as root. Returns what it printed and its exit code. */
  async attempt(command: string): Promise<{ readonly code: number | null; readonly output: string }> {
    const child = spawn('nsenter', this.#argsOf(command), {
      stdio: ['ignore', 'pipe', 'pipe'],
      signal: AbortSignal.timeout(COMMAND_MS),
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (output += part.toString()))
    const [code]: (number | null)[] = await once(child, 'close')
    return { code: code ?? null, output: output.trim() }
  }

  async command(command: string): Promise<string> {
    const { code, output } = await this.attempt(command)
    if (code !== 0)
      throw new CommandError(`${command}\nended with ${code}:\n${output.split('\n').slice(-LAST_LINES).join('\n')}`)
    return output
  }

  /** The power is cut: every process of it is killed at once. */
  async cutPower(): Promise<void> {
    if (this.#first !== 0) process.kill(this.#first, 'SIGKILL')
    if (this.#machine !== null && this.#machine.exitCode === null) await once(this.#machine, 'close')
    this.#first = 0
  }

  async powerOff(): Promise<void> {
    await this.attempt('systemctl poweroff')
    if (this.#machine !== null && this.#machine.exitCode === null) await once(this.#machine, 'close')
    this.#first = 0
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.cutPower().catch(() => undefined)
    this.#router?.kill()
    try {
      run('ip', 'netns', 'delete', this.#network)
    } catch {
      // It was never made.
    }
  }
}
