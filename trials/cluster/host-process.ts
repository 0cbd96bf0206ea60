import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'

interface HostProcessPlace {
  /** What runs it on its host. */
  readonly before: readonly string[]
  readonly command: readonly string[]
  readonly env?: NodeJS.ProcessEnv
  readonly logFile: string
  readonly cwd?: string
  /** What it sends: only a Node program that is started so may send. */
  readonly received?: (message: unknown) => void
}

/** A real process on a host of the network. */
export class HostProcess {
  readonly #child: ChildProcess
  readonly #exit: Promise<unknown>
  ended = false

  constructor({ before, command, env, logFile, cwd, received }: HostProcessPlace) {
    const [program = '', ...args] = [...before, ...command]
    const log = openSync(logFile, 'a')
    const output = ['ignore', log, log] as const
    this.#child = spawn(program, args, {
      env: { ...process.env, ...env },
      stdio: received === undefined ? [...output] : [...output, 'ipc'],
      ...(cwd !== undefined && { cwd }),
    })
    closeSync(log)
    this.#exit = once(this.#child, 'exit').then(() => (this.ended = true))
    // A message to a process that is gone.
    this.#child.on('error', () => undefined)
    if (received !== undefined) this.#child.on('message', received)
  }

  send(message: object): void {
    if (!this.ended && this.#child.connected) this.#child.send(message, () => undefined)
  }

  freeze(): void {
    this.#child.kill('SIGSTOP')
  }

  thaw(): void {
    this.#child.kill('SIGCONT')
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL')
    await this.#exit
  }

  /** As an operator ends it; one that takes longer than `withinMs` is killed. False then. */
  async stop(withinMs: number): Promise<boolean> {
    this.#child.kill('SIGCONT')
    this.#child.kill('SIGTERM')
    const isOver = await Promise.race([this.#exit.then(() => true), delay(withinMs, false, { ref: false })])
    if (!isOver) await this.kill()
    return isOver
  }
}
