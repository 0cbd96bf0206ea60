import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

const { PATH, NODE_COMPILE_CACHE } = process.env
type Environment = Readonly<Record<string, string | undefined>>

const OPENED = /(http:\/\/\S+) 에서 열립니다/
const TRADES = /워커 \S+: 계좌를/

function begin(file: string, args: readonly string[], env: Environment): ChildProcess {
  return spawn(process.execPath, ['--no-warnings', join(import.meta.dirname, file), ...args], {
    env: { PATH, NODE_COMPILE_CACHE, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

/** A program of its own, to its end: an operator's command, or a server that does not begin. */
export async function run(
  file: string,
  args: readonly string[],
  env: Environment,
): Promise<{ readonly code: number | null; readonly output: string }> {
  const child = begin(file, args, env)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (part: Buffer) => (output += part.toString()))
  // Not at its exit: what it printed last may still be on the way then.
  const [code]: (number | null)[] = await once(child, 'close')
  return { code: code ?? null, output: output.trim() }
}

/** The real server in a process of its own; its address is known once it answers; a worker has none. */
export class ServerProcess {
  base = ''
  /** What it has printed by now. */
  output = ''
  readonly #child: ChildProcess

  private constructor(child: ChildProcess) {
    this.#child = child
  }

  static async start(env: Environment): Promise<ServerProcess> {
    const child = begin('../src/main.ts', [], { PORT: '0', LOG_LEVEL: 'error', ...env })
    const server = new ServerProcess(child)
    const opened = Promise.withResolvers<string>()
    const collect = (part: Buffer): void => {
      server.output += part.toString()
      const base = OPENED.exec(server.output)?.[1] ?? (TRADES.test(server.output) ? '' : undefined)
      if (base !== undefined) opened.resolve(base)
    }
    child.stdout?.on('data', collect)
    child.stderr?.on('data', collect)
    child.once('exit', () => opened.reject(new Error(`the server ended: ${server.output}`)))
    server.base = await opened.promise
    return server
  }

  signal = (name: NodeJS.Signals): boolean => this.#child.kill(name)

  /** By this signal, in order unless it is SIGKILL. Returns its exit code. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return this.#child.exitCode
    this.signal(signal)
    const [code]: (number | null)[] = await once(this.#child, 'close')
    return code ?? null
  }
}
