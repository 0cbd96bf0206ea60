import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'

/** Where network namespaces have their names. */
const NAMES = '/run/netns'
const PREFIX = 'dgc'
/** The range for tests of networks (RFC 2544), which no real host has; seen only inside the namespaces. */
const NET = '198.18.0'
/** Locally administered, and nobody's. */
const NOBODYS_MAC = '02:00:00:00:00:fe'
const DEVICE = 'eth0'

/** What this machine lacks to lay a network of its own, or null. */
export function networkMissing(): string | null {
  if (process.getuid?.() !== 0) return 'network namespaces need root'
  if (spawnSync('ip', ['-V']).status !== 0) return 'there is no ip program (Debian: iproute2)'
  if (spawnSync('setpriv', ['--version']).status !== 0) return 'there is no setpriv program (Debian: util-linux)'
  const name = `${PREFIX}-${process.pid}-try`
  const isMade = spawnSync('ip', ['netns', 'add', name]).status === 0
  const isBridged = isMade && spawnSync('ip', ['-n', name, 'link', 'add', 'br0', 'type', 'bridge']).status === 0
  if (isMade) spawnSync('ip', ['netns', 'del', name])
  return isBridged ? null : 'this machine does not let us make network namespaces and bridges'
}

/**
 * Hosts that are network namespaces, joined by veth pairs to a bridge in one more of them: nothing of it is seen from outside.
 * A line between two hosts is cut as a network cuts it: packets are lost in silence, and each kernel sends again for as
 * long as it pleases.
 */
export class Network {
  readonly #hosts = new Map<string, number>()
  /** The service's address that a host has beside its own. */
  readonly #services = new Map<string, string>()
  readonly #cuts = new Map<string, number>()
  readonly #remove = (): void => removeNamespaces(process.pid)

  constructor() {
    removeWhatOthersLeft()
    process.once('exit', this.#remove)
    run('ip', 'netns', 'add', nameOf('hub'))
    run('ip', '-n', nameOf('hub'), 'link', 'add', 'br0', 'type', 'bridge')
    run('ip', '-n', nameOf('hub'), 'link', 'set', 'br0', 'up')
  }

  /** Adds a host and returns its address. */
  add(host: string): string {
    const number = this.#hosts.size + 1
    const [near, hub] = [nameOf(host), nameOf('hub')]
    run('ip', 'netns', 'add', near)
    run('ip', 'link', 'add', DEVICE, 'netns', near, 'type', 'veth', 'peer', 'name', `p${number}`, 'netns', hub)
    run('ip', '-n', hub, 'link', 'set', `p${number}`, 'master', 'br0', 'up')
    run('ip', '-n', near, 'addr', 'add', `${NET}.${number}/24`, 'dev', DEVICE)
    run('ip', '-n', near, 'link', 'set', DEVICE, 'up')
    run('ip', '-n', near, 'link', 'set', 'lo', 'up')
    this.#hosts.set(host, number)
    return this.addressOf(host)
  }

  addressOf(host: string): string {
    return `${NET}.${this.#hosts.get(host)}`
  }

  /** Puts before a command what runs it on the host, and ends it when this process ends in whatever way. */
  command(host: string, user: { readonly uid?: number; readonly gid?: number } = {}): string[] {
    const as = user.uid === undefined ? [] : [`--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups']
    return ['ip', 'netns', 'exec', nameOf(host), 'setpriv', ...as, '--pdeathsig=KILL', '--']
  }

  /** How often a kernel sends again on a connection whose other end is silent. */
  setTcpRetries(host: string, tries: number): void {
    run('ip', 'netns', 'exec', nameOf(host), 'sysctl', '-qw', `net.ipv4.tcp_retries2=${tries}`)
  }

  /** Nothing arrives between these two any more; cut twice it has to be mended twice. */
  cut(one: string, other: string): void {
    const key = `${one} ${other}`
    const times = this.#cuts.get(key) ?? 0
    this.#cuts.set(key, times + 1)
    if (times > 0) return
    for (const [from, address] of this.#ways(one, other))
      this.#neighbour(from, 'replace', address, 'lladdr', NOBODYS_MAC, 'nud', 'permanent')
  }

  mend(one: string, other: string): void {
    const key = `${one} ${other}`
    const times = (this.#cuts.get(key) ?? 0) - 1
    this.#cuts.set(key, Math.max(0, times))
    if (times !== 0) return
    for (const [from, address] of this.#ways(one, other)) this.#neighbour(from, 'del', address)
  }

  mendAll(): void {
    for (const [key, times] of this.#cuts) {
      if (times > 0) this.#cuts.set(key, 1)
      const [one = '', other = ''] = key.split(' ')
      this.mend(one, other)
    }
  }

  /** An address that is a service's and not a host's; whoever asks for it finds it where it was brought last, at once. */
  bringService(address: string, host: string): void {
    for (const [before, has] of this.#services)
      if (has === address) {
        run('ip', '-n', nameOf(before), 'addr', 'del', `${address}/24`, 'dev', DEVICE)
        this.#services.delete(before)
      }
    run('ip', '-n', nameOf(host), 'addr', 'add', `${address}/24`, 'dev', DEVICE)
    this.#services.set(host, address)
    for (const one of this.#hosts.keys())
      spawnSync('ip', ['-n', nameOf(one), 'neigh', 'del', address, 'dev', DEVICE], { stdio: 'ignore' })
  }

  /** Ends every process of the host at once, as when its machine loses its power. */
  killAll(host: string): void {
    killIn(nameOf(host))
  }

  close(): void {
    process.off('exit', this.#remove)
    this.#remove()
  }

  /** From each host to every address of the other. */
  #ways(one: string, other: string): (readonly [string, string])[] {
    const to = (host: string): string[] => [this.addressOf(host), this.#services.get(host) ?? []].flat()
    return [
      ...to(other).map((address) => [one, address] as const),
      ...to(one).map((address) => [other, address] as const),
    ]
  }

  #neighbour(host: string, what: 'replace' | 'del', address: string, ...rest: string[]): void {
    run('ip', '-n', nameOf(host), 'neigh', what, address, ...rest, 'dev', DEVICE)
  }
}

const nameOf = (host: string): string => `${PREFIX}-${process.pid}-${host}`

function removeNamespaces(pid: number): void {
  for (const name of namespaces(pid)) {
    killIn(name)
    spawnSync('ip', ['netns', 'del', name])
  }
}

/** A run that was killed could not clean up. */
function removeWhatOthersLeft(): void {
  const owners = new Set(namespaces().map((name) => Number(name.split('-')[1])))
  for (const pid of owners) if (!existsSync(`/proc/${pid}`) && pid !== process.pid) removeNamespaces(pid)
}

const namespaces = (pid?: number): string[] =>
  existsSync(NAMES)
    ? readdirSync(NAMES).filter((name) => name.startsWith(pid === undefined ? `${PREFIX}-` : `${PREFIX}-${pid}-`))
    : []

function killIn(namespace: string): void {
  const pids = spawnSync('ip', ['netns', 'pids', namespace], { encoding: 'utf8' }).stdout ?? ''
  for (const pid of pids.split('\n').filter(Boolean).map(Number)) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It ended by itself meanwhile.
    }
  }
}

const run = (program: string, ...args: string[]): void =>
  void execFileSync(program, args, { stdio: ['ignore', 'ignore', 'pipe'] })
