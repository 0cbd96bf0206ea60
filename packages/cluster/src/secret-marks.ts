import { type Database, type Db, OperatorError } from '@digger/database'
import type { ProofSecrets } from './proven-keys.ts'
import { liveWorkers } from './worker-rows.ts'

const FILES = { clusterSecret: 'CLUSTER_SECRET_FILE', workerSecret: 'WORKER_SECRET_FILE' } as const
type MarkName = keyof typeof FILES

/**
 * That this process has the same secrets as those before it on this database; the first one leaves the marks. Throws OperatorError,
 * with the database closed: a worker with another secret would take accounts that nobody could reach.
 */
export async function assertSameSecrets(
  { db, close }: Pick<Database, 'db' | 'close'>,
  { cluster, workers }: ProofSecrets,
): Promise<void> {
  try {
    await assertSame(db, 'clusterSecret', cluster.mark)
    if (workers !== undefined) await assertSame(db, 'workerSecret', workers.mark)
  } catch (error) {
    await close()
    throw error
  }
}

async function assertSame(db: Db, name: MarkName, mark: string): Promise<void> {
  await db
    .insertInto('server_setting')
    .values({ name, value: mark, why: null })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
  const { value } = await db
    .selectFrom('server_setting')
    .select('value')
    .where('name', '=', name)
    .executeTakeFirstOrThrow()
  if (value === mark) return
  throw new OperatorError(
    `${FILES[name]}이 이 데이터베이스를 쓰는 다른 서버의 것과 다릅니다. 다른 서버와 같은 파일을 두고 다시 켜 주세요. ` +
      '비밀을 새로 바꾸는 중이면 워커와 게이트웨이를 모두 끄고 npm run admin -- forget-secrets를 한 뒤 켜 주세요.',
  )
}

/** The next processes that start leave the marks of new secrets. Throws OperatorError while a worker is there. */
export async function forgetSecrets(db: Db): Promise<string> {
  const live = await liveWorkers(db)
  if (live.length > 0)
    throw new OperatorError(`워커 ${live.length}대가 켜져 있습니다. 워커와 게이트웨이를 모두 끈 뒤 다시 해 주세요.`)
  await db.deleteFrom('server_setting').where('name', 'in', ['clusterSecret', 'workerSecret']).execute()
  return '비밀의 표시를 지웠습니다. 모든 서버에 새 CLUSTER_SECRET_FILE과 WORKER_SECRET_FILE을 둔 뒤 켜 주세요. 먼저 켜는 서버의 것이 기준이 됩니다.'
}
