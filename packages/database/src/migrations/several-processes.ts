import type { Migration } from 'kysely/migration'
import { shards } from './0213-shards.ts'
import { keyShares } from './0214-key-shares.ts'
import { stopVersions } from './0215-stop-versions.ts'
import { jobs } from './0216-jobs.ts'
import { moves } from './0217-moves.ts'
import { commandKey } from './0218-command-key.ts'
import { cancelWanted } from './0219-cancel-wanted.ts'
import { workerSignature } from './0220-worker-signature.ts'

/** What several processes need that share the accounts of one database. */
export const severalProcesses: readonly (readonly [name: string, Migration])[] = [
  ['0213-shards', shards],
  ['0214-key-shares', keyShares],
  ['0215-stop-versions', stopVersions],
  ['0216-jobs', jobs],
  ['0217-moves', moves],
  ['0218-command-key', commandKey],
  ['0219-cancel-wanted', cancelWanted],
  ['0220-worker-signature', workerSignature],
]
