import { execFileSync, spawn } from 'node:child_process'
import { appendFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Pool } from 'pg'
import { copyRunning } from '../src/embedded/copy-running.ts'
import { findPostgres } from './find-postgres.mjs'
import { freePort } from './free-port.ts'
import { answering, DATA, ownedFolder, stop } from './postgres.ts'

export interface Standby {
  readonly url: string
  [Symbol.asyncDispose](): Promise<void>
}

/** A copy of a PostgreSQL server that follows it, under this name (`application_name`). `pool`: its only session copies. */
export async function startStandby(pool: Pool, primary: string, name: string): Promise<Standby> {
  const options = ownedFolder()
  const data = join(options.cwd, DATA)
  const { rows } = await pool.query<{ at: string }>(`select current_setting('data_directory') as at`)
  await copyRunning(pool, { from: dirname(rows[0]?.at ?? ''), to: options.cwd })
  appendFileSync(join(data, 'postgresql.auto.conf'), `primary_conninfo = '${primary}?application_name=${name}'\n`)
  writeFileSync(join(data, 'standby.signal'), '')
  if (options.uid !== undefined) execFileSync('chown', ['-R', `${options.uid}:${options.gid}`, data])
  const port = await freePort()
  const flags = ['-D', data, '-p', String(port), '-k', options.cwd, '-c', 'listen_addresses=127.0.0.1']
  const server = spawn(join(findPostgres() ?? '', 'postgres'), flags, options)
  const end = (): void => void server.kill('SIGQUIT')
  process.once('exit', end)
  const url = primary.replace(/:\d+\//, `:${port}/`)
  await answering(url)
  return {
    url,
    async [Symbol.asyncDispose]() {
      process.off('exit', end)
      await stop(server)
      rmSync(options.cwd, { recursive: true, force: true })
    },
  }
}
