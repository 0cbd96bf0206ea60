import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type Backup, BackupError, drillBackup, removeOld, takeBackup, withSource } from '@digger/backup'
import { type Config, readConfig } from '@digger/config'
import { drillLines } from './drill.ts'
import { endWithMessage, type Report, writeReport } from './report.ts'

const USAGE = `쓰는 법: npm run backup -- [폴더] [--drill] [--clean]
  폴더      백업을 둘 곳. 없으면 BACKUP_DIR
  --drill   되살려 보기까지 한다
  --clean   BACKUP_KEEP_DAYS(일)보다 오래된 백업을 지운다. 가장 새것은 지우지 않는다`

export type Place = Pick<Config, 'DATABASE_URL' | 'DATA_DIR' | 'BACKUP_DIR' | 'BACKUP_KEEP_DAYS'>

export interface Asked {
  readonly into: string
  readonly drill: boolean
  readonly clean: boolean
}

export function askedOf(args: readonly string[], { BACKUP_DIR }: Pick<Place, 'BACKUP_DIR'>): Asked {
  const options = { drill: { type: 'boolean', default: false }, clean: { type: 'boolean', default: false } } as const
  const { values, positionals } = parsed(() => parseArgs({ args: [...args], options, allowPositionals: true }))
  const [into = BACKUP_DIR, ...more] = positionals
  if (into === undefined || more.length > 0) throw new BackupError(USAGE)
  return { into: resolve(into), ...values }
}

function parsed<T>(parse: () => T): T {
  try {
    return parse()
  } catch {
    throw new BackupError(USAGE)
  }
}

/** Takes a backup of the database of these variables, whether or not a server trades on it. Old ones go last, and only after a good one. */
export async function backUp(place: Place, { into, drill, clean }: Asked): Promise<Report> {
  const began = performance.now()
  const from = { databaseUrl: place.DATABASE_URL, dataDir: place.DATA_DIR }
  const backup = await withSource(from, (source) => takeBackup(source, into))
  const lines = takenLines(backup, performance.now() - began)
  if (drill) {
    const tried = drillLines(await drillBackup(backup))
    lines.push(...tried.lines)
    if (!tried.ok) return { ok: false, lines }
  }
  if (!clean) return { ok: true, lines }
  const removed = await removeOld(into, place.BACKUP_KEEP_DAYS, Date.now())
  return { ok: true, lines: [...lines, ...removed.map((name) => `오래된 백업을 지웠습니다: ${name}`)] }
}

function takenLines({ folder, manifest }: Backup, ms: number): string[] {
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
  const bytes = manifest.files.reduce((sum, file) => sum + file.bytes, 0)
  return [
    `백업했습니다: ${folder} (기록 ${rows}건, ${(bytes / 1e6).toFixed(1)} MB, ${(ms / 1_000).toFixed(1)}초)`,
    '마스터 키 파일(MASTER_KEY_FILE)은 들어 있지 않습니다. 백업과 다른 곳에 따로 복사해 두세요.',
  ]
}

async function main(): Promise<void> {
  process.umask(0o077)
  const config = readConfig(process.env)
  writeReport(await backUp(config, askedOf(process.argv.slice(2), config)))
}

if (import.meta.main) main().catch(endWithMessage)
