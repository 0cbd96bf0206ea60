import { readConfig } from '@digger/config'
import { createLogger } from '@digger/server'
import { startRole } from '../src/role.ts'
import { startErrorMessage } from '../src/start-error.ts'

/** A server in this process, begun as its program begins it: by variables. */
export class StartedServer {
  readonly base: string
  readonly #ends: readonly (() => Promise<void>)[]

  private constructor(base: string, ends: readonly (() => Promise<void>)[]) {
    this.base = base
    this.#ends = ends
  }

  /** Rejects with the line that the program would print. */
  static async start(env: Readonly<Record<string, string | undefined>>): Promise<StartedServer> {
    const ends: (() => Promise<void>)[] = []
    try {
      const config = readConfig({ PORT: '0', SIM_PORT: '0', LOG_LEVEL: 'fatal', ...env })
      const log = createLogger(config.LOG_LEVEL)
      const { address } = await startRole({ config, log, print: () => undefined, ends, lockWaitMs: 0 })
      return new StartedServer(address ?? '', ends)
    } catch (error) {
      await stop(ends)
      throw new Error(startErrorMessage(error), { cause: error })
    }
  }

  stop = (): Promise<void> => stop(this.#ends)
}

async function stop(ends: readonly (() => Promise<void>)[]): Promise<void> {
  for (const end of ends.toReversed()) await end()
}
