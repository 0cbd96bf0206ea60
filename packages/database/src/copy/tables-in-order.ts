import type { PoolClient } from 'pg'

export interface CopiedTable {
  readonly name: string
  readonly columns: readonly string[]
}

export interface OwnTable extends CopiedTable {
  /** Columns of the primary key; none where the table has no such key. */
  readonly key: readonly string[]
  /**
   * Those of them whose order may be another one in each language. Users' ids, of small letters and digits, are in the same order in
   * Korean, English and bytes: the index of a key that begins with one serves, and a long journal is not sorted anew.
   */
  readonly words: readonly string[]
}

/**
 * The migrator makes its own tables, the start makes its test, nobody but the workers of today opens what is sealed for them, and who
 * trades or watches, in which epoch, is a matter of one database: whoever opens the copy waits as long for orders of an unknown process
 * as anybody has to. A job would be worked off a second time by whoever opens the copy, and a message delivered a second time; what came of either is
 * in each user's log and list. Whom an alarm reached by then nobody knows: what lasts in the copy is called out by the copy.
 */
const LEFT_OUT = [
  'kysely_migration',
  'kysely_migration_lock',
  'start_test',
  'engine_holder',
  'job',
  'job_item',
  'key_share',
  'notification_alarm',
  'notification_delivery',
  'shard',
  'shard_move',
  'telegram_link',
  'watcher',
  'worker',
]

/** Quotes a name for SQL. The database's own quoting differs between its versions. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** Of the table's primary key, in its order. */
const keyColumns = (which: string): string =>
  `array(select k.attname::text from pg_index i
     cross join unnest(i.indkey::int2[]) with ordinality as part (attnum, place)
     join pg_attribute k on k.attrelid = c.oid and k.attnum = part.attnum
     where i.indrelid = c.oid and i.indisprimary and ${which} order by part.place)`

/** Every table of ours, those that others refer to first. */
export async function tablesInOrder(client: Pick<PoolClient, 'query'>): Promise<OwnTable[]> {
  const { rows: tables } = await client.query<OwnTable>(
    `select c.relname::text as name, array_agg(a.attname::text order by a.attnum) as columns,
       ${keyColumns('true')} as key, ${keyColumns(`k.attcollation <> 0 and k.attname <> 'user_id'`)} as words
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
       and (c.relname, a.attname) <> ('account', 'epoch')
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> all ($1)
     group by c.oid, c.relname order by c.relname`,
    [LEFT_OUT],
  )
  const { rows: references } = await client.query<{ source: string; target: string }>(
    `select distinct s.relname::text as source, t.relname::text as target
     from pg_constraint k join pg_class s on s.oid = k.conrelid join pg_class t on t.oid = k.confrelid
     where k.contype = 'f' and k.conrelid <> k.confrelid`,
  )
  const ordered: OwnTable[] = []
  const isDone = (name: string) => ordered.some((table) => table.name === name)
  for (let left = tables; left.length > 0; left = left.filter(({ name }) => !isDone(name))) {
    const free = left.filter(({ name }) => references.every(({ source, target }) => source !== name || isDone(target)))
    if (free.length === 0)
      throw new Error(`tables that refer to each other: ${left.map(({ name }) => name).join(', ')}`)
    ordered.push(...free)
  }
  return ordered
}
