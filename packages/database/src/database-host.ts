import { clientOf } from './connections.ts'

/**
 * Where `pg` connects to with this address: a name, an address, or the folder of a socket file. What the address leaves open the
 * environment says (PGHOST). Null where `pg` cannot read the address, or a file that it names.
 */
export function databaseHost(url: string): string | null {
  try {
    return clientOf({ connectionString: url }).host
  } catch {
    return null
  }
}
