import { resolve } from 'node:path'
import { kstIso } from '@digger/core'
import {
  type Backup,
  BackupError,
  drillBackup,
  type Drilled,
  listBackups,
  newestOf,
  readBackup,
  takeBackup,
  withSource,
} from '@digger/backup'
import { type Config, readConfig } from '@digger/config'
import { endWithMessage, type Report, writeReport } from './report.ts'

const USAGE = `쓰는 법: npm run drill -- [백업폴더 | --now 둘곳]
  백업 하나를 임시 폴더에 되살려 줄마다, 계좌마다 맞춰 보고 지운다. 증권사에는 닿지 않는다.
  백업폴더      없으면 BACKUP_DIR의 가장 새것
  --now 둘곳    지금 백업해서 그것으로`

const MAX_SHOWN = 10

type Place = Pick<Config, 'DATABASE_URL' | 'DATA_DIR' | 'BACKUP_DIR'>

/** Tries the backup that is asked for, and says what was compared. */
export async function drill(place: Place, args: readonly string[]): Promise<Report> {
  const backup = await chosen(place, args)
  const { ok, lines } = drillLines(await drillBackup(backup))
  return { ok, lines: [`해 본 백업: ${backup.folder} (${kstIso(backup.manifest.takenAt)})`, ...lines] }
}

async function chosen({ DATABASE_URL, DATA_DIR, BACKUP_DIR }: Place, args: readonly string[]): Promise<Backup> {
  const [first, second, ...more] = args
  if (more.length > 0) throw new BackupError(USAGE)
  if (first === '--now' && second !== undefined)
    return withSource({ databaseUrl: DATABASE_URL, dataDir: DATA_DIR }, (source) => takeBackup(source, resolve(second)))
  if (second !== undefined || first?.startsWith('-') === true) throw new BackupError(USAGE)
  if (first !== undefined) return readBackup(resolve(first))
  if (BACKUP_DIR === undefined) throw new BackupError(USAGE)
  const newest = newestOf(await listBackups(resolve(BACKUP_DIR)), Date.now())
  if (newest === undefined)
    throw new BackupError(`BACKUP_DIR=${BACKUP_DIR}에 백업이 없습니다. npm run backup을 먼저 해 주세요.`)
  return newest
}

export function drillLines({ rows, tables, accounts, facts, differences, ms }: Drilled): Report {
  const compared = tables === 0 ? '' : `표 ${tables}개의 줄 수와 내용이 백업과 같습니다. `
  const time = `되살리는 데 ${(ms / 1_000).toFixed(1)}초 걸렸습니다.`
  if (differences.length === 0)
    return {
      ok: true,
      lines: [
        `되살려 보았습니다: 기록 ${rows}건. ${compared}계좌 ${accounts}개의 기록 ${facts}건과 장부가 같습니다. ${time}`,
      ],
    }
  const lines = [`되살려 보니 ${differences.length}곳이 다릅니다. ${time}`, ...differences.slice(0, MAX_SHOWN)]
  return { ok: false, lines }
}

if (import.meta.main) drill(readConfig(process.env), process.argv.slice(2)).then(writeReport).catch(endWithMessage)
