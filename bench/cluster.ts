/**
 * C3, C4: what several processes cost. A worker's way from a price to an order against the one process', and calls through
 * a gateway over NATS against calls to the process that has the account.
 */
import { natsPlaceOf } from '@digger/cluster'
import { NatsBus } from '@digger/cluster/nats'
import { findNats, startNats } from '@digger/cluster/testing'
import { findPostgres, makeTemplate, startPostgres } from '@digger/database/testing'
import { notRun } from '../scripts/not-run.ts'
import { benchCalls } from './cluster-calls.ts'
import { benchOrderPath } from './cluster-order.ts'

const [bin, program] = [findPostgres(), findNats()]
if (bin === null || program === null) notRun('no PostgreSQL or no nats-server on this machine')
else {
  await using nats = await startNats(program)
  const openBus = (name: string) => NatsBus.open(natsPlaceOf(nats.url), name)
  await using postgres = await startPostgres(bin)
  const bus = await openBus('bench')
  await benchOrderPath(postgres, bus)
  await bus.close()
  await makeTemplate(postgres.url)
  process.env['DIGGER_TEST_POSTGRES'] = postgres.url
  await benchCalls({ openBus, nats })
}
