import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ClusterSecret, WorkerSecret, type WorkerSecrets } from '@digger/cluster'

export const newSecrets = (): WorkerSecrets => ({
  cluster: new ClusterSecret(randomBytes(32)),
  workers: new WorkerSecret(randomBytes(32)),
})

const write = (folder: string, name: string): string => {
  const file = join(folder, name)
  writeFileSync(file, randomBytes(32).toString('base64'), { mode: 0o600 })
  return file
}

/** New ones, as the variables of a worker. */
export const writeSecrets = (folder: string) => ({
  CLUSTER_SECRET_FILE: write(folder, 'cluster.secret'),
  WORKER_SECRET_FILE: write(folder, 'worker.secret'),
})

/** The same with a master key. */
export const writeAllSecrets = (folder: string) => ({
  ...writeSecrets(folder),
  MASTER_KEY_FILE: write(folder, 'master.key'),
})
