import { spawn, type ChildProcessByStdio } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'

/** A process that this one starts: its output is collected, and its end is never missed. */
export class Child {
  readonly #process: ChildProcessByStdio<null, Readable, Readable>
  readonly #exit: Promise<number | null>
  #output = ''
  #changed = Promise.withResolvers<void>()
  ended = false

  constructor(script: string, args: readonly string[], env: NodeJS.ProcessEnv, logFile: string) {
    this.#process = spawn(process.execPath, [script, ...args], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    // No child goes on trading when this process is gone.
    const kill = (): void => void this.#process.kill('SIGKILL')
    process.once('exit', kill)
    for (const stream of [this.#process.stdout, this.#process.stderr]) {
      stream.on('data', (part: Buffer) => {
        appendFileSync(logFile, part)
        this.#output += part.toString()
        this.#notify()
      })
    }
    this.#exit = once(this.#process, 'exit').then(([code]) => {
      this.ended = true
      process.off('exit', kill)
      this.#notify()
      return typeof code === 'number' ? code : null
    })
  }

  /** The first match in what was printed so far or will be. Null when the process ends without it. */
  async printed(pattern: RegExp): Promise<RegExpExecArray | null> {
    for (;;) {
      const found = pattern.exec(this.#output)
      if (found !== null) return found
      if (this.ended) return null
      await this.#changed.promise
    }
  }

  /** Null when a signal ended it. */
  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> {
    this.#process.kill(signal)
    return this.#exit
  }

  /** Exit status once it has ended by itself; null when it does not end within `ms`, or a signal ended it. */
  async exitCodeWithin(ms: number): Promise<number | null> {
    return Promise.race([this.#exit, delay(ms, null, { ref: false })])
  }

  /** Everything it printed. */
  get output(): string {
    return this.#output
  }

  /** The process stands still, sockets and all, until `thaw`. */
  freeze(): void {
    this.#process.kill('SIGSTOP')
  }

  thaw(): void {
    this.#process.kill('SIGCONT')
  }

  #notify(): void {
    this.#changed.resolve()
    this.#changed = Promise.withResolvers()
  }
}
