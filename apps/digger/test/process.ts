import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

const MAIN = join(import.meta.dirname, '../src/main.ts')
const { PATH, NODE_COMPILE_CACHE } = process.env

const OPENED = /(http:\/\/\S+) 에서 열립니다/
const TRADES = /워커 \S+: 계좌를/

/** The real server in a process of its own; its address is known once it answers; a worker has none. */
export class ServerProcess {
  readonly base: string
  readonly #child: ChildProcess

  private constructor(child: ChildProcess, base: string) {
    this.#child = child
    this.base = base
  }

  static async start(env: Readonly<Record<string, string | undefined>>): Promise<ServerProcess> {
    const child = spawn(process.execPath, ['--no-warnings', MAIN], {
      env: { PATH, NODE_COMPILE_CACHE, PORT: '0', LOG_LEVEL: 'error', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    const opened = Promise.withResolvers<string>()
    const collect = (part: Buffer): void => {
      output += part.toString()
      const base = OPENED.exec(output)?.[1] ?? (TRADES.test(output) ? '' : undefined)
      if (base !== undefined) opened.resolve(base)
    }
    child.stdout.on('data', collect)
    child.stderr.on('data', collect)
    child.once('exit', () => opened.reject(new Error(`the server ended: ${output}`)))
    return new ServerProcess(child, await opened.promise)
  }

  /** Ends the server in order, as at Ctrl-C. Returns its exit code. */
  async stop(): Promise<number | null> {
    if (this.#child.exitCode !== null) return this.#child.exitCode
    this.#child.kill('SIGTERM')
    const [code]: (number | null)[] = await once(this.#child, 'exit')
    return code ?? null
  }
}
