// For rollback.sh: what was written between two backups, and whether the tables moved on. Plain JavaScript: no release is needed for it.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Nobody's work is lost with these: processes write them by themselves. */
const OF_PROCESSES = new Set([
  'kysely_migration',
  'kysely_migration_lock',
  'shard',
  'worker',
  'candle',
  'minute_candle',
])

/**
 * @param {{ migrations: string[], takenAt: number, tables: { name: string, rows: number, sha256: string }[] }} before
 * @param {typeof before} now
 */
export function since(before, now) {
  const moved = now.migrations.filter((name) => !before.migrations.includes(name))
  const then = new Map(before.tables.map((table) => [table.name, table]))
  const changes = now.tables.flatMap(({ name, rows, sha256 }) => {
    const old = then.get(name) ?? { rows: 0, sha256: '' }
    if (OF_PROCESSES.has(name) || (old.rows === rows && (rows === 0 || old.sha256 === sha256))) return []
    return [`${name}: ${old.rows}건 → ${rows}건${old.rows === rows ? ' (내용이나 열이 달라짐)' : ''}`]
  })
  return { moved, changes }
}

function report(folders) {
  const [before, now] = folders.map((folder) => JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')))
  const { moved, changes } = since(before, now)
  if (moved.length === 0) return 0
  console.log(
    `올린 버전이 데이터베이스를 바꿔(${moved.length}가지: ${moved.join(', ')}) 전의 버전은 지금 것을 열지 못합니다.`,
  )
  console.log(`${new Date(before.takenAt).toISOString()}의 백업을 되살리면 그 뒤에 적힌 것이 모두 사라집니다:`)
  for (const line of changes.length === 0 ? ['(달라진 것이 없습니다)'] : changes) console.log(`  ${line}`)
  return 3
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) process.exitCode = report(process.argv.slice(2))
