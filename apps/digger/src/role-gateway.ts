import { ClusterSecret } from '@digger/cluster'
import { createGateway } from '@digger/server'
import { brokerPlace } from './broker-place.ts'
import { openBus } from './cluster-bus.ts'
import type { Start, Started } from './start.ts'
import { assertPort } from './start-error.ts'

/** Serves people, and sends their calls to the workers. */
export async function startGateway(start: Start): Promise<Started> {
  const { config, log, ends } = start
  await assertPort('PORT', config.HOST, config.PORT)
  const bus = openBus(start)
  const secret = ClusterSecret.read(config.CLUSTER_SECRET_FILE ?? '')
  const gateway = await createGateway({ config, log, ...brokerPlace(config, null) }, bus, secret)
  ends.push(() => gateway.close())
  return { address: await gateway.listen(), databaseLost: null }
}
