import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findPostgres, startPostgres } from '@digger/database/testing'
import { readConfig } from '@digger/config'
import { createLogger, createServer, type DiggerServer } from '@digger/server'
import type { MarketAddress } from './market-process.ts'

export interface TrialServer {
  readonly server: DiggerServer
  /** How often the server logged each warning. */
  readonly logged: ReadonlyMap<string, number>
  /** Ends the server and removes what it wrote. */
  close(): Promise<void>
}

/** Starts a server on this market. Its books lie in a new folder, or in a PostgreSQL of its own. */
export async function startTrialServer({ url, wsUrl }: MarketAddress, onPostgres: boolean): Promise<TrialServer> {
  const dataDir = mkdtempSync(join(tmpdir(), 'digger-stampede-'))
  const logged = new Map<string, number>()
  const postgres = onPostgres ? await startPostgres(findPostgres() ?? 'no PostgreSQL on this machine') : null
  const countWarning = (line: string): void => {
    const { msg, err }: { msg?: string; err?: { message?: string } } = JSON.parse(line)
    const message = `${msg}: ${err?.message ?? ''}`
    logged.set(message, (logged.get(message) ?? 0) + 1)
  }
  const server = await createServer({
    config: readConfig({ DATA_DIR: dataDir, DATABASE_URL: postgres?.url }),
    log: createLogger('warn', { write: countWarning }),
    broker: { env: 'real', restUrl: url, wsUrl },
    hours: 'always',
  })
  return {
    server,
    logged,
    async close() {
      await server.close()
      await postgres?.[Symbol.asyncDispose]()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
