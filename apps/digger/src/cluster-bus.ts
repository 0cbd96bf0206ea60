import { hostname } from 'node:os'
import { natsPlaceOf } from '@digger/cluster'
import { NatsBus } from '@digger/cluster/nats'
import type { Start } from './start.ts'

/** The line to the other processes. It need not be there yet, and what trades does not wait for it. */
export function openBus({ config, log, ends }: Start): NatsBus {
  const { NATS_URL = '', NATS_CA_FILE, DIGGER_ROLE } = config
  const bus = new NatsBus(
    natsPlaceOf(NATS_URL, NATS_CA_FILE),
    `digger ${DIGGER_ROLE} ${hostname()} ${process.pid}`,
    (error) =>
      log.warn({ err: error }, 'NATS is away: calls from and to other processes wait; tried again all the time'),
  )
  ends.push(() => bus.close())
  return bus
}
