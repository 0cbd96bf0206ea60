import { findNats } from '@digger/cluster/testing'
import { findPostgres } from '@digger/database/testing'
import { networkMissing } from './network.ts'

/** What this machine lacks to run a cluster, or null. */
export function clusterMissing(): string | null {
  if (findPostgres() === null) return 'there is no PostgreSQL (Debian: postgresql)'
  if (findNats() === null) return 'there is no NATS (Debian: nats-server)'
  return networkMissing()
}
