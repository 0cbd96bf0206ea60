import type { Pool } from 'pg'
import { DatabaseError } from './errors.ts'

/** What the database of a process that trades says about what is left of a commit after a crash. */
export interface Durability {
  readonly synchronousCommit: string
  readonly fsync: string
  readonly fullPageWrites: string
  /** Empty: commits wait for no standby. */
  readonly standbyNames: string
  readonly isStandby: boolean
  /** Copies of the whole server that are attached, by how commits wait for them; null: this user may not see it. */
  readonly standbys: readonly (string | null)[]
}

/** Tools that fetch a copy or an archive, and take nothing over, are no standbys; nor is who is sent rows only (logical). */
const STANDBYS = `
  select r.sync_state from pg_stat_replication r
  left join pg_replication_slots s on s.active_pid = r.pid
  where s.slot_type is distinct from 'logical' and r.state is distinct from 'backup'
    and coalesce(r.application_name, '') not in ('pg_basebackup', 'pg_receivewal')`

export async function readDurability(pool: Pick<Pool, 'query'>): Promise<Durability> {
  const { rows } = await pool.query<Omit<Durability, 'standbys'>>(
    `select current_setting('synchronous_commit') as "synchronousCommit", current_setting('fsync') as fsync,
       current_setting('full_page_writes') as "fullPageWrites",
       current_setting('synchronous_standby_names') as "standbyNames", pg_is_in_recovery() as "isStandby"`,
  )
  const standbys = await pool.query<{ sync_state: string | null }>(STANDBYS)
  const [settings] = rows
  if (settings === undefined) throw new DatabaseError('PostgreSQL이 자기 설정을 알려 주지 않습니다.')
  return { ...settings, standbys: standbys.rows.map(({ sync_state }) => sync_state) }
}

const RIGHT = `이 사용자에게 grant pg_monitor 권한을 주고 다시 켜 주세요.`

/**
 * Why nothing may be traded on this database, one sentence for whoever runs it; null where it may. A commit that a crash or a failover
 * forgets is an order that nobody knows of, and an epoch that turns back. `shared`: several processes have it.
 */
export function durabilityRefusal(found: Durability, { shared }: { shared: boolean }): string | null {
  const { synchronousCommit, fsync, fullPageWrites, standbyNames, isStandby, standbys } = found
  if (isStandby)
    return 'DATABASE_URL의 PostgreSQL은 읽기만 되는 대기(standby) 서버입니다. 주(primary) 서버의 주소를 적어 주세요.'
  if (synchronousCommit === 'off')
    return 'PostgreSQL의 synchronous_commit이 off라 저장됐다고 답한 주문 기록이 서버가 꺼지면 사라질 수 있습니다. on으로 바꾸고 다시 켜 주세요.'
  if (!shared) return null
  if (fsync === 'off' || fullPageWrites === 'off')
    return `PostgreSQL의 ${fsync === 'off' ? 'fsync' : 'full_page_writes'}가 off라 전원이 나가면 기록이 깨질 수 있습니다. on으로 바꾸고 다시 켜 주세요.`
  const isWaiting = standbyNames !== '' && synchronousCommit !== 'local'
  if (standbys.length === 0)
    return isWaiting
      ? `PostgreSQL의 synchronous_standby_names(${standbyNames})에 적힌 복제 서버가 하나도 붙어 있지 않아 저장이 끝나지 않습니다. 복제 서버를 켜거나 이 설정을 비우고 다시 켜 주세요.`
      : null
  if (standbys.includes(null))
    return isWaiting ? null : `${HAS_STANDBY} 어떤 것인지 볼 권한도 없습니다. ${MAKE_SYNCHRONOUS} 백업이면 ${RIGHT}`
  if (!isWaiting) return `${HAS_STANDBY} ${MAKE_SYNCHRONOUS}`
  if (standbys.some((state) => state === 'sync' || state === 'quorum')) return null
  return `${HAS_STANDBY} 붙어 있는 복제 서버가 synchronous_standby_names(${standbyNames})에 없습니다. 그 application_name을 적고 다시 켜 주세요.`
}

const HAS_STANDBY =
  'PostgreSQL에 비동기 복제 서버가 붙어 있어, 그쪽으로 넘어가면 나간 주문과 누가 계좌를 맡았는지를 잊습니다.'
const MAKE_SYNCHRONOUS =
  'synchronous_standby_names에 그 복제 서버의 application_name을 적고 synchronous_commit을 on으로 두거나, 복제 서버를 떼고 다시 켜 주세요.'

/** What was found that is allowed and worth knowing, one line each. */
export function durabilityNotes({
  synchronousCommit,
  fsync,
  fullPageWrites,
  standbyNames,
  standbys,
}: Durability): string[] {
  const notes: string[] = []
  for (const [name, value] of [
    ['fsync', fsync],
    ['full_page_writes', fullPageWrites],
  ] as const)
    if (value === 'off')
      notes.push(`PostgreSQL ${name}=off: 전원이 나가면 기록이 깨질 수 있습니다. on으로 바꿔 주세요.`)
  if (synchronousCommit === 'local' || synchronousCommit === 'remote_write')
    notes.push(`PostgreSQL synchronous_commit=${synchronousCommit}: on보다 약합니다.`)
  if (standbys.length === 0 && standbyNames === '')
    notes.push('PostgreSQL에 복제 서버가 없습니다. 그 컴퓨터의 디스크가 망가지면 마지막 백업까지만 남습니다.')
  if (standbys.includes(null)) notes.push(`PostgreSQL의 복제 서버가 어떤 것인지 볼 권한이 없습니다. ${RIGHT}`)
  const asynchronous = standbys.filter((state) => state === 'async').length
  if (asynchronous > 0)
    notes.push(
      `PostgreSQL에 비동기 복제 서버가 ${asynchronous}개 있습니다. 그쪽으로는 넘어가지 마세요: 마지막 주문들을 잊습니다.`,
    )
  const synchronous = standbys.filter((state) => state === 'sync' || state === 'quorum').length
  if (synchronous > 0) notes.push(`PostgreSQL이 저장할 때마다 동기 복제 서버 ${synchronous}개를 기다립니다.`)
  return notes
}
