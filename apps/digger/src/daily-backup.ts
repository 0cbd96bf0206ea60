import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import { answerRequests, BackupError, type DailyBackup, startDaily } from '@digger/backup'
import { type Database, realClock } from '@digger/database'
import type { Config } from '@digger/config'
import type { BackupState } from '@digger/server'
import type { FastifyBaseLogger } from 'fastify'

const TOOL = fileURLToPath(new URL('backup.ts', import.meta.url))
/** Trading goes first: as `nice` counts it. */
const LOW_PRIORITY = 10
/** Of several processes the owner of this shard takes the backups. */
const SHARD = 0

export interface BackupParts {
  readonly config: Pick<Config, 'BACKUP_DIR' | 'DATA_DIR'>
  readonly database: Pick<Database, 'pool' | 'kind' | 'owned'>
  readonly log: FastifyBaseLogger
}

/** Backups of a server that runs: those that a person asks it for, and one each day where BACKUP_DIR says where. */
export class Backups {
  #daily: DailyBackup | null = null
  #ends: (() => Promise<void>)[] = []

  /** Null where none is taken by itself. */
  readonly state = (): BackupState | null => this.#daily

  start({ config, database, log }: BackupParts): void {
    const failed = (error: unknown): void => log.error({ err: error }, 'backup failed')
    const { BACKUP_DIR: into, DATA_DIR: dataDir } = config
    if (database.kind === 'embedded')
      this.#ends.push(answerRequests({ pool: database.pool, dataDir, clock: realClock, failed }))
    if (into === undefined) return
    const ending = new AbortController()
    const daily = startDaily({
      clock: realClock,
      into,
      isMine: () => database.owned.has(SHARD),
      run: () => runTool(into, log, ending.signal),
      failed,
    })
    this.#daily = daily
    this.#ends.push(async () => {
      daily.stop()
      ending.abort()
    })
  }

  async stop(): Promise<void> {
    for (const end of this.#ends) await end()
    this.#ends = []
  }
}

/** `npm run backup` in a process of its own: what it computes and keeps in memory is not this one's, and it may wait. */
async function runTool(into: string, log: FastifyBaseLogger, signal: AbortSignal): Promise<void> {
  const args = ['--disable-sigusr1', '--no-warnings', TOOL, into, '--drill', '--clean']
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'], signal })
  // Not everywhere allowed; without it the backup is only less polite.
  child.once('spawn', () => lower(child.pid))
  let [output, problem] = ['', '']
  child.stdout.on('data', (part: Buffer) => (output += part.toString()))
  child.stderr.on('data', (part: Buffer) => (problem += part.toString()))
  const [code]: (number | null)[] = await once(child, 'close')
  if (code === 0) return log.info({ output: output.trim().split('\n') }, 'backup taken')
  throw new BackupError(problem.trim() || output.trim() || `끝 값 ${code}`)
}

function lower(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, LOW_PRIORITY)
  } catch {
    // As above.
  }
}
