import type { BulkKind, JobPreview } from '@digger/contract'
import type { Db } from '@digger/database'
import { listUsers } from '@digger/identity'
import { openJobOf } from '@digger/jobs'
import { sql } from 'kysely'
import type { Services } from '../services.ts'
import { KINDS } from '../jobs/kinds.ts'

/** So many users without a key are named. */
const MAX_NAMED = 50

/** What would happen, for people. */
const WHAT: Readonly<Record<BulkKind, string>> = {
  login: '사용자마다 증권사에 로그인하고 시세를 연결합니다. 주문은 내지 않습니다.',
  cancel: '사용자마다 미체결 주문을 모두 취소합니다. 취소한 종목은 다음 매수가까지 다시 사지 않습니다.',
  sell: '사용자마다 보유 종목을 모두 목표가에 매도로 겁니다. 이미 걸린 매매는 그대로 둡니다.',
  check: '사용자마다 장부와 증권사 잔고를 비교합니다. 아무것도 바꾸지 않습니다.',
  fix: '사용자마다 장부를 증권사 잔고에 맞춥니다. 주문은 내지 않지만 장부의 수량이 바뀝니다.',
}

/** For how many users it would change something, and how much. */
const TOUCHED: { readonly [K in BulkKind]?: (db: Db) => Promise<NonNullable<JobPreview['touched']>> } = {
  async cancel(db) {
    const { rows } = await sql<{ users: number; amount: number }>`
      select count(distinct user_id) as users, count(*) as amount from account_order
      where status in ('intended', 'unknown', 'open', 'cancelling')`.execute(db)
    return { users: rows[0]?.users ?? 0, amount: rows[0]?.amount ?? 0, unit: '미체결 주문' }
  },
  async sell(db) {
    const { rows } = await sql<{ users: number; amount: number }>`
      select count(distinct user_id) as users, count(distinct (user_id, code)) as amount from trade
      where not closed`.execute(db)
    return { users: rows[0]?.users ?? 0, amount: rows[0]?.amount ?? 0, unit: '보유 종목' }
  },
}

/** What a job would do, before it is begun. */
export async function previewOf({ database, keys, elsewhere }: Services, kind: BulkKind): Promise<JobPreview> {
  const { db } = database
  const users = await listUsers(db)
  const states = await elsewhere?.states.of(users.map(({ id }) => id))
  const hasKey = (id: string) => (states === undefined ? keys.has(id) : states.get(id)?.userKey)
  const without = users.filter(({ id }) => hasKey(id) === false)
  // A worker that does not answer just now may have any of its accounts' keys.
  const isKnown = users.every(({ id }) => hasKey(id) !== undefined)
  return {
    kind,
    name: KINDS[kind].name,
    what: WHAT[kind],
    users: users.length,
    withKey: isKnown ? users.length - without.length : null,
    touched: (await TOUCHED[kind]?.(db)) ?? null,
    withoutKey: without.slice(0, MAX_NAMED).map(({ id, email }) => ({ userId: id, email })),
    running: await openJobOf(db, kind),
  }
}
