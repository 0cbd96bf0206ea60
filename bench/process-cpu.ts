import { readFileSync } from 'node:fs'
import type { Database } from '@digger/database'

/** Linux counts in hundredths of a second, here in µs. */
const TICK_US = 10_000

/** The numbers of `/proc/…/stat` from the third on, proc(5): what comes before may have spaces. */
function statOf(pid: number): number[] {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
  return fields.map(Number)
}

/** CPU time of a process with the children that it has and had, µs. Throws where it has ended. */
function cpuOfFamily(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean)
  const [user = 0, system = 0, childUser = 0, childSystem = 0] = statOf(pid).slice(11, 15)
  const own = (user + system + childUser + childSystem) * TICK_US
  return children.reduce((sum, child) => sum + cpuOfChild(Number(child)), own)
}

/** One that has ended meanwhile is counted by its parent, from the next look on. */
function cpuOfChild(pid: number): number {
  try {
    return cpuOfFamily(pid)
  } catch {
    return 0
  }
}

/** CPU time of the whole PostgreSQL that has this database, µs. */
export async function postgresCpu({ pool }: Pick<Database, 'pool'>): Promise<() => number> {
  const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid')
  const [, server = 0] = statOf(rows[0]?.pid ?? 0)
  return () => cpuOfFamily(server)
}
