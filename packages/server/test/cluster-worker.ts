/** A worker of its own process, that no bus reaches, for tests that kill or stop it. Configured by the environment; prints how many accounts and keys it has. */
import { LocalBus, LocalWire, readWorkerSecrets } from '@digger/cluster'
import { readConfig } from '@digger/config'
import { createLogger } from '../src/log.ts'
import { createWorker } from '../src/worker.ts'

const { SIM_URL = '', SIM_WS_URL = '', ORDER_SPACING_MS, ...env } = process.env
const worker = await createWorker(
  {
    config: readConfig(env),
    log: createLogger('fatal'),
    broker: { env: 'real', restUrl: SIM_URL, wsUrl: SIM_WS_URL },
    hours: 'always',
    ...(ORDER_SPACING_MS !== undefined && { rateLimits: { orderSpacingMs: Number(ORDER_SPACING_MS) } }),
  },
  new LocalBus(new LocalWire()),
  readWorkerSecrets(env['CLUSTER_SECRET_FILE'] ?? '', env['WORKER_SECRET_FILE'] ?? ''),
)
setInterval(() => {
  const { armed } = worker.engine.health.vitals()
  console.log(JSON.stringify({ armed, keys: worker.vault.present.users().length }))
}, 100)
