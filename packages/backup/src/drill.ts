import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DAY_MS } from '@digger/core'
import { type DatabasePlace, knownMigrations, loadFrom, sumTables, type TableSum } from '@digger/database'
import { assertWhole, type Backup, ROWS } from './manifest.ts'
import { NOT_KEPT } from './take.ts'
import { type Verified, verifyAccounts } from './verify.ts'

const FOLDER = 'digger-drill-'
/** As `mkdtemp` ends it. */
const NAME = /^digger-drill-[A-Za-z0-9]{6}$/
/** No drill takes so long, ms. */
const LEFT_OVER_MS = DAY_MS

export interface Drilled extends Verified {
  readonly rows: number
  readonly tables: number
  readonly ms: number
}

/**
 * Puts a backup into an embedded database of its own in a temporary folder, which is removed afterwards, and holds every row of it
 * against the manifest and every account against its journal. Nothing trades: there is no engine and no broker here.
 */
export async function drillBackup(backup: Backup, temporary = tmpdir()): Promise<Drilled> {
  const began = performance.now()
  await assertWhole(backup)
  await removeLeftOver(temporary)
  const dataDir = await mkdtemp(join(temporary, FOLDER))
  try {
    const held = await holdAgainst(backup, { dataDir })
    return { ...held, ms: Math.round(performance.now() - began) }
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** In an empty database. */
export async function holdAgainst(backup: Backup, place: DatabasePlace): Promise<Omit<Drilled, 'ms'>> {
  const differences: string[] = []
  let [accounts, facts, sums]: [number, number, readonly TableSum[]] = [0, 0, []]
  const { rows } = await loadFrom(place, join(backup.folder, ROWS), {
    async afterwards({ db, pool }) {
      // Rows that a newer program has brought up to date are not as they were.
      if (isOfNow(backup)) {
        sums = await sumTables(pool, { without: NOT_KEPT })
        differences.push(...differencesOf(backup.manifest.tables, sums))
      }
      const verified = await verifyAccounts(db)
      differences.push(...verified.differences)
      ;[accounts, facts] = [verified.accounts, verified.facts]
    },
  })
  return { rows, tables: sums.length, accounts, facts, differences }
}

/** Each drill that was killed, as by a server that ends at half past five, left a whole database. What is another user's stays. */
async function removeLeftOver(temporary: string): Promise<void> {
  for (const name of await readdir(temporary).catch(() => [])) {
    const path = join(temporary, name)
    const found = NAME.test(name) ? await lstat(path).catch(() => null) : null
    if (found?.isDirectory() === true && Date.now() - found.mtimeMs > LEFT_OVER_MS)
      await rm(path, { recursive: true, force: true }).catch(() => undefined)
  }
}

const isOfNow = ({ manifest }: Backup): boolean => manifest.migrations.length === knownMigrations().length

export function differencesOf(taken: readonly TableSum[], found: readonly TableSum[]): string[] {
  const byName = new Map(found.map((table) => [table.name, table]))
  return taken.flatMap(({ name, rows, sha256 }) => {
    const other = byName.get(name)
    if (other?.rows !== rows) return [`표 ${name}: 백업에는 ${rows}줄, 되살린 것에는 ${other?.rows ?? 0}줄입니다.`]
    return other.sha256 === sha256 ? [] : [`표 ${name}: ${rows}줄의 내용이 백업과 다릅니다.`]
  })
}
