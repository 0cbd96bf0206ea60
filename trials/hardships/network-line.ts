import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const FORWARDER = fileURLToPath(new URL('line-forwarder.ts', import.meta.url))

/** What this machine lacks to lay a line, or null. */
export function lineMissing(): string | null {
  if (process.getuid?.() !== 0) return 'network namespaces need root'
  for (const [program, flag] of [
    ['ip', '-V'],
    ['iptables', '-V'],
    ['ss', '-V'],
  ] as const)
    if (spawnSync(program, [flag]).status !== 0) return `there is no ${program} program (Debian: iproute2, iptables)`
  const name = `digger-try-${process.pid}`
  const allowed = spawnSync('ip', ['netns', 'add', name]).status === 0
  if (allowed) spawnSync('ip', ['netns', 'del', name])
  return allowed ? null : 'this machine does not let us make network namespaces'
}

/**
 * A line to the broker that can be cut as a network cuts it: packets are dropped in silence and sent again by the kernel
 * for as long as it pleases, whatever has become of the process that wrote them. A veth pair leads into a namespace of its
 * own, where a forwarder passes on what arrives.
 */
export class Line {
  /** host:port of the broker as servers see it. */
  readonly at: string
  /** The broker's true port on this machine. */
  broker = 0
  readonly #name: string
  readonly #forwarder: ChildProcess
  readonly #upstream: Server
  readonly #undo: () => void
  /** Ports of the connections that servers have made. */
  readonly #clientPorts = new Set<number>()
  /** The port of the connection that ordered last. */
  #orderPort = 0

  private constructor(at: string, name: string, forwarder: ChildProcess, upstream: Server, undo: () => void) {
    this.at = at
    this.#name = name
    this.#forwarder = forwarder
    this.#upstream = upstream
    this.#undo = undo
  }

  static async open(folder: string): Promise<Line> {
    const name = `digger-${process.pid}`
    const [near, far] = [`dgr${process.pid}a`, `dgr${process.pid}b`]
    // The range for tests of networks (RFC 2544), which no real host has.
    const net = `198.18.${process.pid % 250}`
    const removeNetwork = (): void => {
      spawnSync('ip', ['netns', 'del', name])
      spawnSync('ip', ['link', 'del', near])
    }
    process.once('exit', removeNetwork)
    run('ip', 'netns', 'add', name)
    run('ip', 'link', 'add', near, 'type', 'veth', 'peer', 'name', far, 'netns', name)
    run('ip', 'addr', 'add', `${net}.1/24`, 'dev', near)
    run('ip', 'link', 'set', near, 'up')
    run('ip', '-n', name, 'addr', 'add', `${net}.2/24`, 'dev', far)
    run('ip', '-n', name, 'link', 'set', far, 'up')

    const path = join(folder, 'line.sock')
    const upstream = createServer({ allowHalfOpen: true }).listen(path)
    await once(upstream, 'listening')
    const command = ['netns', 'exec', name, process.execPath, FORWARDER, `${net}.2`, path]
    const forwarder = spawn('ip', command, { stdio: ['ignore', 'pipe', 'inherit'] })
    const kill = (): void => void forwarder.kill('SIGKILL')
    process.once('exit', kill)
    const [first]: Buffer[] = await once(forwarder.stdout, 'data')
    const undo = (): void => {
      removeNetwork()
      process.off('exit', removeNetwork)
      process.off('exit', kill)
    }
    const line = new Line(`${net}.2:${String(first).trim()}`, name, forwarder, upstream, undo)
    line.#forward()
    forwarder.stdout.on('data', (part: Buffer) => line.#noteConnections(part))
    return line
  }

  /**
   * Nothing arrives at the broker any more, and nobody is informed. `old`: only what belongs to the connections of now, as when
   * one of several paths is dead: connections made later take another.
   */
  cut(which: 'all' | 'old'): void {
    if (which === 'all') return this.#iptables('-I', 'INPUT', '-p', 'tcp', '-j', 'DROP')
    for (const port of this.#clientPorts)
      this.#iptables('-I', 'INPUT', '-p', 'tcp', '--sport', String(port), '-j', 'DROP')
  }

  mend(): void {
    this.#iptables('-F', 'INPUT')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#forwarder.kill('SIGKILL')
    await once(this.#forwarder, 'exit')
    this.#undo()
    this.#upstream.close()
  }

  /** Whether the connection of the orders has bytes that did not arrive: only then is an order truly on its way. */
  orderWritten(): boolean {
    const filter = [`sport = :${this.#orderPort}`, 'and', `dst ${this.at.split(':')[0]}`]
    const lines = execFileSync('ss', ['-tnH', ...filter], { encoding: 'utf8' })
      .trim()
      .split('\n')
    return lines.some((line) => Number(line.trim().split(/\s+/)[2] ?? 0) > 0)
  }

  /** The forwarder reports each connection, `+port`, of an order on it, `*port`, and of its end, `-port`. */
  #noteConnections(part: Buffer): void {
    for (const [, sign, port] of part.toString().matchAll(/([+*-])(\d+)/g)) {
      if (sign === '+') this.#clientPorts.add(Number(port))
      else if (sign === '*') this.#orderPort = Number(port)
      else this.#clientPorts.delete(Number(port))
    }
  }

  #iptables(...args: string[]): void {
    run('ip', 'netns', 'exec', this.#name, 'iptables', '-w', ...args)
  }

  /** A local socket knows no namespaces: it leads back to the broker's own port. */
  #forward(): void {
    this.#upstream.on('connection', (incoming) => {
      const broker = connect({ host: '127.0.0.1', port: this.broker, allowHalfOpen: true })
      incoming.pipe(broker)
      broker.pipe(incoming)
      incoming.on('error', () => broker.destroySoon())
      broker.on('error', () => incoming.destroySoon())
    })
  }
}

const run = (program: string, ...args: string[]): void =>
  void execFileSync(program, args, { stdio: ['ignore', 'ignore', 'pipe'] })
