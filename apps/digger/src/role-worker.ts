import { readWorkerSecrets } from '@digger/cluster'
import { createWorker, listenForHealth } from '@digger/server'
import { brokerPlace } from './broker-place.ts'
import { openBus } from './cluster-bus.ts'
import { Backups } from './daily-backup.ts'
import type { Start, Started } from './start.ts'
import { assertPort } from './start-error.ts'

/** Trades its share of the accounts, whether or not NATS can be reached. It listens to nobody but whoever watches it here. */
export async function startWorker(start: Start): Promise<Started> {
  const { config, log, print, ends } = start
  const { HEALTH_PORT: port } = config
  if (port !== undefined) await assertPort('HEALTH_PORT', '127.0.0.1', port)
  const bus = openBus(start)
  const secrets = readWorkerSecrets(config.CLUSTER_SECRET_FILE ?? '', config.WORKER_SECRET_FILE ?? '')
  const backups = new Backups()
  const place = brokerPlace(config, null)
  const worker = await createWorker({ config, log, backup: backups.state, ...place }, bus, secrets)
  ends.push(() => worker.close())
  backups.start({ config, database: worker.database, log })
  ends.push(() => backups.stop())
  if (port !== undefined) {
    const server = await listenForHealth(worker.app, port)
    ends.push(async () => {
      server.close()
      server.closeAllConnections()
    })
  }
  print(`\n  워커 ${worker.member.id ?? ''}: 계좌를 나누어 맡습니다.${healthLine(port)}\n`)
  // The database is waited for: the worker begins again when it is back.
  return { address: null, databaseLost: null }
}

const healthLine = (port: number | undefined): string =>
  port === undefined ? '' : ` 상태는 http://127.0.0.1:${port}/health 에서 봅니다.`
