/**
 * A worker of its own process that no bus reaches, for tests that stop it:
 * `node worker-process.ts <environment> <broker's address> <its socket's> <time between orders, ms> <file of the secret>`. Says once a second how many accounts are armed.
 */
import { ClusterSecret, LocalBus, LocalWire } from '@digger/cluster'
import { readConfig } from '../src/config.ts'
import { createLogger } from '../src/log.ts'
import { createWorker } from '../src/worker.ts'

const [environment = '{}', restUrl = '', wsUrl = '', orderSpacingMs = '0', secretFile = ''] = process.argv.slice(2)
const settings: Record<string, string> = JSON.parse(environment)
const worker = await createWorker(
  {
    config: readConfig(settings),
    log: createLogger('fatal'),
    broker: { env: 'real', restUrl, wsUrl },
    hours: 'always',
    rateLimits: { orderSpacingMs: Number(orderSpacingMs) },
  },
  new LocalBus(new LocalWire()),
  ClusterSecret.read(secretFile),
)
setInterval(() => console.log(worker.engine.health.vitals().armed), 100)
