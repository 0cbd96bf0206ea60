import { type ChildProcess, fork, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Bars } from '@digger/core'
import { z } from 'zod'

/** Brought for this comparison alone, into a folder that nothing else looks into. */
const PACKAGE = '@backtest/framework@1.1.18'
const FOLDER = new URL('../../node_modules/.cache/backtest-framework', import.meta.url).pathname

/** `cpu` in µs; trades as [bar, side (1 buys, 2 sells), price, count]. */
const Run = z.object({
  cpu: z.number(),
  trades: z.array(z.tuple([z.number(), z.union([z.literal(1), z.literal(2)]), z.number(), z.number()])),
})

/** The framework, ready to trade the bars. Null: it could not be installed. */
export class Framework {
  readonly #process: ChildProcess

  private constructor(process: ChildProcess) {
    this.#process = process
  }

  static async start({ open, high, low, close }: Bars): Promise<Framework | null> {
    mkdirSync(FOLDER, { recursive: true })
    if (!existsSync(join(FOLDER, 'node_modules/@backtest/framework'))) {
      const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefix', FOLDER]
      if (spawnSync('npm', ['install', ...flags, PACKAGE], { stdio: 'ignore' }).status !== 0) return null
    }
    const process = fork(new URL('framework-process.ts', import.meta.url), [FOLDER])
    const framework = new Framework(process)
    await framework.#ask({ open: [...open], high: [...high], low: [...low], close: [...close] })
    return framework
  }

  run(): Promise<z.output<typeof Run>> {
    return this.#ask('run')
  }

  end(): void {
    this.#process.disconnect()
  }

  async #ask(message: object | string): Promise<z.output<typeof Run>> {
    const answered = once(this.#process, 'message')
    this.#process.send(message)
    const [answer]: unknown[] = await answered
    return Run.parse(answer)
  }
}
