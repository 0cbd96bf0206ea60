import { resolve } from 'node:path'
import { kstIso } from '@digger/core'
import { BackupError, restoreBackup } from '@digger/backup'
import { type Config, readConfig } from '@digger/config'
import { endWithMessage, type Report, writeReport } from './report.ts'

const USAGE = `쓰는 법: npm run restore -- 백업폴더
  비어 있는 DATA_DIR(내장)이나 DATABASE_URL(PostgreSQL)에 되살린다. 되살린 것은 멈춘 채로 켜진다(docs/moving-house.md).`

const MAX_SHOWN = 10

/** Puts a backup into the empty database of these variables. */
export async function restore(
  { DATABASE_URL, DATA_DIR }: Pick<Config, 'DATABASE_URL' | 'DATA_DIR'>,
  args: readonly string[],
): Promise<Report> {
  const [folder, ...more] = args
  if (folder === undefined || folder.startsWith('-') || more.length > 0) throw new BackupError(USAGE)
  const place = { databaseUrl: DATABASE_URL, dataDir: DATA_DIR }
  const { backup, rows, accounts, facts, differences } = await restoreBackup(resolve(folder), place)
  const { takenAt } = backup.manifest
  const lines = [
    `되살렸습니다: ${backup.name} (${kstIso(takenAt)}의 백업, 기록 ${rows}건, 계좌 ${accounts}개)`,
    ...(differences.length === 0
      ? [`모든 계좌의 기록 ${facts}건과 장부가 같습니다.`]
      : [`기록과 장부가 ${differences.length}곳에서 다릅니다.`, ...differences.slice(0, MAX_SHOWN)]),
    '서버 전체가 멈춘 채로 켜집니다. 원래 서버를 먼저 끄고, 켠 뒤 종목마다 잔고를 맞추고, 관리자가 서버 멈춤을 풀고, 사용자마다 ‘계속하기’를 눌러야 매매합니다.',
    '마스터 키 파일(MASTER_KEY_FILE)은 따로 옮겨 주세요. 없으면 사용자마다 한 번 로그인해야 키가 열립니다.',
  ]
  return { ok: differences.length === 0, lines }
}

async function main(): Promise<void> {
  process.umask(0o077)
  writeReport(await restore(readConfig(process.env), process.argv.slice(2)))
}

if (import.meta.main) main().catch(endWithMessage)
