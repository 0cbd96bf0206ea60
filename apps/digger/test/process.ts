import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

const MAIN = join(import.meta.dirname, '../src/main.ts')

/** The real server in a process of its own; its address is known once it answers. */
export class ServerProcess {
  readonly base: string
  readonly #child: ChildProcess

  private constructor(child: ChildProcess, base: string) {
    this.#child = child
    this.base = base
  }

  static async start(env: Readonly<Record<string, string | undefined>>): Promise<ServerProcess> {
    const child = spawn(process.execPath, ['--no-warnings', MAIN], {
      env: { PATH: process.env['PATH'], PORT: '0', LOG_LEVEL: 'error', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    const opened = Promise.withResolvers<string>()
    const collect = (part: Buffer): void => {
      output += part.toString()
      const base = /(http:\/\/\S+) 에서 열립니다/.exec(output)?.[1]
      if (base !== undefined) opened.resolve(base)
    }
    child.stdout.on('data', collect)
    child.stderr.on('data', collect)
    child.once('exit', () => opened.reject(new Error(`the server ended: ${output}`)))
    return new ServerProcess(child, await opened.promise)
  }

  /** In order, as at Ctrl-C. */
  async stop(): Promise<void> {
    if (this.#child.exitCode !== null) return
    this.#child.kill('SIGTERM')
    await once(this.#child, 'exit')
  }
}
