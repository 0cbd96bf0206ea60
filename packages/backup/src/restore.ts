import { join } from 'node:path'
import { kstIso, restoredSign, restoredText } from '@digger/core'
import { type Database, type DatabasePlace, type Restored, loadFrom, writeRestored } from '@digger/database'
import { listUsers, writeAuditForAll } from '@digger/identity'
import { haltServer, recordFact } from '@digger/storage'
import { assertWhole, type Backup, readBackup, ROWS } from './manifest.ts'
import { type Verified, verifyAccounts } from './verify.ts'

export interface RestoredBackup extends Verified {
  readonly backup: Backup
  readonly rows: number
}

/**
 * Puts a backup into an empty database, all of it or nothing. The copy sends no order: its server is halted from the moment in which the
 * rows are there, and each account asks its person. Throws BackupError or DatabaseError with one line for the operator.
 */
export async function restoreBackup(
  folder: string,
  place: Pick<DatabasePlace, 'databaseUrl' | 'dataDir'>,
  now: () => number = Date.now,
): Promise<RestoredBackup> {
  const backup = await readBackup(folder)
  await assertWhole(backup)
  const { takenAt } = backup.manifest
  const restored = { backup: backup.name, takenAt, restoredAt: now() }
  const verified: { of?: Verified } = {}
  const { rows } = await loadFrom({ ...place, lockWaitMs: 0 }, join(folder, ROWS), {
    async withRows(client) {
      await haltServer(client, haltReason(restored))
      await writeRestored(client, { ...restored, isWhole: false })
    },
    async afterwards({ db, pool }) {
      // No program that reads fewer kinds of facts gets these accounts.
      await pool.query('update shard set facts = greatest(facts, $1)', [backup.manifest.facts])
      await askEachPerson({ db, pool }, restored)
      verified.of = await verifyAccounts(db)
      await writeRestored(pool, { ...restored, isWhole: true })
    },
  })
  return { backup, rows, ...(verified.of ?? { accounts: 0, facts: 0, differences: [] }) }
}

type When = Omit<Restored, 'isWhole'>

const minute = (at: number): string => kstIso(at).slice(0, 16).replace('T', ' ')

const haltReason = ({ takenAt }: When): string =>
  `백업에서 되살린 사본입니다(${minute(takenAt)}의 백업). 그 뒤의 주문과 체결이 장부에 없을 수 있어 아무 주문도 내지 않습니다. 원래 서버가 꺼져 있는지, 종목마다 잔고가 맞는지 확인한 뒤 관리자가 풀어 주세요.`

/** Each account has a question that only its person ends, whoever lets the server go on. */
async function askEachPerson(
  { db, pool }: Pick<Database, 'db' | 'pool'>,
  { takenAt, restoredAt, backup }: When,
): Promise<void> {
  for (const { id } of await listUsers(db))
    await recordFact({ db, pool }, id, () => ({
      kind: 'otherServerSuspected',
      at: restoredAt,
      // In the place of what was asked before: this question is the harder one.
      signs: [restoredSign(restoredAt)],
      text: restoredText(minute(takenAt)),
    }))
  await writeAuditForAll(db, { at: restoredAt, by_email: '운영자', action: '백업에서 되살림', detail: backup })
}
