import { execFileSync, spawn } from 'node:child_process'
import { existsSync, realpathSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { freePort } from './free-port.ts'
import { answering, ownedFolder, stop } from './postgres.ts'

export interface Standby {
  readonly url: string
  [Symbol.asyncDispose](): Promise<void>
}

/** A copy of a PostgreSQL server that follows it, under this name (`application_name`). */
export async function startStandby(bin: string, primary: string, name: string): Promise<Standby> {
  const options = ownedFolder()
  const data = join(options.cwd, 'data')
  const source = `${primary}?application_name=${name}`
  execFileSync(baseBackup(bin), ['-D', data, '-R', '-c', 'fast', '--no-sync', '-d', source], options)
  const port = await freePort()
  const flags = ['-D', data, '-p', String(port), '-k', options.cwd, '-c', 'listen_addresses=127.0.0.1']
  const server = spawn(join(bin, 'postgres'), flags, options)
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

/** Beside the server's programs, wherever those really are, or on the path. */
function baseBackup(bin: string): string {
  const places = [bin, dirname(realpathSync(join(bin, 'initdb')))].map((folder) => join(folder, 'pg_basebackup'))
  return places.find((path) => existsSync(path)) ?? 'pg_basebackup'
}
